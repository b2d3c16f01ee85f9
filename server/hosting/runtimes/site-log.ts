import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine as EngineWritten } from '../engine/log-lines.ts';
import { messages } from '../logs/messages.ts';
import { createPace } from '../sandbox/lines.ts';
import { createLogRateLimit, type LogRateLimit } from '../sandbox/log-rate-limit.ts';
import type { WrittenLines } from './runtime.ts';

/** Number of bytes that an engine adds to each line of a log. */
const HEAD_BYTES = 40;

/**
 * Lines that a container wrote after `since` (milliseconds since 1970), within the log rate limit of a site. `linesOf`
 * reads the container's log; it calls its parameter to learn after which time to read, in seconds with a fraction. That
 * is the time of the last line read, so no line comes twice.
 */
export async function* siteLog(
  linesOf: (behind: () => string | undefined) => AsyncIterable<readonly EngineWritten[]>,
  since: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<WrittenLines> {
  let last = '';
  const from = since === undefined ? undefined : (since / 1_000).toFixed(3);
  const allowance = createLogRateLimit(() => performance.now());
  const pauseAfter = createPace();
  const leftOut = (count: number) => (count > 0 ? [messages.leftOut(count)] : []);
  for await (const some of linesOf(() => (last === '' ? from : secondsOf(last)))) {
    const before = leftOut(allowance.renew());
    const fresh = some.filter(({ at }) => at > last && Date.parse(at) > (since ?? 0));
    last = fresh.at(-1)?.at ?? last;
    const lines = allowed(
      fresh.map(({ line }) => line),
      allowance,
    );
    if (before.length + lines.length > 0) yield { at: Date.parse(last), lines: [...before, ...lines] };
    const pauseMs = pauseAfter(some.reduce((sum, { line }) => sum + HEAD_BYTES + line.length, 0));
    if (pauseMs !== undefined) await sleep(pauseMs, undefined, { signal });
  }
  const lines = leftOut(allowance.end());
  if (lines.length > 0) yield { at: Date.parse(last), lines };
}

/** Output lines of a site within the rate limit; further lines are only counted. */
function allowed(lines: readonly string[], allowance: LogRateLimit): string[] {
  const room = allowance.room();
  let bytes = 0;
  const beyond = lines.findIndex((line, index) => {
    if (index < room.lines && bytes + line.length <= room.bytes) bytes += line.length + 1;
    else return true;
    return false;
  });
  const count = beyond < 0 ? lines.length : beyond;
  allowance.spend(count, bytes);
  if (count < lines.length) allowance.leaveOut(lines.length - count);
  return lines.slice(0, count);
}

/** Value of the engine's `since` for a time such as `2026-11-26T08:00:00.000000001Z`. */
function secondsOf(at: string): string {
  return `${Math.floor(Date.parse(at) / 1_000)}.${at.split('.')[1]?.slice(0, -1) ?? '0'}`;
}
