import type { BuildLog } from '../../builds/builder.ts';
import { messages } from '../../deployments/messages.ts';
import type { TableSync } from '../../gateway/table-sync.ts';
import type { Launch } from '../../model/launch.ts';
import { endInstance } from './drainer.ts';
import { EnvironmentLog, type EnvironmentLogParts, linePrefix } from './environment-log.ts';
import { EnvironmentSlots, type SharedParts } from './environment-slots.ts';
import { startInstances } from './instance-starter.ts';
import { type Action, reconcileEnvironment } from './reconcile.ts';
import {
  acceptsRequests,
  filesInstance,
  hostOf,
  type RunningInstance,
  type ServingInstance,
} from './running-instance.ts';

/** Dependencies that the supervisors of all environments share. */
export interface SupervisorParts extends SharedParts {
  logs: EnvironmentLogParts['logs'];
  switchTo: TableSync['switchTo'];
}

/** Instances that a deployment has started, with the launch of each. */
export interface StartedInstances {
  launches: readonly Launch[];
  started: readonly RunningInstance[];
}

/**
 * Runs the instances of one environment while this server holds the lease: each is started, becomes healthy, serves, is
 * drained and stopped. Where requests go is recorded in the database alone, which every gateway reads.
 */
export class EnvironmentSupervisor {
  readonly #environmentId: string;
  readonly #parts: SupervisorParts;
  readonly #log: EnvironmentLog;
  readonly #slots: EnvironmentSlots;
  /** State of the supervisor. `paused`: only a deployment starts instances. `closed`: the lease term has ended. */
  #state: 'active' | 'paused' | 'closed' = 'active';

