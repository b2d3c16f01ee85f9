import type { PictureSize } from './sizes.ts';

/** Path of an invitation's picture. The picture at a path never changes. */
export function picturePath(key: string, size: PictureSize): string {
  return `/i/${key}/${size}.jpg`;
}
