import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../kernel/log.ts';
import { repeatedWarnings } from '../../../kernel/repeated-warnings.ts';
import type { Effect } from '../../builds/builder.ts';
import { createRedactor } from '../../logs/redaction.ts';
import { sanitizedColors } from '../../logs/sanitized-output.ts';
import type { Launch } from '../../model/launch.ts';
import type { Quote } from '../../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { reason } from '../../model/reasons/reason.ts';
import { valuesOf } from '../../model/variables.ts';
import type { CommandEnd, Instance, RunOptions, Runtime } from '../../runtimes/runtime.ts';
import type { Limits } from '../../sandbox/sandbox.ts';
import type { LeaseVolumes } from '../../volumes/lease-volumes.ts';
import { linePrefix } from './environment-log.ts';
import { commandOrder, startOrder } from './instance-order.ts';
import { OrphanStops } from './orphan-stops.ts';
import type { RunningInstance } from './running-instance.ts';
import { LAST_LINES_MS, TrackedInstance } from './tracked-instance.ts';

export interface InstancesParts {
  runtime: Runtime;
  /** Moves the volumes that an instance needs to this runtime, wherever they were before. */
  bringVolumes: LeaseVolumes['bring'];
  limits: Limits;
  /** Writes a site's output to its log: lines that arrived together, at `at` milliseconds since 1970. */
  write: (environmentId: string, at: number, lines: readonly string[]) => void;
  /** True while this server holds the lease, and so may stop orphans. */
  isLeaseHeld: () => Promise<boolean>;
  effect: Effect;
  log: Logger;
}

const UNREAD = 'what sites write can’t be read; trying again';
const UNHEARD = 'the runtime can’t be listened to; trying again';
/** Pause before a broken stream of data from the runtime is opened again. */
const RETRY_MS = 1_000;

/**
 * Instances of the runtime during one lease term: copies their output to the sites' logs, and notices when they end.
 */
export class Instances {
  readonly #parts: InstancesParts;
  readonly #orphans: OrphanStops;
  /** Instances that were started or adopted and are not stopped yet, by id. */
  readonly #tracked = new Map<string, TrackedInstance>();
  readonly #closing = new AbortController();

  constructor(parts: InstancesParts) {
    const { runtime, log } = parts;
    this.#parts = parts;
    this.#orphans = new OrphanStops({ runtime, log, signal: this.#closing.signal });
  }

  /** True if one instance consists of all replicas of its process, each of which the runtime restarts by itself. */
  get groupsReplicas(): boolean {
    return this.#parts.runtime.capabilities.has('replicas');
  }

  /** Starts to read events and output from the runtime. */
  open(): void {
    void this.#listen();
  }

  /** Stops reading events and output from the runtime. The instances keep running. */
  close(): void {
    this.#closing.abort();
  }

