import type { Clock } from '../../../kernel/clock.ts';
import type { FairQueue } from '../../../kernel/fair-queue.ts';
import type { createKeyedLock } from '../../../kernel/keyed-lock.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Builder, BuildLog } from '../../builds/builder.ts';
import { messages } from '../../deployments/messages.ts';
import type { Artifact } from '../../model/artifact.ts';
import type { SiteRow } from '../../model/deployment-rows.ts';
import type { Launch } from '../../model/launch.ts';
import { type RestartTimes, STEADY_MS } from '../../model/lifecycle.ts';
import type { Reason } from '../../model/reasons/reason.ts';
import { type Slot, slotName } from '../../model/slots.ts';
import type { BuildRecords } from '../records/builds.ts';
import type { InstanceRecords } from '../records/instances.ts';
import type { AskDatabase } from './ask-database.ts';
import { BackOff } from './back-off.ts';
import { Drainer, endInstance, GRACE_MS } from './drainer.ts';
import { type EnvironmentLog, linePrefix } from './environment-log.ts';
import { startInstance } from './instance-starter.ts';
import type { Instances } from './instances.ts';
import { untilUnresponsive } from './liveness.ts';
import type { ActualSlot, EnvironmentSlot } from './reconcile.ts';
import { ReplicaWatch } from './replica-watch.ts';
import { acceptsRequests, type RunningInstance, type ServingInstance } from './running-instance.ts';
import { SlotStart, type SlotStartParts } from './slot-start.ts';

/** Dependencies that the slots of all environments share. */
export interface SharedParts {
  instances: Pick<Instances, 'start' | 'stop' | 'scale' | 'listening' | 'groupsReplicas'>;
  builder: Pick<Builder, 'has'>;
  records: {
    instances: Pick<
      InstanceRecords,
      | 'begin'
      | 'noteTargets'
      | 'noteServing'
      | 'noteDown'
      | 'noteReplicas'
      | 'noteDraining'
      | 'isDrained'
      | 'hasTunnels'
      | 'remove'
    >;
    builds: Pick<BuildRecords, 'notePort'>;
  };
  /** Current row of an environment's site. */
  site: (environmentId: string) => Promise<SiteRow | undefined>;
  log: Logger;
  clock: Clock;
  /** Time limit for the first healthy answer of a site. */
  healthMs: number;
  /** Maximum time without any answer of a site, after which it counts as hung; 0: unlimited. */
  silentMs: number;
  /** Longest time that requests to a replaced instance may take. */
  drainMs: number;
  /** Delays before restarts of a site's instances, in place of the defaults. */
  restarts?: RestartTimes;
  /** Launch of the process in a slot; undefined if its application or its release is gone. */
  launchOf: (row: SiteRow, slot: Slot) => Promise<Launch | undefined>;
  /** Ensures that this machine has the artifact of a launch; a missing artifact is built again. */
  ensureArtifact: (launch: Launch, signal: AbortSignal, log: BuildLog) => Promise<Artifact>;
  askDatabase: AskDatabase;
  /** Limits how many sites start at once. */
  startQueue: FairQueue;
  /** Lock by environment: makes changes of one environment run one after the other. */
  withLock: ReturnType<typeof createKeyedLock>;
  /** Lease term: aborts once this server must no longer run the sites. */
  term: AbortSignal;
}

export interface EnvironmentSlotsParts extends SharedParts {
  environmentId: string;
  environmentLog: EnvironmentLog;
  /** True while only a deployment may start instances of the environment. */
  isPaused: () => boolean;
}

/** State of an environment's slot that is not free. */
type SlotState = { slot: EnvironmentSlot } & (
  | { kind: 'starting'; start: SlotStart }
  | { kind: 'serving'; instance: ServingInstance }
  /** The slot's former instance ends before the slot is started again. */
  | { kind: 'stopping' }
);

/** Slots of one environment: the instance that each slot runs, and what follows when the instance ends. */
export class EnvironmentSlots {
  readonly #parts: EnvironmentSlotsParts;
  readonly #startParts: SlotStartParts;
  readonly #drainer: Drainer;
  readonly #backOff: BackOff;
  /** Slots of the environment that are not free, by slot name. */
  readonly #slots = new Map<string, SlotState>();
  /** Starts of instances that are in progress, including cancelled ones. */
  readonly #starts = new Set<Promise<void>>();
  #isClosed = false;

