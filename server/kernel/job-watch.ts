import { type Kysely, sql } from 'kysely';
import { isUnavailable } from './database/database.ts';
import type { Logger } from './log.ts';

export interface JobWatchParts {
  db: Kysely<unknown>;
  queues: readonly string[];
  /** Interval of the looks for jobs that are due. */
  everyMs: number;
  /** Interval of the looks for jobs that were abandoned. */
  abandonedEveryMs: number;
  /** Called for a queue that has a job whose time has come. */
  onDue(queue: string): void;
  /** Called for a queue with a running job that is past its time limit, or whose heartbeat is missing. */
  onAbandoned(queue: string): Promise<void>;
  log: Logger;
}

/**
 * Looks for jobs of which no notification tells: retries and delayed jobs whose time has come, jobs whose notification
 * was lost, and jobs of a server that has died. One statement looks at all queues; with a poll of its own for each
 * worker, an idle server would be busy with these. Returns the function that stops the looks.
 */
export function watchJobs(parts: JobWatchParts): () => void {
  const { everyMs, abandonedEveryMs, log } = parts;
  let abandonedLookAt = performance.now() + abandonedEveryMs;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const isForAbandoned = performance.now() >= abandonedLookAt;
    if (isForAbandoned) abandonedLookAt = performance.now() + abandonedEveryMs;
    try {
      await lookOnce(parts, isForAbandoned);
    } catch (error) {
      if (!isUnavailable(error)) log.warn({ err: error }, 'due jobs could not be looked for; trying again');
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}

async function lookOnce(
  { db, queues, onDue, onAbandoned }: JobWatchParts,
  isForAbandoned: boolean,
): Promise<void> {
  const { rows } = await sql<{ name: string; is_due: boolean }>`
    select name, true as is_due from unnest(${queues}::text[]) as queue (name)
    where exists (
      select from pgboss.job
      where job.name = queue.name and state < 'active' and not blocked and start_after <= pgboss.job_now())
    union all
    select distinct name, false from pgboss.job
    where ${isForAbandoned} and state = 'active' and name = any(${queues}::text[])
      and (started_on + expire_seconds * interval '1 second' < pgboss.job_now()
        or heartbeat_on + heartbeat_seconds * interval '1 second' < pgboss.job_now())`.execute(db);
  for (const { name } of rows.filter(({ is_due: isDue }) => isDue)) onDue(name);
  for (const { name } of rows.filter(({ is_due: isDue }) => !isDue)) await onAbandoned(name);
}