  /** Ids of all tracked instances, also of those that are only being started. */
  trackedIds(): string[] {
    return [...this.#tracked.keys()];
  }

  /**
   * Starts an instance, and copies its output to the site's log and to `quote`. Throws a RuntimeFailure that quotes
   * this output if the instance ends at once, or the reason of the aborted signal.
   */
  async start(
    id: string,
    launch: Launch,
    quote: Pick<Quote, 'add' | 'params'>,
    signal?: AbortSignal,
  ): Promise<RunningInstance> {
    signal?.throwIfAborted();
    const { runtime, bringVolumes, effect, limits } = this.#parts;
    const tracked = this.#track(id);
    try {
      const order = startOrder(id, launch, limits);
      await bringVolumes(order, signal ?? this.#closing.signal, this.#writeToLogOf(launch));
      const state = await effect(() => runtime.start(order, signal));
      tracked.isUp = true;
      const also = (lines: readonly string[]) => quote.add(lines);
      void this.#copyOutput(id, launch, { tracked, also });
      tracked.note(state);
      const running = tracked.toRunning(state, this.groupsReplicas);
      if (running) return running;
      // The instance's last output, which says why it ended, needs time to arrive.
      await this.stop(id, LAST_LINES_MS);
      const how = tracked.explain(state.ended ?? reason('vanished'));
      throw new RuntimeFailure(reason('ended_before_healthy', { how, ...quote.params() }));
    } catch (error) {
      this.#tracked.delete(id);
      throw error;
    }
  }

  /**
   * Takes over an instance that runs; undefined if the instance has ended. Its output after `output.since`, in
   * milliseconds since 1970, goes to the site's log; without `output`, nothing is written to the log.
   */
  adopt(
    state: Instance,
    launch: Launch,
    output: { since: number | undefined } | undefined,
  ): RunningInstance | undefined {
    const { instance: id } = state;
    const tracked = this.#track(id);
    const running = tracked.toRunning(state, this.groupsReplicas);
    if (!running) {
      this.#tracked.delete(id);
      return undefined;
    }
    tracked.isUp = true;
    if (output) void this.#copyOutput(id, launch, { tracked, since: output.since });
    else tracked.endOutput();
    tracked.note(state);
    return running;
  }

  /**
   * Ends an instance, and stops tracking it once its output is in the log. Does nothing if the runtime does not have
   * the instance.
   */
  async stop(id: string, graceMs: number): Promise<void> {
    const tracked = this.#tracked.get(id);
    try {
      await this.#parts.runtime.stop(id, graceMs);
      if (tracked?.isUp) await tracked.outputEnded();
      tracked?.end(reason('stopped'));
    } finally {
      // An instance that could not be ended is no longer tracked, so it is stopped as an orphan.
      this.#tracked.delete(id);
      tracked?.close();
    }
  }

  scale(id: string, replicas: number): Promise<void> {
    const { runtime, effect } = this.#parts;
    return effect(async () => runtime.scale?.(id, replicas));
  }

  /** TCP ports that an instance listens on; undefined if the runtime can't tell. */
  async listening(id: string): Promise<readonly number[] | undefined> {
    return this.#parts.runtime.listening?.(id);
  }

  /**
   * Runs a command of a release to its end, beside the site's running instances. Throws a RuntimeFailure if it can't be
   * run.
   */
  async run(
    id: string,
    launch: Launch,
    { command, seconds }: { command: string; seconds: number },
    { output, signal }: RunOptions,
  ): Promise<CommandEnd> {
    const { runtime, bringVolumes, effect, limits } = this.#parts;
    const order = commandOrder(id, launch, command, limits);
    await bringVolumes(order, signal, this.#writeToLogOf(launch));
    const tracked = new TrackedInstance(limits.memoryMb);
    const options: RunOptions = {
      signal,
      output(lines) {
        tracked.addOutput(lines);
        output(lines);
      },
    };
    const end = await effect(() => runtime.run({ ...order, seconds }, options));
    return end.succeeded ? end : { ...end, how: tracked.explain(end.how) };
  }

  /** Compares tracked instances with the runtime's: notices ends that no event reported, and stops orphans. */
  check(): Promise<void> {
    return this.#check(() => this.#parts.isLeaseHeld());
  }

  /** Stops all instances of the runtime that are not tracked, whoever holds the lease. */
  stopOrphans(): Promise<void> {
    return this.#check(async () => true);
  }

  async #check(mayStop: () => Promise<boolean>): Promise<void> {
    const { runtime, log } = this.#parts;
    const up = [...this.#tracked].filter(([, { isUp }]) => isUp);
    const there = new Map((await runtime.list()).map((one) => [one.instance, one]));
    for (const what of [UNREAD, UNHEARD]) repeatedWarnings(log).clear({}, what);
    for (const [id, tracked] of up) if (!there.has(id)) tracked.end(reason('vanished'));
    for (const [id, state] of there) this.#tracked.get(id)?.note(state);
    const orphans = [...there.keys()].filter((id) => !this.#tracked.has(id));
    // The next lease holder may have taken over the orphaned instances by now.
    if (orphans.length > 0 && (await mayStop())) await this.#orphans.stop(orphans);
  }

  #track(id: string): TrackedInstance {
    const tracked = new TrackedInstance(this.#parts.limits.memoryMb);
    this.#tracked.set(id, tracked);
    return tracked;
  }

  async #listen(): Promise<void> {
    const { runtime, log } = this.#parts;
    const { signal } = this.#closing;
    for (let isAgain = false; !signal.aborted; isAgain = true) {
      try {
        // No event reports changes that happened while the runtime's stream of events was broken.
        if (isAgain) await this.check();
        for await (const state of runtime.events(signal)) this.#tracked.get(state.instance)?.note(state);
      } catch (error) {
        if (!signal.aborted) repeatedWarnings(log).warn({}, UNHEARD, (error as Error).message);
      }
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }

  /**
   * Copies an instance's output to the site's log until it ends; after a failure, it continues behind the last line.
   */
  async #copyOutput(
    id: string,
    launch: Launch,
    { tracked, also, since: after }: OutputOptions,
  ): Promise<void> {
    const { runtime, write, log } = this.#parts;
    const { signal } = this.#closing;
    const hide = createRedactor(valuesOf(launch.variables));
    for (let since = after; !signal.aborted; await sleep(RETRY_MS, undefined, { ref: false })) {
      try {
        for await (const { at, number, lines } of runtime.logs(id, { since, signal })) {
          since = at;
          const prefix = linePrefix(launch, number);
          const texts = lines.map((line) => `${prefix}${sanitizedColors(line, hide)}`);
          write(launch.environmentId, at, texts);
          tracked.addOutput(lines);
          also?.(lines);
        }
        break;
      } catch (error) {
        if (!signal.aborted) repeatedWarnings(log).warn({}, UNREAD, (error as Error).message);
      }
    }
    tracked.endOutput();
  }

  #writeToLogOf({ environmentId }: Launch): (line: string) => void {
    return (line) => this.#parts.write(environmentId, Date.now(), [line]);
  }
}

interface OutputOptions {
  tracked: TrackedInstance;
  /** Callback that gets each line of the instance's output, besides the site's log. */
  also?: (lines: readonly string[]) => void;
  /** Time of the last line that the log has already, in milliseconds since 1970. */
  since?: number | undefined;
}
