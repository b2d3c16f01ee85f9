import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of a `file:` address; undefined for other addresses. */
export function pathOfRepository(address: string): string | undefined {
  return address.startsWith('file:') ? fileURLToPath(address) : undefined;
}

/**
 * True if a `file:` repository lies in a folder, such as the platform's data folder, which contains the sources of all
 * applications. Real paths are compared, because any part of either may be a link.
 */
export function liesWithin(address: string, folder: string): boolean {
  const path = pathOfRepository(address);
  if (path === undefined) return false;
  const [inner, outer] = [realPath(path), realPath(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** Real path of a file; missing parts are appended to the real path of the nearest existing folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}
