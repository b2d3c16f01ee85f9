import { setTimeout as sleep } from 'node:timers/promises';
import { makeAbortable } from '../../kernel/abortable.ts';
import type { Clock } from '../../kernel/clock.ts';
import { waitForDatabase } from '../../kernel/database/wait-for-database.ts';
import { createFairQueue } from '../../kernel/fair-queue.ts';
import type { Logger } from '../../kernel/log.ts';
import type { BuildLog } from '../builds/builder.ts';
import { createRedactor } from '../logs/redaction.ts';
import type { Artifact } from '../model/artifact.ts';
import { Cancelled } from '../model/deployment-rows.ts';
import type { Launch } from '../model/launch.ts';
import { LeaseLost } from '../model/lease-fence.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason, type Reason, reason } from '../model/reasons/reason.ts';
import { shortageOf } from '../model/reasons/shortage.ts';
import type { RunRow, RunStatus } from '../model/run-rows.ts';
import { messages } from '../runs/messages.ts';
import { lastDue, MADE_UP_FOR_MS } from '../runs/schedule.ts';
import type { OwnedRun, RunStore } from '../runs/store.ts';
import { type LogsOfTerm, openDeploymentLog } from './deployment-log.ts';
import type { Instances } from './instances.ts';
import type { Records } from './records/records.ts';

export interface RunnerParts {
  records: Pick<Records, 'runs'>;
  store: Pick<RunStore, 'unfinished'>;
  instances: Pick<Instances, 'run'>;
  /** What a command of an environment's current release is started from; undefined where there is none. */
  launchOf: (environmentId: string, process: string) => Promise<Launch | undefined>;
  /** The artifact, made again first where this machine has not got it. */
  atHand: (launch: Launch, signal: AbortSignal, journal: BuildLog) => Promise<Artifact>;
  logs: LogsOfTerm;
  clock: Clock;
  log: Logger;
  /** How long a job of a schedule may take. */
  mostSeconds: number;
  /** The lease is ours until then. */
  tenure: AbortSignal;
}

/** Runs that begin at a time: a machine has only so many cores. As many of one owner run in all. */
const AT_ONCE = 8;
/** A run that takes longer makes room for others' runs. */
const BEGINNING_MS = 5_000;
const MINUTE_MS = 60_000;
/** What a run is known by among processes. */
const PROCESS = 'run';
/** Later than that a time's run begins late. */
const LATE_MS = 90_000;

/** Of what a run writes. */
const MOST_BYTES = 2 ** 20;

interface End {
  status: RunStatus;
  why: Reason;
}

export type Runner = ReturnType<typeof createRunner>;

