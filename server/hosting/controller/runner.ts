import { setTimeout as sleep } from 'node:timers/promises';
import { makeAbortable } from '../../kernel/abortable.ts';
import type { Clock } from '../../kernel/clock.ts';
import { waitForDatabase } from '../../kernel/database/wait-for-database.ts';
import { createFairQueue, type FairQueue } from '../../kernel/fair-queue.ts';
import type { Logger } from '../../kernel/log.ts';
import { inSpan, type Tracing } from '../../kernel/tracing/tracing.ts';
import { Cancelled } from '../model/deployment-rows.ts';
import { LeaseLost } from '../model/lease-fence.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason, type Reason, reason } from '../model/reasons/reason.ts';
import { shortageOf } from '../model/reasons/shortage.ts';
import type { RunRow, RunStatus } from '../model/run-rows.ts';
import { valuesOf } from '../model/variables.ts';
import { messages } from '../runs/messages.ts';
import { lastDue, MADE_UP_FOR_MS } from '../runs/schedule.ts';
import type { OwnedRun, RunStore } from '../runs/store.ts';
import type { Artifacts } from './pipeline/artifacts.ts';
import { type DeploymentLog, type LogsOfTerm, openDeploymentLog } from './pipeline/deployment-log.ts';
import type { Launches } from './pipeline/launches.ts';
import type { Records } from './records/records.ts';
import type { Evaluation, ScheduledJob } from './records/runs.ts';
import type { Instances } from './supervision/instances.ts';

export interface RunnerParts {
  records: Pick<Records, 'runs'>;
  store: Pick<RunStore, 'unfinished'>;
  instances: Pick<Instances, 'run'>;
  launches: Pick<Launches, 'launchOfCommand'>;
  artifacts: Pick<Artifacts, 'ensureForLaunch'>;
  logs: LogsOfTerm;
  clock: Clock;
  log: Logger;
  tracing: Tracing;
  /** Time limit of scheduled jobs, in seconds. */
  mostSeconds: number;
  /** Lease term: aborts once this server must no longer run the sites; no run begins after that. */
  term: AbortSignal;
}

/**
 * Number of runs that begin at once, because the machine has few cores; also the number of one owner's runs in
 * progress.
 */
const AT_ONCE = 8;
/** Time that the start of a command burdens the machine, so that the next run waits for it. */
const BEGINNING_MS = 5_000;
const MINUTE_MS = 60_000;
/** Schedules are evaluated this long after the start of a minute, when the minute has begun by every server's clock. */
const INTO_MINUTE_MS = 50;
/** Process name of instances that run a command beside a site. */
const PROCESS = 'run';
/** Delay after which the log says that a scheduled run begins late. */
const LATE_MS = 90_000;
/** Limit for the output of one run of a command, in bytes. */
const MOST_BYTES = 2 ** 20;

interface RunEnd {
  status: RunStatus;
  why: Reason;
}

interface RunInProgress {
  environmentId: string;
  abort: AbortController;
  done: Promise<void>;
}

/** Runs commands that people requested, and requests the runs that are due by schedule, during one lease term. */
export class Runner {
  readonly #parts: RunnerParts;
  readonly #inProgress = new Map<string, RunInProgress>();
  readonly #queue: FairQueue = createFairQueue(AT_ONCE, { mostOfOne: AT_ONCE, roomAfterMs: BEGINNING_MS });

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Starts and cancels the runs of one environment as requested. */
  async look(environmentId: string): Promise<void> {
    const { store, term } = this.#parts;
    await this.#evaluateSchedules(environmentId);
    for (const row of await store.unfinished(environmentId)) {
      const run = this.#inProgress.get(row.run_id);
      if (row.cancel_requested) run?.abort.abort(new Cancelled(reason('run_cancelled')));
      else if (!run && row.status === 'waiting' && !term.aborted) this.#begin(row);
    }
  }

  /** Evaluates the schedules of all jobs each minute, until the end of the lease term. */
  async keepTime(): Promise<void> {
    const { clock, term } = this.#parts;
    while (!term.aborted) {
      await this.#evaluateAllSchedules();
      const wait = MINUTE_MS - (clock().epochMilliseconds % MINUTE_MS) + INTO_MINUTE_MS;
      await sleep(wait, undefined, { signal: term }).catch(() => {});
    }
  }

