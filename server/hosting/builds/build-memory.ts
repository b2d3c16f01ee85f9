import { reason } from '../reasons/reason.ts';
import type { End } from '../walls/command.ts';
import type { Output } from '../walls/lines.ts';

const HEAP_FULL = /JavaScript heap out of memory/;

/**
 * Follows what a command of a build writes, to say of a failure for want of memory how much there was, and who can change
 * that. `mebibytes`: of a build.
 */
export function createMemoryWatch(mebibytes: number, output: Output) {
  let isHeapFull = false;
  return {
    output(lines: readonly string[]): void {
      isHeapFull ||= lines.some((line) => HEAP_FULL.test(line));
      output(lines);
    },
    explain<T extends End>(end: T): T {
      if (end.succeeded) return end;
      if (end.how.code === 'too_much_memory') return { ...end, how: reason('build_memory', { mebibytes }) };
      const isOwnEnd = ['killed', 'exited'].includes(end.how.code);
      return isHeapFull && isOwnEnd ? { ...end, how: reason('build_heap', { mebibytes }) } : end;
    },
  };
}
