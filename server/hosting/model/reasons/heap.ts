import type { Reason } from './reason.ts';

const HEAP_FULL = /JavaScript heap out of memory/;
/**
 * V8 writes a stack trace after the line about the full heap, and parent processes may write more. A process that goes
 * on writing did not end because of the heap.
 */
const MOST_LINES_AFTER = 200;
const SIGNALLED = ['killed', 'exited'];

/**
 * Watches a command's output for the message of Node.js about a full heap. The exit code or SIGABRT with which the
 * command then ends could have other causes as well.
 */
export function createHeapWatch() {
  let linesAfter = Number.POSITIVE_INFINITY;
  return {
    add(lines: readonly string[]): void {
      const at = lines.findLastIndex((line) => HEAP_FULL.test(line));
      linesAfter = at < 0 ? linesAfter + lines.length : lines.length - 1 - at;
    },
    /** True if the command ended because its heap was full. */
    isCauseOf: ({ code, params }: Reason): boolean =>
      linesAfter <= MOST_LINES_AFTER && SIGNALLED.includes(code) && params.code !== 0,
  };
}
