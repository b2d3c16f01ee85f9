import type { Variables } from '../model/variables.ts';

/**
 * Share of a site's memory limit for the heap of Node.js: the rest is for code, buffers and stacks, and for other
 * processes.
 */
const SHARE = 3 / 4;
const SETS_HEAP = /--max[-_](old[-_]space|heap)[-_]size/;

/**
 * Adds a heap limit for Node.js to a site's variables: by itself, Node.js takes about half of a memory limit that it
 * detects, or of the whole machine. The site's own options stay, and its own heap limit takes precedence.
 */
export function withHeapLimit(variables: Variables, memoryMb: number): Variables {
  const { NODE_OPTIONS = '' } = variables;
  if (SETS_HEAP.test(NODE_OPTIONS)) return variables;
  const limit = `--max-old-space-size=${Math.floor(memoryMb * SHARE)}`;
  return { ...variables, NODE_OPTIONS: `${NODE_OPTIONS} ${limit}`.trim() };
}
