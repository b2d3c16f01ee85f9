import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, RawBuilder } from 'kysely';
import {
  type ConstructorOptions,
  fromKysely,
  fromPglite,
  type JobResult,
  PgBoss,
  type QueuePolicy,
  type Job as TakenUp,
} from 'pg-boss';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { waitForDatabase } from './database/wait-for-database.ts';
import { type Wake, watchJobs } from './job-watch.ts';
import { recoverJobs } from './jobs-recovery.ts';
import type { Logger } from './log.ts';
import { nextScheduledJob, SCHEDULED, type Schedule, type ScheduleData, scheduleKey } from './schedules.ts';
import { inSpan, NO_TRACING, type SpanOptions, type Tracing } from './tracing/tracing.ts';

/**
 * Durable jobs in the same database as the rows they belong to, so that a row and its job are one commit. A job is
 * executed at least once: if its process dies, the first server that notices executes it again.
 */
export interface Jobs {
  /**
   * Declares a queue of jobs and the function that works on its jobs. Called while the server is composed, before
   * `start`.
   */
  queue<T extends object>(name: string, settings: QueueSettings, work: Work<T>): Queue<T>;
  /**
   * Runs work on one of the servers, at each time of a cron expression (five fields, Israel's time) or soon after an SQL
   * condition has become true. If a time is missed, the work runs once, later.
   */
  schedule(name: string, when: string | RawBuilder<boolean>, work: Work<object>): void;
  /** Calls a function on every server soon after an SQL condition has become true, and again as long as it is. */
  wakeWhen(when: Wake['when'], wake: Wake['wake']): void;
  /**
   * Starts the workers of all job queues, once the tables exist. Waits if the database can't be reached; rejects when
   * waiting can't help.
   */
  start(): Promise<void>;
  isStarted(): boolean;
  /** Starts no further jobs and waits up to `mostMs` milliseconds for the running ones. Jobs can still be sent. */
  drain(mostMs: number): Promise<void>;
  /** Stops the jobs that still run and returns them to the queue, for a later try. */
  close(): Promise<void>;
}

export interface QueueSettings {
  /** Number of workers for this queue in this process; default 1. */
  concurrency?: number;
  /**
   * Number of waiting jobs that each worker fetches at once and works on together; default 1. More than 1 is good for
   * many small jobs: fetching and finishing take two statements for the whole batch, instead of two for each job.
   * `timeLimit` is for the whole batch.
   */
  batch?: number;
  /** Number of times that a failed job is tried again; default 5. */
  retries?: number;
  /**
   * Seconds before the first retry of a failed job, doubled for each further one up to `longestRetryDelay`; default 2
   * and 300.
   */
  retryDelay?: number;
  longestRetryDelay?: number;
  /** Seconds after which a running job counts as failed; default 900. */
  timeLimit?: number;
  /**
   * Effect of a job's `key`, over all servers. With `short` no second job of the key may wait; with `singleton` none
   * may run; with `stately` neither; with `exclusive` there may be no second job of the key at all.
   */
  perKey?: Extract<QueuePolicy, 'short' | 'singleton' | 'stately' | 'exclusive'>;
}

export interface Job<T> {
  id: string;
  data: T;
  /** Number of the present try of the job: the first try is 1. */
  attempt: number;
  isLastAttempt: boolean;
  /** Aborted when the job has run for too long, and when the server shuts down. */
  signal: AbortSignal;
}

/** Executes a job. If it throws, the job is tried again later. */
export type Work<T> = (job: Job<T>) => Promise<void>;

export interface SendOptions {
  /**
   * Transaction with which the sent job is committed or rolled back. Required inside a transaction: the embedded
   * database has one connection.
   */
  transaction?: Kysely<unknown>;
  startAfter?: Temporal.Instant;
  key?: string;
}

export interface Queue<T extends object> {
  /**
   * Sends a job to the queue and returns its id; undefined if the queue's `perKey` refuses it. A worker, here or on
   * another server, wakes at once.
   */
  send(data: T, options?: SendOptions): Promise<string | undefined>;
  /** Puts many jobs into the queue with one SQL statement. */
  sendAll(data: readonly T[], options: Pick<SendOptions, 'transaction'>): Promise<void>;
}

