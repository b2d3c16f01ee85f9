import { type Kysely, sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Logger } from './log.ts';
import { repeatedWarnings } from './repeated-warnings.ts';

/**
 * Largest accepted difference, in seconds, between the clocks of server and database: codes live for minutes, and
 * people read seconds in a history.
 */
const MOST_SECONDS = 5;
/**
 * Longest accepted duration of the query for the database's time: a slower result doesn't say precisely enough when the
 * time was read.
 */
const SLOW_MS = 2_000;
const LOOK_MS = 600_000;
const WHAT = 'clock';

/** Seconds by which this server's clock is ahead of the database's; undefined if the query took too long to tell. */
export async function clockOffset(db: Kysely<unknown>, clock: Clock): Promise<number | undefined> {
  const before = clock().epochMilliseconds;
  const begun = performance.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const took = performance.now() - begun;
  if (!rows[0] || took > SLOW_MS) return undefined;
  // Adding 0 to the offset turns a -0 into 0.
  return Math.round((before + took / 2 - rows[0].now.getTime()) / 1_000) + 0;
}

/**
 * Warns if this server's clock differs from the database's, at the start and every ten minutes: codes that one server
 * mails would be expired on another, and a history would be out of order.
 */
export function watchClock({ db, clock, log }: { db: Kysely<unknown>; clock: Clock; log: Logger }): {
  look(): Promise<void>;
  stop(): void;
} {
  const warnings = repeatedWarnings(log);
  const look = async () => {
    // Failed queries of the database's clock are ignored here, because other parts log that the database is away.
    const offset = await clockOffset(db, clock).catch(() => undefined);
    if (offset === undefined) return;
    if (Math.abs(offset) <= MOST_SECONDS) return warnings.clear({}, WHAT);
    const where = offset > 0 ? 'ahead of' : 'behind';
    warnings.warn(
      {},
      WHAT,
      `this server’s is ${Math.abs(offset)} s ${where} the database’s: codes expire at the wrong time and histories are out of order; set both by NTP`,
    );
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  return { look, stop: () => clearInterval(timer) };
}
