import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./watchdog.sh', import.meta.url));

export type Watchdog = ReturnType<typeof createWatchdog>;

/**
 * A process beside the sites that ends them where this server does not say in time that it still may run them: one that is frozen
 * does not do so itself, while another server runs the same sites already. `folders`: below which the homes of their processes are.
 */
export function createWatchdog(folders: readonly [string, string]) {
  let child: ChildProcess | undefined;

  const open = (): ChildProcess => {
    const [one, other] = folders.map((folder) => `${folder}/`);
    const opened = spawn('/bin/sh', [SCRIPT, one ?? '', other ?? ''], {
      cwd: '/',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      // Whatever ends the server's group by its terminal leaves it to see the end of its input.
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
    /** What runs may go on for so long unless it is told again; 0: for as long as this server lives. */
    feed(ms: number): void {
      if (ms === 0 && !child) return;
      const seconds = ms === 0 ? 0 : Math.max(1, Math.floor(ms / 1_000));
      (child ?? open()).stdin?.write(`${seconds}\n`);
    },
    close: (): void => void child?.stdin?.end(),
  };
}
