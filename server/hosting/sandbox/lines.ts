import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { messages as logMessages } from '../logs/messages.ts';
import { createLogRateLimit, type LogRateLimit } from './log-rate-limit.ts';
import { messages } from './messages.ts';

/** Function that receives output lines of a command that arrived together. */
export type Output = (lines: readonly string[]) => void;

export interface LineReader {
  push(chunk: Buffer): void;
  /** Reports how many output lines were left out, once a second at most. */
  reportLeftOut(): void;
  /** Outputs the last line of the command's output if it does not end in a newline. */
  end(): void;
}

/**
 * Maximum length of a line, in UTF-16 code units: longer than the longest secret variable and the visible part of a
 * line together.
 */
export const LONGEST_LINE = 80_000;
/** Maximum number of bytes read within a second: a command that writes without end must wait. */
const MOST_BYTES_A_SECOND = 4 * 2 ** 20;
const NEWLINE = 0x0a;

/** Passes the output of a spawned command to `output`, line by line and within the rate limit of one command. */
export function readLines(
  { stdout, stderr }: Record<'stdout' | 'stderr', Readable | null>,
  output: Output,
): void {
  const rateLimit = createLogRateLimit(() => performance.now());
  for (const stream of [stdout, stderr]) {
    if (!stream) continue;
    const reader = createLineReader(LONGEST_LINE, rateLimit, output, stream === stdout);
    // The number of lines left out is also reported for a command that falls silent.
    const timer = setInterval(reader.reportLeftOut, 1_000).unref();
    stream.on('data', reader.push).on('close', () => {
      clearInterval(timer);
      reader.end();
    });
    slowDown(stream);
  }
}

function slowDown(stream: Readable): void {
  const pauseAfter = createPace();
  stream.on('data', (chunk: Buffer) => {
    const pauseMs = pauseAfter(chunk.length);
    if (pauseMs === undefined) return;
    stream.pause();
    setTimeout(() => stream.resume(), pauseMs);
  });
}

/** Returns a function that takes the number of bytes read and returns how long to pause, in ms; undefined: no pause. */
export function createPace(): (bytes: number) => number | undefined {
  let read = 0;
  let since = performance.now();
  return (bytes) => {
    const now = performance.now();
    if (now - since > 1_000) {
      since = now;
      read = 0;
    }
    read += bytes;
    return read > MOST_BYTES_A_SECOND ? Math.max(0, since + 1_000 - now) : undefined;
  };
}

/**
 * Splits a command's output into lines, and outputs the lines of a chunk together. Lines beyond the rate limit are only
 * counted. A line longer than `most` UTF-16 code units is cut, so a site that never ends its line costs no memory.
 * `most` is larger than the longest secret and the visible part of a line together, so that secrets are recognized
 * whole and hidden. `skipping`: true if the output begins with a line that must be left out without being counted.
 */
export function createLineReader(
  most: number,
  rateLimit: LogRateLimit,
  output: Output,
  skipping = false,
): LineReader {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let cut = false;
  const report = (leftOut: number) => {
    if (leftOut > 0) output([logMessages.leftOut(leftOut)]);
  };
  const append = (text: string) => {
    const room = most - pending.length;
    if (text.length > room) cut = true;
    pending += text.length > room ? text.slice(0, room) : text;
  };
  const finishLine = () => {
    const line = pending.endsWith('\r') ? pending.slice(0, -1) : pending;
    const whole = cut ? line + messages.lineCut : line;
    forget();
    return whole;
  };
  const forget = () => {
    pending = '';
    cut = false;
  };
  const outputLines = (lines: Buffer) => {
    const finishedLines: string[] = [];
    let from = 0;
    const text = decoder.write(lines);
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      append(text.slice(from, end));
      finishedLines.push(finishLine());
      from = end + 1;
    }
    output(finishedLines);
  };
  /** Leaves out all output after the last line within the rate limit. */
  const leaveOut = (rest: Buffer) => {
    const lines = newlinesIn(rest);
    if (lines === 0) {
      // The rest of the chunk is the beginning of a line; if that line is already too long, its rest is not needed.
      if (!cut) append(decoder.write(rest));
      return;
    }
    decoder.end();
    forget();
    skipping = rest.at(-1) !== NEWLINE;
    rateLimit.leaveOut(lines + (skipping ? 1 : 0));
  };

  return {
    push(chunk) {
      report(rateLimit.renew());
      let rest = chunk;
      if (skipping) {
        const end = chunk.indexOf(NEWLINE);
        if (end < 0) return;
        skipping = false;
        rest = chunk.subarray(end + 1);
      }
      const room = rateLimit.room();
      const { count, end } = linesWithin(rest, room.lines, room.bytes - pending.length);
      if (count > 0) {
        rateLimit.spend(count, pending.length + end);
        outputLines(rest.subarray(0, end));
      }
      if (end < rest.length) leaveOut(rest.subarray(end));
    },
    reportLeftOut: () => report(rateLimit.renew()),
    end() {
      append(decoder.end());
      if (pending) output([finishLine()]);
      report(rateLimit.end());
    },
  };
}

/** Counts whole lines in the first `mostBytes`, `mostLines` at most, and finds the offset at which they end. */
function linesWithin(chunk: Buffer, mostLines: number, mostBytes: number): { count: number; end: number } {
  let count = 0;
  let end = 0;
  const length = Math.min(chunk.length, mostBytes);
  for (let i = 0; i < length && count < mostLines; i += 1) {
    if (chunk[i] !== NEWLINE) continue;
    count += 1;
    end = i + 1;
  }
  return { count, end };
}

function newlinesIn(chunk: Buffer): number {
  let count = 0;
  for (let i = 0; i < chunk.length; i += 1) if (chunk[i] === NEWLINE) count += 1;
  return count;
}
