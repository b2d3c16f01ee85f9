import type { Readable } from 'node:stream';
import { EngineError } from './connection.ts';

// Streaming answers of the engine.

/** Maximum length of a line, longer than any that an engine writes. */
const LONGEST = 2 ** 20;

/** JSON values, one per line. Throws an EngineError for anything else. */
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
/** Maximum size of one write of a container; engines split them much smaller. */
const MOST_BYTES = 16 * 2 ** 20;

export interface Frame {
  output: 'out' | 'error';
  bytes: Buffer;
}

/** Stream number of errors that the engine itself reports. */
const ENGINES_OWN = 3;

/**
 * Output of a container without a terminal, with its stream, in groups that arrived together. Throws an EngineError for
 * errors that the engine reports in between.
 */
export async function* frames(answer: Readable): AsyncGenerator<Frame[]> {
  let held = Buffer.alloc(0);
  for await (const chunk of answer) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const whole: Frame[] = [];
    let at = 0;
    while (held.length - at >= HEAD_BYTES) {
      const size = held.readUInt32BE(at + 4);
      if (size > MOST_BYTES) throw new EngineError(500, 'its log is none that can be read');
      const end = at + HEAD_BYTES + size;
      if (held.length < end) break;
      if (held[at] === ENGINES_OWN)
        throw new EngineError(
          500,
          held
            .subarray(at + HEAD_BYTES, end)
            .toString()
            .trim(),
        );
      whole.push({ output: held[at] === 2 ? 'error' : 'out', bytes: held.subarray(at + HEAD_BYTES, end) });
      at = end;
    }
    held = held.subarray(at);
    if (whole.length > 0) yield whole;
  }
}
