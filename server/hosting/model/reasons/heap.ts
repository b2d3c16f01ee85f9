import type { Reason } from './reason.ts';

const HEAP_FULL = /JavaScript heap out of memory/;
/** V8 writes a stack after that line, and those who started the process may say more. A process that goes on does not end for it. */
const MOST_LINES_AFTER = 200;
const SIGNALLED = ['killed', 'exited'];

/**
 * Follows the output of a command to tell an end by a full heap of Node.js, which is no more than a SIGABRT or its exit code,
 * from any other.
 */
export function createHeapWatch() {
  let linesAfter = Number.POSITIVE_INFINITY;
  return {
    hear(lines: readonly string[]): void {
      const at = lines.findLastIndex((line) => HEAP_FULL.test(line));
      linesAfter = at < 0 ? linesAfter + lines.length : lines.length - 1 - at;
    },
    /** Whether a command ended as it did because its heap was full. */
    isCauseOf: ({ code, params }: Reason): boolean =>
      linesAfter <= MOST_LINES_AFTER && SIGNALLED.includes(code) && params.code !== 0,
  };
}