const DEFAULTS = {
  concurrency: 1,
  batch: 1,
  retries: 5,
  retryDelay: 2,
  longestRetryDelay: 300,
  timeLimit: 900,
};

/**
 * Settings of queues whose messages somebody else has to accept (mail and texts): more than a day of tries, seconds
 * apart at first and a quarter of an hour later on.
 */
export const DELIVERY = {
  concurrency: 3,
  batch: 5,
  retries: 110,
  retryDelay: 2,
  longestRetryDelay: 900,
  timeLimit: 600,
};

/**
 * Seconds without a heartbeat after which a job is taken for dead and executed again. On the embedded database the time
 * is long, so that a long import is not taken for dead. That database belongs to this process alone, which recovers the
 * jobs of a killed server at its start (recoverJobs).
 */
const HEARTBEAT_SECONDS = { postgres: 15, embedded: 120 };
/**
 * Interval at which jobs of a dead server are looked for. The embedded database belongs to this process alone, so only
 * jobs past their time limit are found there.
 */
const ABANDONED_SECONDS = { postgres: 10, embedded: 60 };
/** Jobs of schedules that one server works on at once: a long one must not delay the others. */
const SCHEDULED_SETTINGS: QueueSettings = { perKey: 'exclusive', concurrency: 3 };
/** Interval at which the job queue counts its jobs and deletes old ones. */
const UPKEEP_SECONDS = 600;
/** Interval at which the job queue checks whether it still receives notifications. */
const LISTENING_CHECK_MS = 30_000;
/**
 * Interval at which each worker polls while notifications arrive. Jobs of which no notification tells are found by
 * `watchJobs`.
 */
const NOTIFIED_POLL_SECONDS = 600;
/** Intervals of the job queue, which tests make shorter. */
export interface JobTimes {
  /**
   * Interval at which a server looks for retries and delayed jobs whose time has come, and for jobs whose notification
   * was lost. For all other jobs, notifications wake workers at once.
   */
  pollSeconds: number;
  /** Delay before a failed job's first retry, instead of the delay of each queue. */
  retrySeconds?: number;
}

const TIMES: JobTimes = { pollSeconds: 5 };
const KEEP_DONE_SECONDS = 86_400;

interface Registration {
  name: string;
  settings: Required<Omit<QueueSettings, 'perKey'>> & Pick<QueueSettings, 'perKey'>;
  work: Work<object>;
}