  /** Cancels the runs of an environment whose application was deleted. */
  forget(environmentId: string): void {
    for (const run of this.#inProgress.values())
      if (run.environmentId === environmentId) run.abort.abort(new Cancelled(reason('application_gone')));
  }

  /** Resolves once no run of a command is in progress any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#inProgress.values()].map(({ done }) => done));
  }

  #begin(row: OwnedRun): void {
    const abort = new AbortController();
    const run = { environmentId: row.environment_id, abort, done: Promise.resolve() };
    this.#inProgress.set(row.run_id, run);
    run.done = this.#runInTurn(row, AbortSignal.any([this.#parts.term, abort.signal]));
  }

  async #runInTurn(row: OwnedRun, signal: AbortSignal): Promise<void> {
    const { term, log, tracing } = this.#parts;
    const attributes = { 'simcha.run.id': row.run_id };
    try {
      await this.#queue(row.owner_id, () =>
        inSpan(tracing, 'run', { attributes, parent: {} }, () => this.#run(row, signal)),
      );
    } catch (error) {
      if (!term.aborted) log.error({ err: error, run: row.run_id }, 'a run could not be worked');
    } finally {
      this.#inProgress.delete(row.run_id);
    }
  }

  /** Takes a waiting run to its end. If the end of the term interrupts it, the next holder of the lease ends it. */
  async #run(row: RunRow, signal: AbortSignal): Promise<void> {
    const { records, logs, clock } = this.#parts;
    const options = { signal, step: PROCESS, mostBytes: MOST_BYTES };
    const runLog = await openDeploymentLog({ logs, clock }, row.run_id, options);
    const end = await this.#runCommand(row, signal, runLog).catch((error) => this.#endOf(row, error, signal));
    if (!end) return;
    if (end.status !== 'succeeded') runLog.write(describeReason(end.why, 'en'));
    await runLog.flush();
    await this.#ask(() => records.runs.finish(row, end.status, end.why, clock()));
  }

  /** Executes the command of a run. Returns undefined if the run is no longer waiting to begin. */
  async #runCommand(row: RunRow, signal: AbortSignal, runLog: DeploymentLog): Promise<RunEnd | undefined> {
    const { records, launches, artifacts, instances, clock } = this.#parts;
    const { run_id: runId, environment_id: environmentId, command, seconds, due_at: dueAt } = row;
    signal.throwIfAborted();
    const launch = await this.#ask(() => launches.launchOfCommand(environmentId, PROCESS));
    if (!launch) throw new RuntimeFailure(reason('release_gone'));
    runLog.hideValues(valuesOf(launch.variables));
    if (!(await this.#ask(() => records.runs.begin(runId, launch.deploymentId, clock())))) return undefined;
    if (dueAt && clock().epochMilliseconds - dueAt.getTime() > LATE_MS)
      runLog.write(messages.log.late(dueAt.toISOString()));
    runLog.write(messages.log.began(command));
    const artifact = await artifacts.ensureForLaunch(launch, signal, runLog);
    const task = { command, seconds };
    const options = { output: runLog.output, signal };
    const { succeeded, how } = await instances.run(runId, { ...launch, artifact }, task, options);
    signal.throwIfAborted();
    return { status: succeeded ? 'succeeded' : 'failed', why: how };
  }

  /**
   * End of a run whose command did not end by itself. Throws errors that leave the end to the next holder of the lease.
   */
  #endOf({ run_id: run }: RunRow, error: unknown, signal: AbortSignal): RunEnd {
    if (signal.reason instanceof Cancelled) return { status: 'cancelled', why: signal.reason.reason };
    if (signal.aborted || error instanceof LeaseLost) throw error;
    if (error instanceof RuntimeFailure) return { status: 'failed', why: error.reason };
    const shortage = shortageOf(error);
    if (shortage) return { status: 'failed', why: shortage };
    this.#parts.log.error({ err: error, run }, 'a run failed unexpectedly');
    return { status: 'failed', why: reason('our_fault') };
  }

  async #evaluateAllSchedules(): Promise<void> {
    const { records, clock } = this.#parts;
    await this.#logFailure(async () => {
      await records.runs.failInterrupted(clock());
      for (const id of await records.runs.findScheduledEnvironments())
        await this.#logFailure(() => this.look(id));
    });
  }

  /** Requests the runs that are due by an environment's schedules. */
  async #evaluateSchedules(environmentId: string): Promise<void> {
    const { records, clock, mostSeconds } = this.#parts;
    const { jobs, areGone } = await records.runs.findJobs(environmentId);
    const now = clock();
    const evaluations = jobs.map((job) => evaluate(job, now.epochMilliseconds, mostSeconds));
    const isChanged =
      areGone ||
      evaluations.some(({ due }) => due !== undefined) ||
      jobs.some(({ seenAt }) => seenAt === undefined);
    if (isChanged) await records.runs.noteEvaluations(environmentId, evaluations, now);
  }

  async #logFailure(work: () => Promise<unknown>): Promise<void> {
    const { term, log } = this.#parts;
    try {
      await work();
    } catch (error) {
      if (!term.aborted && !(error instanceof Cancelled))
        log.warn({ err: error }, 'schedules could not be looked at; trying again');
    }
  }

  /** Runs a database query, and waits while the database is unavailable. */
  #ask<T>(query: () => Promise<T>): Promise<T> {
    const { term, log } = this.#parts;
    const onAway = (error: unknown) => log.warn({ err: error }, 'runs wait for the database');
    return makeAbortable(waitForDatabase(query, { signal: term, onAway }), term);
  }
}

/** Checks whether a run of a scheduled job is due `at` a time, in milliseconds since 1970. */
function evaluate({ job, timeZone, seenAt }: ScheduledJob, at: number, seconds: number): Evaluation {
  const due = seenAt === undefined ? undefined : lastDue(job.schedule, timeZone, seenAt, at);
  const missed = due !== undefined && at - due > MADE_UP_FOR_MS;
  return { job, timeZone, due, missed, seconds };
}
