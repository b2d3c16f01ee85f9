import { join } from 'node:path';
import { readHead } from '../sandbox/folders.ts';

const MOST = 1_000;
/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md#the-pointer */
const POINTER = 'version https://git-lfs.github.com/spec/v1\n';

/** What git is asked for files of Git LFS, once files are in place. */
export const LIST_LFS = `-c core.quotePath=false --work-tree="$TREE" ls-files ':(attr:filter=lfs)' | head -n ${MOST} | head -c 65536 | sed 's/^/lfs\\t/'`;
const LISTED = /^lfs\t(.+)$/gm;

/** Files that are pointers of Git LFS, and not what they point to, of those that git listed. */
export async function lfsPointersIn(folder: string, said: string): Promise<string[]> {
  const pointers: string[] = [];
  for (const [, path = ''] of said.matchAll(LISTED)) {
    if ((await readHead(join(folder, path), POINTER.length)) === POINTER) pointers.push(path);
  }
  return pointers;
}
