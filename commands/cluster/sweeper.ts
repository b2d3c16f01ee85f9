import { spawn } from 'node:child_process';

export type Sweeper = ReturnType<typeof startSweeper>;

/**
 * Starts a process (the sweeper) that cleans up: once it is disposed of, or this process ends for any reason, it runs
 * the shell lines that were added, the last one first.
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
