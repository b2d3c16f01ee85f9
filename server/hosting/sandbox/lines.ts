import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { messages as logMessages } from '../logs/messages.ts';
import { createLogRateLimit, type LogRateLimit } from './log-rate-limit.ts';
import { messages } from './messages.ts';

/** Takes lines that came together. */
export type Output = (lines: readonly string[]) => void;

export interface LineReader {
  push(chunk: Buffer): void;
  /** Tells how many lines were left out, when it is time to. */
  tell(): void;
  /** Gives the last line, which has no newline. */
  end(): void;
}

/** Longer than the longest variable and what is shown of a line together. */
export const LONGEST_LINE = 80_000;
/** What is more is not even read before the next second: a command that writes without end waits for us. */
const MOST_BYTES_A_SECOND = 4 * 2 ** 20;
const NEWLINE = 0x0a;

/** Gives `output` what a spawned command writes, line by line and within what one command may write. */
export function readLines(
  { stdout, stderr }: Record<'stdout' | 'stderr', Readable | null>,
  output: Output,
): void {
  const allowance = createLogRateLimit(() => performance.now());
  for (const stream of [stdout, stderr]) {
    if (!stream) continue;
    const reader = createLineReader(LONGEST_LINE, allowance, output, stream === stdout);
    // One that falls silent is told of as well.
    const teller = setInterval(reader.tell, 1_000).unref();
    stream.on('data', reader.push).on('close', () => {
      clearInterval(teller);
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

/** Gives a function that takes how many bytes were read, and tells for how long no more are to be. */
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
 * Splits output into lines, and gives those of a chunk together. What the allowance has no room for is counted and not
 * looked at. Of a line longer than `most` UTF-16 units the head is given and the rest left out, so a site that never
 * ends its line costs no memory. `most` is larger than the longest secret plus what is shown of a line, so that hiding
 * secrets sees them whole. `skipping`: in the middle of a line that is left out, and counted already; from the first on
 * where the first line is not the command's own.
 */
export function createLineReader(
  most: number,
  allowance: LogRateLimit,
  output: Output,
  skipping = false,
): LineReader {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let cut = false;
  const tell = (leftOut: number) => {
    if (leftOut > 0) output([logMessages.leftOut(leftOut)]);
  };
  const take = (text: string) => {
    const room = most - pending.length;
    if (text.length > room) cut = true;
    pending += text.length > room ? text.slice(0, room) : text;
  };
  const finished = () => {
    const line = pending.endsWith('\r') ? pending.slice(0, -1) : pending;
    const whole = cut ? line + messages.lineCut : line;
    forget();
    return whole;
  };
  const forget = () => {
    pending = '';
    cut = false;
  };
  const give = (lines: Buffer) => {
    const finishedLines: string[] = [];
    let from = 0;
    const text = decoder.write(lines);
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      take(text.slice(from, end));
      finishedLines.push(finished());
      from = end + 1;
    }
    output(finishedLines);
  };
  /** What comes after the last line there was room for. */
  const leave = (rest: Buffer) => {
    const lines = newlinesIn(rest);
    if (lines === 0) {
      // A line's beginning; of one that is too long already nothing more is needed.
      if (!cut) take(decoder.write(rest));
      return;
    }
    decoder.end();
    forget();
    skipping = rest.at(-1) !== NEWLINE;
    allowance.leaveOut(lines + (skipping ? 1 : 0));
  };

  return {
    push(chunk) {
      tell(allowance.renew());
      let rest = chunk;
      if (skipping) {
        const end = chunk.indexOf(NEWLINE);
        if (end < 0) return;
        skipping = false;
        rest = chunk.subarray(end + 1);
      }
      const room = allowance.room();
      const { count, end } = linesWithin(rest, room.lines, room.bytes - pending.length);
      if (count > 0) {
        allowance.spend(count, pending.length + end);
        give(rest.subarray(0, end));
      }
      if (end < rest.length) leave(rest.subarray(end));
    },
    tell: () => tell(allowance.renew()),
    end() {
      take(decoder.end());
      if (pending) output([finished()]);
      tell(allowance.end());
    },
  };
}

/** How many whole lines there are in the first `mostBytes`, `mostLines` at most, and where they end. */
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
