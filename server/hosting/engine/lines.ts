import type { Readable } from 'node:stream';
import { frames } from './streams.ts';
import { createTimes, isEarlier } from './times.ts';

/** Line of a container's log. */
export interface Written {
  /** Time that the engine recorded, to the nanosecond, such as `2026-11-26T08:00:00.000000001Z`. */
  at: string;
  output: 'out' | 'error';
  line: string;
}

/** Maximum length of a line, in UTF-16 code units; the rest is left out. */
const LONGEST_LINE = 80_000;

/** Lines of a container's log at or after `since`, in groups that arrived together. */
export async function* linesOf(answer: Readable, since: string | undefined): AsyncGenerator<Written[]> {
  const timed = createTimes();
  const asked = (one: Written): Written[] => {
    const at = timed(one.at);
    return since === undefined || !isEarlier(at, since) ? [{ ...one, at }] : [];
  };
  const pending: Partial<Record<Written['output'], Written | undefined>> = {};
  for await (const some of frames(answer)) {
    const whole = some.flatMap(({ output, bytes }) => {
      const { at, line } = written(output, bytes.toString());
      // The engine splits a long line into several pieces, each with its own time: only the last ends with a newline.
      const isEnd = line.endsWith('\n');
      const before = pending[output];
      const all = { at, output, line: (before?.line ?? '') + (isEnd ? line.slice(0, -1) : line) };
      pending[output] = isEnd ? undefined : { ...all, line: all.line.slice(0, LONGEST_LINE) };
      return isEnd ? asked(all) : [];
    });
    if (whole.length > 0) yield whole;
  }
  const rest = Object.values(pending).flatMap((one) => (one ? asked(one) : []));
  if (rest.length > 0) yield rest;
}

function written(output: Written['output'], line: string): Written {
  const space = line.indexOf(' ');
  return { at: line.slice(0, space), output, line: line.slice(space + 1) };
}
