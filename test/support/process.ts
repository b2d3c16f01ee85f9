import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { OrdinaryUser } from './ordinary.ts';

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  output(): string;
  /** Resolves with the exit code, null when a signal ended it. */
  ended: Promise<number | null>;
}

export const MAIN = new URL('../../server/main.ts', import.meta.url).pathname;

/** The server as an operator runs it, in a process of its own. Resolves once it listens, or has ended. */
export async function spawnServer(
  env: Record<string, string>,
  user: OrdinaryUser = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [MAIN], {
    ...user,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', LOG_FORMAT: 'json', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const url = await new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output += `${line}\n`;
        const address = /listening on (http:[^\s"]+)/.exec(line)?.[1];
        if (address) resolve(address);
      });
    }
    ended.then(() => resolve(''));
  });
  return { url, child, output: () => output, ended };
}
