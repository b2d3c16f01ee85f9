import { nameOf, processesMarked, readProcesses } from '../../server/hosting/walls/processes.ts';

/** Programs that a sandbox is made of, and what has ended meanwhile. */
const WALLS = ['', 'unshare', 'setpriv', 'pasta', 'passt', 'passt.avx2', 'bwrap'];

/**
 * The processes of sites and builds below `mark`, without the walls around them: of a wall that lost its maker before it
 * stood, a part may wait for it until the next start.
 */
export function commandsMarked(mark: string): number[] {
  const table = readProcesses();
  return processesMarked(mark)
    .flatMap((root) => table.treeOf(root))
    .map(({ pid }) => pid)
    .filter((pid) => !WALLS.includes(nameOf(pid)));
}
