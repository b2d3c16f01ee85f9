import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a `file:` address; undefined for any other. */
export function pathOfRepository(address: string): string | undefined {
  return address.startsWith('file:') ? fileURLToPath(address) : undefined;
}

/**
 * Whether a `file:` repository lies in a folder, such as the platform's data, which has the sources of all applications.
 * By real paths: any part of either may be a link.
 */
export function liesWithin(address: string, folder: string): boolean {
  const path = pathOfRepository(address);
  if (path === undefined) return false;
  const [inner, outer] = [realPath(path), realPath(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** What is not there yet counts where it would be. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}