  constructor(environmentId: string, parts: SupervisorParts) {
    const { logs, clock } = parts;
    this.#environmentId = environmentId;
    this.#parts = parts;
    this.#log = new EnvironmentLog({ environmentId, logs, clock });
    this.#slots = new EnvironmentSlots({
      ...parts,
      environmentId,
      environmentLog: this.#log,
      isPaused: () => this.#state === 'paused',
    });
  }

  /** True if an instance of the environment serves or starts. */
  get isRunning(): boolean {
    return this.#slots.isAnyTaken;
  }

  /** True if an instance of the environment takes requests. */
  get isServing(): boolean {
    return this.#slots.serving.some(acceptsRequests);
  }

  /** True if the supervisor has no instance of the environment any more. */
  get isIdle(): boolean {
    return this.#state === 'active' && this.#slots.isIdle;
  }

  /** Starts the environment's missing instances, and stops those that are not desired any more. */
  follow(): Promise<void> {
    return this.#inTurn(async () => {
      const row = await this.#parts.site(this.#environmentId);
      const actual = { isPaused: this.#state === 'paused', slots: this.#slots.actual };
      const actions = reconcileEnvironment(row, actual, this.#parts.instances.groupsReplicas);
      for (const action of actions) this.#carryOut(action);
    });
  }

  /**
   * Ends all instances of the environment that run or start, so that the next version does not run beside them;
   * requests wait meanwhile. Only the deployment starts instances until `resume`.
   */
  async pause(): Promise<void> {
    this.#state = 'paused';
    try {
      await this.#inTurn(() => this.#slots.stopAll());
      await this.#slots.settled();
    } catch (error) {
      await this.resume();
      throw error;
    }
  }

  /** Resumes the supervision after a pause, with the site's current desired state in the database. */
  async resume(): Promise<void> {
    if (this.#state === 'paused') this.#state = 'active';
    await this.follow().catch((error) => {
      // If reading the site's desired state fails now, the periodic check of all environments tries again.
      if (!this.#parts.term.aborted) this.#parts.log.warn({ err: error }, 'a site could not be looked at');
    });
  }

  /** Starts all launches of a deployment, or none. The new instances don't serve yet. */
  startAll(
    launches: readonly Launch[],
    signal: AbortSignal,
    deploymentLog: BuildLog,
  ): Promise<RunningInstance[]> {
    const siteLog = (launch: Launch) => this.#log.asBuildLog(launch);
    return startInstances(this.#parts, launches, { signal, deploymentLog, siteLog });
  }

  /**
   * Puts the instances of a deployment into service, and drains those that took requests before. `write` makes the
   * deployment current in the database, and is repeated if the database's answer was lost. If `write` fails, the new
   * instances end and the former ones stay.
   */
  promote(site: Launch, { launches, started }: StartedInstances, write: () => Promise<void>): Promise<void> {
    const { term, switchTo, askDatabase } = this.#parts;
    return this.#slots.inTurnWith(started, async () => {
      term.throwIfAborted();
      const targets = started.flatMap((one) => one.targets);
      const { sticky, preview } = site;
      const serving = { host: hostOf(site), targets, sticky, isPreview: preview !== null };
      await switchTo(this.#environmentId, serving, () => askDatabase(write, term));
      const former = this.#slots.serving.filter(acceptsRequests);
      for (const launch of launches) this.#slots.resetBackOff(launch);
      for (const [index, one] of started.entries()) this.#slots.serve(launches[index] ?? site, one);
      for (const one of former) this.#slots.replace(one, site);
    });
  }

  /** Continues with an instance that an earlier run of a server left serving. */
  adopt(launch: Launch, instance: RunningInstance): void {
    const { instances, term, log } = this.#parts;
    this.#slots.serve(launch, instance);
    // The requested number of replicas may have changed since the earlier run of a server.
    instances.scale(instance.id, launch.replicas).catch((error) => {
      if (!term.aborted) log.warn({ err: error }, 'how many of a process run could not be changed');
    });
  }

  /** Continues to serve static files that an earlier run of a server served. */
  adoptFiles(id: string, launch: Launch): void {
    this.#slots.serve(launch, filesInstance(id, launch));
  }

  /** Ends all instances of a deleted application's environment; resolves when none runs any more. */
  remove(): Promise<void> {
    return this.#inTurn(() => this.#slots.stopAll());
  }

  /** Gives up all slots at the end of the lease term, and returns the instances that served. */
  close(): ServingInstance[] {
    this.#state = 'closed';
    return this.#slots.close();
  }

  /**
   * Ends instances of the environment that `close` left running. Returns a promise for each of them, and for each other
   * start or stop of an instance that is in progress.
   */
  endAll(instances: readonly ServingInstance[], graceMs: number): Promise<void>[] {
    for (const { launch, targets } of instances) {
      if (targets[0]?.kind !== 'files') this.#log.write(`${linePrefix(launch)}${messages.log.siteLeaves}`);
    }
    const ending = instances.map(({ id }) => endInstance(this.#parts, id, graceMs));
    return [...ending, ...this.#slots.hurry(graceMs)];
  }

  /** Resolves once no instance of the environment is being stopped. */
  drained(): Promise<void> {
    return this.#slots.drained();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    return this.#parts.withLock(this.#environmentId, work);
  }

  #carryOut(action: Action): void {
    if (action.kind === 'stop-site') {
      void this.#slots.stopAll().catch(() => {});
      return;
    }
    if (action.kind === 'start') {
      this.#slots.start(action.slot);
      return;
    }
    const instance = this.#slots.servingIn(action.slot);
    if (!instance) return;
    if (action.kind === 'scale') void this.#scale(instance, action);
    else if (action.kind === 'drain') void this.#slots.drain(instance);
    else if (action.kind === 'stop') {
      this.#log.write(`${linePrefix(instance.launch)}${messages.log.processEnds}`);
      void this.#slots.stop(instance).catch(() => {});
    } else if (action.order === 'stop-first') this.#slots.restart(instance);
    else {
      void this.#slots.drain(instance);
      this.#slots.start(action.slot);
    }
  }

  /** Changes the number of replicas. Superfluous replicas end once the gateways know that they must not use them. */
  async #scale(
    { id, launch }: ServingInstance,
    { replicas, isOneOfSeveral }: Action & { kind: 'scale' },
  ): Promise<void> {
    const { instances, term, log } = this.#parts;
    const before = launch.replicas;
    Object.assign(launch, { replicas, isOneOfSeveral });
    try {
      await instances.scale(id, replicas);
    } catch (error) {
      if (term.aborted) return;
      launch.replicas = before;
      log.warn({ err: error }, 'how many of a process run could not be changed; trying again');
    }
  }
}
