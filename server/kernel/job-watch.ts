import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isUnavailable } from './database/database.ts';
import type { Logger } from './log.ts';
import { isScheduleDue, SCHEDULED, type Schedule, scheduleKey } from './schedules.ts';

/** Function that every server calls soon after an SQL condition has become true, and again as long as it is. */
export interface Wake {
  /** Makes the condition, for each look. */
  when(): RawBuilder<boolean>;
  wake(): void;
}

export interface JobWatchParts {
  db: Kysely<unknown>;
  queues: readonly string[];
  schedules: readonly Schedule[];
  wakes: readonly Wake[];
  /** Interval of the looks for jobs that are due. */
  everyMs: number;
  /** Interval of the looks for jobs that were abandoned. */
  abandonedEveryMs: number;
  /** Called for a queue that has a job whose time has come. */
  onDue(queue: string): void;
  /** Called for a queue with a running job that is past its time limit, or whose heartbeat is missing. */
  onAbandoned(queue: string): Promise<void>;
  /** Called with the schedules that need a next job; `now` is the database's time. */
  onUnsent(schedules: readonly Schedule[], now: Date): Promise<void>;
  log: Logger;
}

interface Finding {
  what: 'due' | 'abandoned' | 'unsent' | 'woken';
  /** Name of a queue, key of a schedule, or index of a wake. */
  name: string;
  now: Date;
}

/**
 * Looks for jobs of which no notification tells: retries and delayed jobs whose time has come, jobs whose notification
 * was lost, jobs of a server that has died, and schedules whose last job has ended; and for other work that is due. One
 * statement looks at everything; with a poll of its own for each worker, an idle server would be busy with these.
 * Returns the function that stops the looks.
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
  void look();
  return () => clearInterval(timer);
}

async function lookOnce(
  { db, queues, schedules, wakes, onDue, onAbandoned, onUnsent }: JobWatchParts,
  isForAbandoned: boolean,
): Promise<void> {
  const { rows } = await sql<Finding>`
    select 'due' as what, name, pgboss.job_now() as now from unnest(${queues}::text[]) as queue (name)
    where exists (
      select from pgboss.job
      where job.name = queue.name and state < 'active' and not blocked and start_after <= pgboss.job_now())
    union all
    select distinct 'abandoned', name, pgboss.job_now() from pgboss.job
    where ${isForAbandoned} and state = 'active' and name = any(${queues}::text[])
      and (started_on + expire_seconds * interval '1 second' < pgboss.job_now()
        or heartbeat_on + heartbeat_seconds * interval '1 second' < pgboss.job_now())
    union all
    select 'unsent', key, pgboss.job_now()
    from unnest(${schedules.map(scheduleKey)}::text[], array[${sql.join(schedules.map(isScheduleDue))}]::boolean[]) as schedule (key, is_due)
    where is_due and not exists (
      select from pgboss.job
      where name = ${SCHEDULED} and coalesce(singleton_key, '') = key and state <= 'active' and policy = 'exclusive')
    union all
    select 'woken', (number - 1)::text, pgboss.job_now()
    from unnest(array[${sql.join(wakes.map(({ when }) => when()))}]::boolean[]) with ordinality as wake (is_due, number)
    where is_due`.execute(db);
  const named = (what: Finding['what']) => rows.filter((row) => row.what === what).map(({ name }) => name);
  for (const queue of named('due')) onDue(queue);
  for (const index of named('woken')) wakes[Number(index)]?.wake();
  const unsent = new Set(named('unsent'));
  const [first] = rows;
  if (first && unsent.size > 0)
    await onUnsent(
      schedules.filter((schedule) => unsent.has(scheduleKey(schedule))),
      first.now,
    );
  for (const queue of named('abandoned')) await onAbandoned(queue);
}
