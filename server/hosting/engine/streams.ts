import type { Readable } from 'node:stream';
import { EngineError } from './connection.ts';

// How the engine tells of what goes on.

/** Longer than any line that an engine writes of itself. */
const LONGEST = 2 ** 20;

/** Values of JSON, a line each. Throws an EngineError for what is none. */
export async function* values<T>(answer: Readable): AsyncGenerator<T> {
  let rest = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST) throw new EngineError(500, 'a line of its answer has no end');
    for (const line of lines) if (line.trim() !== '') yield parsed<T>(line);
  }
  if (rest.trim() !== '') yield parsed<T>(rest);
}

function parsed<T>(line: string): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw new EngineError(500, 'a line of its answer is no JSON');
  }
}

const HEAD_BYTES = 8;
/** Of one write of a container; engines cut them much shorter. */
const MOST_BYTES = 16 * 2 ** 20;

/** What a container without a terminal writes: to which of its outputs, and what. */
export async function* frames(answer: Readable): AsyncGenerator<{ output: 'out' | 'error'; bytes: Buffer }> {
  let held = Buffer.alloc(0);
  for await (const chunk of answer) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (held.length >= HEAD_BYTES) {
      const size = held.readUInt32BE(4);
      if (size > MOST_BYTES) throw new EngineError(500, 'its log is none that can be read');
      if (held.length < HEAD_BYTES + size) break;
      const bytes = held.subarray(HEAD_BYTES, HEAD_BYTES + size);
      yield { output: held[0] === 2 ? 'error' : 'out', bytes };
      held = held.subarray(HEAD_BYTES + size);
    }
  }
}
