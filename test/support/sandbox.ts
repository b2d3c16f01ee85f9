import { createWarden } from '../../server/hosting/sandbox/limits.ts';
import { processesMarked, processName, readProcesses } from '../../server/hosting/sandbox/processes.ts';
import { openSandbox } from '../../server/hosting/sandbox/sandbox.ts';

export const ISOLATION = {
  appsIsolation: 'sandbox' as const,
  appsAllowNetworks: [] as string[],
  appsUid: 58_000,
  host: '127.0.0.1',
};

/** Opens a sandbox as on a machine without control groups. */
export function openTestSandbox(folder: string) {
  return openSandbox({ ...ISOLATION, dataDir: folder }, folder, {
    warden: createWarden(),
    groups: undefined,
  });
}

/** Names of the programs that form a sandbox. The empty name stands for processes that have ended meanwhile. */
const SANDBOX_PROGRAMS = ['', 'unshare', 'nice', 'setpriv', 'pasta', 'passt', 'passt.avx2', 'bwrap'];

/**
 * Ids of the processes of sites and builds that run below the folder `mark`. Left out are the processes of the
 * sandboxes themselves, which may remain until the next start if a setup was killed, and the networks for sandboxes
 * that are prepared in advance.
 */
export function commandsMarked(mark: string): number[] {
  const table = readProcesses();
  const below = (roots: readonly number[]) => roots.flatMap(table.treeOf).map(({ pid }) => pid);
  const grounds = new Set(below(processesMarked(`${mark}grounds`)));
  return [...new Set(below(processesMarked(mark)))].filter(
    (pid) => !grounds.has(pid) && !SANDBOX_PROGRAMS.includes(processName(pid)),
  );
}
