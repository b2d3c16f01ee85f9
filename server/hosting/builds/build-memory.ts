import { createHeapWatch } from '../model/reasons/heap.ts';
import { reason } from '../model/reasons/reason.ts';
import type { End } from '../sandbox/command.ts';
import type { Output } from '../sandbox/lines.ts';

/**
 * Watches the output of build commands. A failure for lack of memory then gets a reason that names the limit and says
 * who can raise it. `mebibytes`: memory limit of a build.
 */
export function createMemoryWatch(mebibytes: number, output: Output) {
  const heap = createHeapWatch();
  return {
    output(lines: readonly string[]): void {
      heap.add(lines);
      output(lines);
    },
    explain<T extends End>(end: T): T {
      if (end.succeeded) return end;
      if (end.how.code === 'too_much_memory') return { ...end, how: reason('build_memory', { mebibytes }) };
      return heap.isCauseOf(end.how) ? { ...end, how: reason('build_heap', { mebibytes }) } : end;
    },
  };
}
