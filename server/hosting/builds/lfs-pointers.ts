import { join } from 'node:path';
import { readHead } from '../sandbox/folders.ts';

const MOST = 1_000;
/** Beginning of a Git LFS pointer: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md#the-pointer */
const POINTER = 'version https://git-lfs.github.com/spec/v1\n';

/** Git command that lists files of Git LFS, after the checkout. */
export const LIST_LFS = `-c core.quotePath=false --work-tree="$TREE" ls-files ':(attr:filter=lfs)' | head -n ${MOST} | head -c 65536 | sed 's/^/lfs\\t/'`;
const LISTED = /^lfs\t(.+)$/gm;

/** Listed files whose content is a Git LFS pointer instead of the real file. */
export async function lfsPointersIn(folder: string, gitOutput: string): Promise<string[]> {
  const pointers: string[] = [];
  for (const [, path = ''] of gitOutput.matchAll(LISTED)) {
    if ((await readHead(join(folder, path), POINTER.length)) === POINTER) pointers.push(path);
  }
  return pointers;
}
