import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./watchdog.sh', import.meta.url));

export type Watchdog = ReturnType<typeof createWatchdog>;

/**
 * Watchdog: a process beside the sites that ends them unless the server confirms in time that they may run. A frozen
 * server can't end them, while another server may already run the same sites. `folders`: parents of the homes of their
 * processes.
 */
export function createWatchdog(folders: readonly [string, string]) {
  let child: ChildProcess | undefined;

  const open = (): ChildProcess => {
    const [one, other] = folders.map((folder) => `${folder}/`);
    const opened = spawn('/bin/sh', [SCRIPT, one ?? '', other ?? ''], {
      cwd: '/',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      // The watchdog is in a process group of its own, so that Ctrl+C in the server's terminal does not end it. If the
      // server ends, the watchdog's input closes; then the watchdog ends the sites.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = () => {
      if (child === opened) child = undefined;
    };
    opened.on('error', forget).on('exit', forget).unref();
    opened.stdin?.on('error', () => {});
    child = opened;
    return opened;
  };

  return {
    /** Allows sites to run for `ms`, unless this function is called again; 0: as long as the server lives. */
    feed(ms: number): void {
      if (ms === 0 && !child) return;
      const seconds = ms === 0 ? 0 : Math.max(1, Math.floor(ms / 1_000));
      (child ?? open()).stdin?.write(`${seconds}\n`);
    },
    close: (): void => void child?.stdin?.end(),
  };
}
