import { spawn } from 'node:child_process';

export type Sweeper = ReturnType<typeof startSweeper>;

/**
 * Starts a process that runs shell lines, the last one first, when it is disposed of, or when this process ends for any
 * reason.
 */
export function startSweeper() {
  // The sweeper has a session of its own, so that it survives a signal from the terminal.
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
