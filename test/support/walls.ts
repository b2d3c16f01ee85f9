import { createWarden } from '../../server/hosting/walls/limits.ts';
import { nameOf, processesMarked, readProcesses } from '../../server/hosting/walls/processes.ts';
import { openWalls } from '../../server/hosting/walls/walls.ts';

export const ISOLATION = {
  appsIsolation: 'sandbox' as const,
  appsAllowNetworks: [] as string[],
  appsUid: 58_000,
  host: '127.0.0.1',
};

/** As a server has them that can make no control groups. */
export function openSandbox(folder: string) {
  return openWalls({ ...ISOLATION, dataDir: folder }, folder, { warden: createWarden(), groups: undefined });
}

/** Programs that a sandbox is made of, and what has ended meanwhile. */
const WALLS = ['', 'unshare', 'nice', 'setpriv', 'pasta', 'passt', 'passt.avx2', 'bwrap'];

/**
 * The processes of sites and builds below `mark`, without the walls around them, and without grounds, of which one is kept
 * ready: of a wall that lost its maker before it stood, a part may wait for it until the next start.
 */
export function commandsMarked(mark: string): number[] {
  const table = readProcesses();
  const below = (roots: readonly number[]) => roots.flatMap(table.treeOf).map(({ pid }) => pid);
  const grounds = new Set(below(processesMarked(`${mark}grounds`)));
  return [...new Set(below(processesMarked(mark)))].filter(
    (pid) => !grounds.has(pid) && !WALLS.includes(nameOf(pid)),
  );
}
