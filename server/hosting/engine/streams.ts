import type { Readable } from 'node:stream';
import { EngineError } from './errors.ts';

// Streaming answers of the engine.

/** Maximum length of a line in an engine's answer, longer than any that an engine writes by itself. */
const LONGEST = 2 ** 20;

/** Values of an answer with one JSON value per line. Throws an EngineError for any other line. */
export async function* jsonLines<T>(answer: Readable, longest = LONGEST): AsyncGenerator<T> {
  let rest = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longest) throw new EngineError(500, 'a line of its answer has no end');
    for (const line of lines) if (line.trim() !== '') yield parseLine<T>(line);
  }
  if (rest.trim() !== '') yield parseLine<T>(rest);
}

function parseLine<T>(line: string): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw new EngineError(500, 'a line of its answer is no JSON');
  }
}

const HEAD_BYTES = 8;
/** Maximum size of one piece of a container's output; engines send much smaller pieces. */
const MOST_BYTES = 16 * 2 ** 20;

export interface Frame {
  output: 'out' | 'error';
  bytes: Buffer;
}

/**
 * Number by which an engine marks, in a container's output, the errors that it reports itself (1 is stdout, 2 is
 * stderr).
 */
const ENGINE_ERROR = 3;

/**
 * Output of a container without a terminal, with its stream, in groups that arrived together. Throws an EngineError for
 * errors that the engine reports in between.
 */
export async function* outputFrames(answer: Readable): AsyncGenerator<Frame[]> {
  let pending = Buffer.alloc(0);
  for await (const chunk of answer) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const complete: Frame[] = [];
    let at = 0;
    while (pending.length - at >= HEAD_BYTES) {
      const size = pending.readUInt32BE(at + 4);
      if (size > MOST_BYTES) throw new EngineError(500, 'its log is none that can be read');
      const end = at + HEAD_BYTES + size;
      if (pending.length < end) break;
      if (pending[at] === ENGINE_ERROR)
        throw new EngineError(
          500,
          pending
            .subarray(at + HEAD_BYTES, end)
            .toString()
            .trim(),
        );
      complete.push({
        output: pending[at] === 2 ? 'error' : 'out',
        bytes: pending.subarray(at + HEAD_BYTES, end),
      });
      at = end;
    }
    pending = pending.subarray(at);
    if (complete.length > 0) yield complete;
  }
}