/** Runs what was asked for, and asks for what schedules say, while this server holds the lease. */
export function createRunner(parts: RunnerParts) {
  const { records, store, instances, logs, clock, log, mostSeconds, tenure } = parts;
  const working = new Map<string, { environmentId: string; own: AbortController }>();
  const works = new Set<Promise<void>>();
  const inQueue = createFairQueue(AT_ONCE, { mostOfOne: AT_ONCE, roomAfterMs: BEGINNING_MS });

  const ask = <T>(query: () => Promise<T>): Promise<T> => {
    const onAway = (error: unknown) => log.warn({ err: error }, 'runs wait for the database');
    return makeAbortable(waitForDatabase(query, { signal: tenure, onAway }), tenure);
  };

  const begin = (row: OwnedRun): void => {
    const own = new AbortController();
    working.set(row.run_id, { environmentId: row.environment_id, own });
    const done = inQueue(row.owner_id, () => work(row, AbortSignal.any([tenure, own.signal])))
      .catch((error) => {
        if (!tenure.aborted) log.error({ err: error, run: row.run_id }, 'a run could not be worked');
      })
      .finally(() => {
        working.delete(row.run_id);
        works.delete(done);
      });
    works.add(done);
  };

  /** Takes one that waits to its end; one that the tenure's end interrupts is the next holder's to end. */
  const work = async (row: RunRow, signal: AbortSignal): Promise<void> => {
    let hide = (line: string) => line;
    const journal = await openDeploymentLog({ logs, clock }, row.run_id, (line) => hide(line), {
      signal,
      step: PROCESS,
      mostBytes: MOST_BYTES,
    });
    const end = await untilItsEnd(row, signal, journal, (values) => {
      hide = createRedactor(values);
    }).catch((error) => endBy(row, error, signal));
    if (!end) return;
    if (end.status !== 'succeeded') journal.write(describeReason(end.why, 'en'));
    await journal.flush();
    await ask(() => records.runs.finish(row, end.status, end.why, clock()));
  };

  const untilItsEnd = async (
    row: RunRow,
    signal: AbortSignal,
    journal: BuildLog,
    onValues: (values: readonly string[]) => void,
  ): Promise<End | undefined> => {
    signal.throwIfAborted();
    const launch = await ask(() => parts.launchOf(row.environment_id, PROCESS));
    if (!launch) throw new RuntimeFailure(reason('release_gone'));
    onValues(Object.values(launch.variables));
    if (!(await ask(() => records.runs.begin(row.run_id, launch.deploymentId, clock())))) return undefined;
    if (row.due_at && clock().epochMilliseconds - row.due_at.getTime() > LATE_MS)
      journal.write(messages.log.late(row.due_at.toISOString()));
    journal.write(messages.log.began(row.command));
    const artifact = await parts.atHand(launch, signal, journal);
    const { succeeded, how } = await instances.run(
      row.run_id,
      { ...launch, artifact },
      { command: row.command, seconds: row.seconds },
      { output: journal.output, signal },
    );
    signal.throwIfAborted();
    return { status: succeeded ? 'succeeded' : 'failed', why: how };
  };

  /** How one ended that did not come to its own end. Throws what the next holder is to see. */
  const endBy = ({ run_id: run }: RunRow, error: unknown, signal: AbortSignal): End => {
    if (signal.reason instanceof Cancelled)
      return { status: 'cancelled', why: (signal.reason as Cancelled).reason };
    if (signal.aborted || error instanceof LeaseLost) throw error;
    if (error instanceof RuntimeFailure) return { status: 'failed', why: error.reason };
    const shortage = shortageOf(error);
    if (shortage) return { status: 'failed', why: shortage };
    log.error({ err: error, run }, 'a run failed unexpectedly');
    return { status: 'failed', why: reason('our_fault') };
  };

  /** Asks for what the environment's schedules say is due. */
  const evaluate = async (environmentId: string): Promise<void> => {
    const { jobs, areGone } = await records.runs.findJobs(environmentId);
    const now = clock();
    const at = now.epochMilliseconds;
    const times = jobs.map(({ job, timeZone, seenAt }) => {
      const due = seenAt === undefined ? undefined : lastDue(job.schedule, timeZone, seenAt, at);
      return {
        job,
        timeZone,
        due,
        missed: due !== undefined && at - due > MADE_UP_FOR_MS,
        seconds: mostSeconds,
      };
    });
    const isNews =
      times.some(({ due }) => due !== undefined) || jobs.some(({ seenAt }) => seenAt === undefined);
    if (isNews || areGone) await records.runs.noteEvaluations(environmentId, times, now);
  };

  /** Brings one environment in line with what is asked for. */
  const look = async (environmentId: string): Promise<void> => {
    await evaluate(environmentId);
    for (const row of await store.unfinished(environmentId)) {
      const own = working.get(row.run_id)?.own;
      if (row.cancel_requested) own?.abort(new Cancelled(reason('run_cancelled')));
      else if (!own && row.status === 'waiting' && !tenure.aborted) begin(row);
    }
  };

  const quietly = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!tenure.aborted && !(error instanceof Cancelled))
        log.warn({ err: error }, 'schedules could not be looked at; trying again');
    }
  };

  return {
    look,

    /** Looks at all schedules each minute, until the tenure's end. */
    async keepTime(): Promise<void> {
      while (!tenure.aborted) {
        await quietly(async () => {
          await records.runs.failInterrupted(clock());
          for (const id of await records.runs.findScheduledEnvironments()) await quietly(() => look(id));
        });
        // A moment into the minute, so that it has begun by every clock.
        const wait = MINUTE_MS - (clock().epochMilliseconds % MINUTE_MS) + 50;
        await sleep(wait, undefined, { signal: tenure }).catch(() => {});
      }
    },

    /** The application is gone. */
    forget(environmentId: string): void {
      for (const one of working.values())
        if (one.environmentId === environmentId) one.own.abort(new Cancelled(reason('application_gone')));
    },

    /** Resolves when nothing is at work any more. */
    async close(): Promise<void> {
      await Promise.allSettled(works);
    },
  };
}
