import type { Size } from './sizes.ts';

/** A picture's path. What stands there never changes. */
export function picturePath(key: string, size: Size): string {
  return `/i/${key}/${size}.jpg`;
}