export function createJobs(
  config: Pick<Config, 'databaseUrl'>,
  database: Database,
  log: Logger,
  times = TIMES,
  tracing: Tracing = NO_TRACING,
): Jobs {
  const registrations: Registration[] = [];
  const schedules: Schedule<Work<object>>[] = [];
  const wakes: Wake[] = [];
  const closing = new AbortController();
  let boss: PgBoss | undefined;
  let started = false;
  let stopWatching = () => {};

  const register = (name: string, settings: QueueSettings, work: Work<object>): void => {
    if (boss) throw new Error(`the queue ${name} was declared after the start`);
    registrations.push({ name, settings: { ...DEFAULTS, ...settings }, work });
  };
  register(SCHEDULED, SCHEDULED_SETTINGS, async (job) => {
    const { key } = job.data as ScheduleData;
    // A schedule that the code no longer has, or has at other times, is over.
    await schedules.find((schedule) => scheduleKey(schedule) === key)?.work(job);
  });

  const startOnce = async (): Promise<void> => {
    boss = createBoss(config, database, log);
    try {
      await boss.start();
      await recoverJobs(boss, database);
      await declareQueues(boss, registrations, {
        ...times,
        heartbeatSeconds: HEARTBEAT_SECONDS[database.kind],
      });
      if (closing.signal.aborted) return await boss.stop({ graceful: false });
      started = true;
      const workers = new Map<string, string[]>();
      for (const one of registrations)
        workers.set(one.name, await workOn(boss, one, { closing: closing.signal, log, times, tracing }));
      stopWatching = watch(boss, workers);
    } catch (error) {
      started = false;
      await boss.stop({ graceful: false }).catch(() => {});
      throw error;
    }
  };

  const watch = (on: PgBoss, workers: ReadonlyMap<string, readonly string[]>) =>
    watchJobs({
      db: database.sql,
      queues: [...workers.keys()],
      schedules,
      wakes,
      everyMs: times.pollSeconds * 1_000,
      abandonedEveryMs: ABANDONED_SECONDS[database.kind] * 1_000,
      onDue(queue) {
        for (const worker of workers.get(queue) ?? []) on.notifyWorker(worker);
      },
      onAbandoned: (queue) => on.supervise(queue),
      async onUnsent(unsent, now) {
        await on.insert(
          SCHEDULED,
          unsent.map((schedule) => nextScheduledJob(schedule, now)),
        );
      },
      log,
    });

  return {
    queue<T extends object>(name: string, settings: QueueSettings, work: Work<T>): Queue<T> {
      register(name, settings, work as Work<object>);
      return {
        async send(data, { transaction, startAfter, key } = {}) {
          if (!boss || !started) throw new JobsAway();
          const id = await boss.send(name, withTrace(data, tracing), {
            ...(transaction && { db: fromKysely(transaction) }),
            ...(startAfter && { startAfter: new Date(startAfter.epochMilliseconds) }),
            ...(key !== undefined && { singletonKey: key }),
          });
          return id ?? undefined;
        },
        async sendAll(all, { transaction }) {
          if (!boss || !started) throw new JobsAway();
          const inserted = all.map((data) => ({ data: withTrace(data, tracing) }));
          await boss.insert(name, inserted, { ...(transaction && { db: fromKysely(transaction) }) });
        },
      };
    },

    schedule(name, when, work) {
      if (boss) throw new Error(`the schedule ${name} was declared after the start`);
      schedules.push({ name, when, work });
    },

    wakeWhen(when, wake) {
      if (boss) throw new Error('a condition was declared after the start');
      wakes.push({ when, wake });
    },

    async start() {
      const { signal } = closing;
      const onAway = (error: unknown) =>
        log.warn({ err: error }, 'the job queue can’t start; trying again every few seconds, 503 until then');
      await waitForDatabase(startOnce, { signal, onAway }).catch((error) => {
        if (!signal.aborted) throw error;
      });
    },

    isStarted: () => started,

    async drain(mostMs) {
      closing.abort();
      stopWatching();
      if (!started) return;
      const finished = Promise.all(registrations.map(({ name }) => boss?.offWork(name, { wait: true })));
      await Promise.race([finished, sleep(mostMs, undefined, { ref: false })]).catch((error) =>
        log.warn({ err: error }, 'the job queue could not be stopped'),
      );
    },

    async close() {
      closing.abort();
      stopWatching();
      if (!started) return;
      started = false;
      await boss?.stop({ graceful: false });
    },
  };
}

/** Data of a job as it is stored: with the span in which the job was sent, if traces are on. */
type StoredData = object & { traceparent?: string };

function withTrace(data: object, tracing: Tracing): StoredData {
  const traceparent = tracing.traceparent();
  return traceparent === undefined ? data : { ...data, traceparent };
}

/**
 * Thrown for a job that is sent before the queue has started or after it has stopped. Its code is PostgreSQL's for that
 * case, which becomes a 503.
 */
class JobsAway extends Error {
  readonly code = '57P03';

  constructor() {
    super('the job queue is not running');
  }
}

/** Tables in which pg-boss records the steps of its schema that have run, and those that run in the background. */
export const JOB_STEPS = ['pgboss.version', 'pgboss.bam'];

/** Brings the job tables up to date and returns the jobs of a killed server to the queue; executes none. */
export async function prepareJobs(
  config: Pick<Config, 'databaseUrl'>,
  database: Database,
  log: Logger,
): Promise<void> {
  const boss = createBoss(config, database, log, {
    useListenNotify: false,
    supervise: false,
  });
  try {
    await boss.start();
    await recoverJobs(boss, database);
  } finally {
    await boss.stop({ graceful: false });
  }
}

