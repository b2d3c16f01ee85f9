import type { Readable } from 'node:stream';
import { createLineTimes, isEarlier } from './log-times.ts';
import { outputFrames } from './streams.ts';

export interface LogLine {
  /** Time of the line as the engine recorded it, to the nanosecond, such as `2026-11-26T08:00:00.000000001Z`. */
  at: string;
  output: 'out' | 'error';
  line: string;
}

/** Maximum length of a line in a container's log, in UTF-16 code units; the rest is left out. */
const LONGEST_LINE = 80_000;

/** Lines of a container's log at or after `since`, in groups that arrived together. */
export async function* logLinesOf(answer: Readable, since: string | undefined): AsyncGenerator<LogLine[]> {
  const timeOf = createLineTimes();
  const inRange = (one: LogLine): LogLine[] => {
    const at = timeOf(one.at);
    return since === undefined || !isEarlier(at, since) ? [{ ...one, at }] : [];
  };
  const pending: Partial<Record<LogLine['output'], LogLine | undefined>> = {};
  for await (const frameGroup of outputFrames(answer)) {
    const complete = frameGroup.flatMap(({ output, bytes }) => {
      const { at, line } = parseLine(output, bytes.toString());
      // The engine splits a long line into several pieces, each with its own time: only the last ends with a newline.
      const isEnd = line.endsWith('\n');
      const before = pending[output];
      const all = { at, output, line: (before?.line ?? '') + (isEnd ? line.slice(0, -1) : line) };
      pending[output] = isEnd ? undefined : { ...all, line: all.line.slice(0, LONGEST_LINE) };
      return isEnd ? inRange(all) : [];
    });
    if (complete.length > 0) yield complete;
  }
  const rest = Object.values(pending).flatMap((one) => (one ? inRange(one) : []));
  if (rest.length > 0) yield rest;
}

function parseLine(output: LogLine['output'], line: string): LogLine {
  const space = line.indexOf(' ');
  return { at: line.slice(0, space), output, line: line.slice(space + 1) };
}
