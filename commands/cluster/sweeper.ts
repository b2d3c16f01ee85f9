import { spawn } from 'node:child_process';

export type Sweeper = ReturnType<typeof startSweeper>;

/** Runs lines of a shell, the last one first, once it is disposed of, or this process is gone, however it went. */
export function startSweeper() {
  // Of a session of its own: what ends the terminal's programs leaves it.
  const child = spawn('/bin/sh', ['-c', 'lines=$(tac); eval "$lines"'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  return {
    add: (...lines: string[]) => child.stdin.write(lines.map((line) => `${line}\n`).join('')),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