  constructor(parts: EnvironmentSlotsParts) {
    this.#parts = parts;
    this.#backOff = new BackOff(parts.restarts);
    this.#drainer = new Drainer({ ...parts, isHurried: parts.isPaused });
    this.#startParts = {
      ...parts,
      backOff: this.#backOff,
      start: (launch, signal) => {
        const siteLog = () => parts.environmentLog.asBuildLog(launch);
        return startInstance(parts, launch, { signal, siteLog });
      },
      serve: (row, launch, started, signal) => this.#serveIfDesired(row, launch, started, signal),
    };
  }

  /** True if an instance in any slot of the environment serves or starts. */
  get isAnyTaken(): boolean {
    return [...this.#slots.values()].some(({ kind }) => kind !== 'stopping');
  }

  /** True if no instance of the environment runs, starts or ends. */
  get isIdle(): boolean {
    return this.#slots.size === 0 && this.#starts.size === 0 && this.#drainer.isIdle;
  }

  /** Actual state of the slots, for the comparison with the desired state. */
  get actual(): ActualSlot[] {
    return [...this.#slots.values()].map((one): ActualSlot => {
      if (one.kind === 'stopping') return { ...one.slot, state: 'stopping' };
      if (one.kind === 'starting') return { ...one.slot, state: 'starting', isGivenUp: one.start.isGivenUp };
      const { id: instanceId, launch } = one.instance;
      const { deploymentId, replicas } = launch;
      return { ...one.slot, state: 'serving', instanceId, deploymentId, replicas };
    });
  }

  get serving(): ServingInstance[] {
    return [...this.#slots.values()].flatMap((one) => (one.kind === 'serving' ? one.instance : []));
  }

  servingIn(slot: EnvironmentSlot): ServingInstance | undefined {
    const one = this.#slots.get(slotName(slot));
    return one?.kind === 'serving' ? one.instance : undefined;
  }

  /** Starts an instance in a free slot, in the background. `ended`: how the slot's former instance ended by itself. */
  start({ process, number }: EnvironmentSlot, ended?: Reason): void {
    if (this.#isClosed || this.#parts.isPaused()) return;
    const slot = { process, number };
    const start = new SlotStart(this.#startParts, { environmentId: this.#parts.environmentId, ...slot });
    const state: SlotState = { kind: 'starting', slot, start };
    this.#slots.set(slotName(slot), state);
    const done = start.run(ended).finally(() => {
      this.#free(state);
      this.#starts.delete(done);
    });
    this.#starts.add(done);
  }

  /** Puts an instance into service in its slot; the database already has it as serving. */
  serve(launch: Launch, started: RunningInstance): void {
    const { process, number } = launch;
    const slot = { process, number };
    const before = this.#slots.get(slotName(slot));
    const instance: ServingInstance = { ...started, launch, since: performance.now() };
    this.#slots.set(slotName(slot), { kind: 'serving', slot, instance });
    if (before?.kind === 'starting') before.start.giveUp();
    if (before?.kind === 'serving') {
      this.#reportReplaced(before.instance, launch);
      void this.#drainer.drain(before.instance);
    }
    void started.ended.then((how) => this.#restartAfterEnd(instance, how));
    void this.#watch(instance).catch((error) => {
      if (!this.#parts.term.aborted)
        this.#parts.log.error({ err: error }, 'a site is not looked at any more');
    });
  }

  /** Forgets failures of a slot, because a new release may start. */
  resetBackOff(slot: EnvironmentSlot): void {
    this.#backOff.reset(slot);
  }

  /** Takes an instance out of its slot and drains it. Callers need not wait: failures are logged. */
  drain(instance: ServingInstance): Promise<void> {
    this.#leave(instance);
    return this.#drainer.drain(instance);
  }

  /** Drains an instance that a deployment's new instance has replaced. */
  replace(instance: ServingInstance, by: Launch): void {
    if (!this.#isServing(instance)) return;
    this.#reportReplaced(instance, by);
    void this.drain(instance);
  }

  /** Drains an instance, and starts its slot again once it has ended. */
  restart(instance: ServingInstance): void {
    const drained = this.drain(instance).catch(() => {});
    void this.#startAfter(instance.launch, drained);
  }

  /** Drains an instance that is not desired any more, once the gateways know that they must not use it. */
  async stop(instance: ServingInstance): Promise<void> {
    const { records, log } = this.#parts;
    this.#leave(instance);
    if (acceptsRequests(instance)) {
      await records.instances
        .noteDraining(instance.id)
        .catch((error) => log.warn({ err: error }, 'a site that ends is still on record'));
    }
    await this.#drainer.drain(instance);
  }

  /** Gives up all starts of the environment's instances, and stops all instances that serve. */
  async stopAll(): Promise<void> {
    for (const one of this.#slots.values()) if (one.kind === 'starting') one.start.giveUp();
    const { serving } = this;
    if (serving.length === 0) return;
    this.#parts.environmentLog.write(messages.log.siteEnds);
    await Promise.all(serving.map((instance) => this.stop(instance)));
  }

  /** Gives up all slots at the end of the lease term, and returns the instances that served in them. */
  close(): ServingInstance[] {
    const { serving } = this;
    this.#isClosed = true;
    this.#slots.clear();
    return serving;
  }

  /**
   * Promises for all starts and stops of instances in progress, which the end of the lease term waits for. Slow
   * instances are told once more to stop, with a shorter grace period.
   */
  hurry(graceMs: number): Promise<void>[] {
    return [...this.#starts, ...this.#drainer.hurry(graceMs)];
  }

  /** Resolves once no start and no stop of an instance is in progress, whether they succeed or fail. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#starts);
    // A cancelled start may have left an instance that must be drained.
    await this.#drainer.settled();
  }

  /** Resolves once no instance of the environment is being stopped. */
  drained(): Promise<void> {
    return this.#drainer.settled();
  }

  /**
   * Runs `work`, which records started instances in the database, under the environment's lock. If it fails, the
   * instances end: no server would know them.
   */
  async inTurnWith(started: readonly RunningInstance[], work: () => Promise<void>): Promise<void> {
    try {
      await this.#parts.withLock(this.#parts.environmentId, work);
    } catch (error) {
      await Promise.all(started.map(({ id }) => endInstance(this.#parts, id, 0)));
      throw error;
    }
  }

  #serveIfDesired(
    row: SiteRow,
    launch: Launch,
    started: RunningInstance,
    signal: AbortSignal,
  ): Promise<void> {
    const { records, askDatabase, clock } = this.#parts;
    const noteServing = () => records.instances.noteServing(row, launch, started.id, clock());
    return this.inTurnWith([started], async () => {
      const isDesired = !signal.aborted && (await askDatabase(noteServing, signal));
      if (isDesired && !signal.aborted) this.serve(launch, started);
      else await endInstance(this.#parts, started.id, 0);
    });
  }

  /** Watches an instance for as long as it serves; one that hangs is ended and started again. */
  async #watch(instance: ServingInstance): Promise<void> {
    const { builder, silentMs, term: signal } = this.#parts;
    const { launch, replicas } = instance;
    const isServing = () => this.#isServing(instance);
    const [target] = instance.targets;
    const how = await (replicas
      ? new ReplicaWatch(this.#parts, instance, isServing).run(replicas)
      : target && untilUnresponsive({ launch, target, builder, silentMs, signal, isNeeded: isServing }));
    if (how) this.#restartAfterEnd(instance, how);
  }

  /** Starts the slot of an instance again after the instance ended by itself or hung. */
  #restartAfterEnd(instance: ServingInstance, how: Reason): void {
    const { instances, records, askDatabase, term } = this.#parts;
    const { id, launch } = instance;
    if (!this.#isServing(instance) || term.aborted) return;
    // The runtime keeps data of an instance until it is stopped, even after the instance has ended by itself.
    void this.#drainer.track(instances.stop(id, GRACE_MS));
    if (performance.now() - instance.since >= STEADY_MS) this.#backOff.reset(launch);
    this.#backOff.add(launch);
    const removed = askDatabase(() => records.instances.remove(id), term);
    void this.#startAfter(launch, removed, how);
  }

  /**
   * Keeps a slot taken until its former instance has stopped, then starts an instance in it unless a deployment has
   * taken it.
   */
  async #startAfter(
    { process, number }: EnvironmentSlot,
    stopped: Promise<void>,
    ended?: Reason,
  ): Promise<void> {
    const { term, log } = this.#parts;
    const slot = { process, number };
    const stopping: SlotState = { kind: 'stopping', slot };
    this.#slots.set(slotName(slot), stopping);
    try {
      await stopped;
      if (this.#free(stopping) && !term.aborted) this.start(slot, ended);
    } catch (error) {
      this.#free(stopping);
      if (!term.aborted) log.error({ err: error }, 'a site could not be restarted');
    }
  }

  #reportReplaced({ launch }: ServingInstance, by: Launch): void {
    this.#parts.environmentLog.write(
      `${linePrefix(launch)}${messages.log.siteReplaced(by.commit, by.source)}`,
    );
  }

  #isServing(instance: ServingInstance): boolean {
    return this.servingIn(instance.launch) === instance;
  }

  #leave(instance: ServingInstance): void {
    if (this.#isServing(instance)) this.#slots.delete(slotName(instance.launch));
  }

  /** Frees a slot if its state is still the given one. */
  #free(state: SlotState): boolean {
    const isStill = this.#slots.get(slotName(state.slot)) === state;
    if (isStill) this.#slots.delete(slotName(state.slot));
    return isStill;
  }
}