function createBoss(
  config: Pick<Config, 'databaseUrl'>,
  database: Database,
  log: Logger,
  options: ConstructorOptions = {},
): PgBoss {
  const connection = database.engine
    ? { db: fromPglite(database.engine()), backend: 'pglite' as const }
    : {
        ...(config.databaseUrl && { connectionString: config.databaseUrl }),
        application_name: 'simcha jobs',
        max: 5,
        min: 1,
        connectionTimeoutMillis: 5_000,
      };
  const boss = new PgBoss({
    ...connection,
    useListenNotify: true,
    notifyHeartbeatIntervalMs: LISTENING_CHECK_MS,
    superviseIntervalSeconds: UPKEEP_SECONDS,
    maintenanceIntervalSeconds: UPKEEP_SECONDS,
    // Abandoned jobs are found by `watchJobs`, and must then be returned to their queue at once.
    monitorIntervalSeconds: 1,
    flowIntervalSeconds: 3_600,
    // The queue's own schedules are off: it would evaluate all of them twice a minute. See schedules.ts.
    schedule: false,
    // The queue's warnings about PostgreSQL's vacuum are off: the database's operator has better tools for that.
    monitorVacuum: false,
    ...options,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue had an error; it goes on'));
  boss.on('warning', ({ message }) => log.warn(`job queue: ${message}`));
  return boss;
}

/** Creates the job queues, or updates those that differ. */
async function declareQueues(
  boss: PgBoss,
  registrations: readonly Registration[],
  { heartbeatSeconds, retrySeconds }: JobTimes & { heartbeatSeconds: number },
): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, settings } of registrations) {
    const options = {
      retryLimit: settings.retries,
      retryDelay: retrySeconds ?? settings.retryDelay,
      retryBackoff: true,
      retryDelayMax: settings.longestRetryDelay,
      expireInSeconds: settings.timeLimit,
      deleteAfterSeconds: KEEP_DONE_SECONDS,
      heartbeatSeconds,
      notify: true,
    };
    const queue = queues.get(name);
    if (!queue) await boss.createQueue(name, { ...options, policy: settings.perKey ?? 'standard' });
    else if (differs(queue, options)) await boss.updateQueue(name, options);
  }
}

function differs<T extends object>(queue: T, options: Partial<T>): boolean {
  return Object.entries(options).some(([option, value]) => queue[option as keyof T] !== value);
}

/** Starts the workers of a queue; returns their ids. */
async function workOn(
  boss: PgBoss,
  { name, settings, work }: Registration,
  { closing, log, times, tracing }: { closing: AbortSignal; log: Logger; times: JobTimes; tracing: Tracing },
): Promise<string[]> {
  /**
   * Works on one job of a batch. Its failure is returned as a result, not thrown, because otherwise pg-boss would try
   * all jobs of the batch again.
   */
  const workOnOne = async ({ id, data: stored, retryCount, signal }: TakenUp<object>): Promise<JobResult> => {
    const attempt = retryCount + 1;
    const isLastAttempt = retryCount >= settings.retries;
    const { traceparent, ...data } = stored as StoredData;
    const title = name === SCHEDULED ? (data as ScheduleData).name : name;
    const span: SpanOptions = {
      kind: 'consumer',
      attributes: {
        'messaging.system': 'pg-boss',
        'messaging.destination.name': name,
        'simcha.attempt': attempt,
      },
      parent: { traceparent },
    };
    try {
      const job = { id, data, attempt, isLastAttempt, signal: AbortSignal.any([signal, closing]) };
      await inSpan(tracing, `job ${title}`, span, () => work(job));
      return { id, status: 'completed' };
    } catch (error) {
      log.warn({ err: error, queue: title, job: id, attempt, isLastAttempt }, 'a job failed');
      return { id, status: 'failed', output: error };
    }
  };
  const workers: string[] = [];
  for (let slot = 0; slot < settings.concurrency; slot += 1) {
    const options = {
      batchSize: settings.batch,
      perJobResults: true,
      pollingIntervalSeconds: times.pollSeconds,
      notifyPollingIntervalSeconds: NOTIFIED_POLL_SECONDS,
    } as const;
    const worker: string = await boss.work<object, unknown, typeof options>(name, options, async (jobs) => {
      try {
        return await Promise.all(jobs.map(workOnOne));
      } finally {
        // The worker of the queue is woken, because otherwise pg-boss would wait for the next poll before it fetches
        // another job.
        boss.notifyWorker(worker);
      }
    });
    workers.push(worker);
  }
  return workers;
}
