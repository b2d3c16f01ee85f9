import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Reason, reason } from '../../server/hosting/model/reasons/reason.ts';
import type { EnvironmentKey } from '../../server/hosting/model/site-folders.ts';
import type { Capability } from '../../server/hosting/runtimes/capabilities.ts';
import { createReplayBuffer } from '../../server/hosting/runtimes/replay-buffer.ts';
import {
  type CommandEnd,
  type Instance,
  type Order,
  onlyReplica,
  type Replica,
  type RunOptions,
  type Runtime,
  refuseUnsupported,
  type StartOrder,
  type TaskOrder,
  type WrittenLines,
} from '../../server/hosting/runtimes/runtime.ts';
import { type Behaviour, behaviourIn } from './behaviour.ts';
import { freePort } from './postgres.ts';

export interface InMemoryRuntimeOptions {
  /** Capabilities of the in-memory runtime; absent: those of containers on one machine. */
  capabilities?: readonly Capability[];
  /** Behaviour of each process; absent: the behaviour that its variables describe (`behaviourVariables`). */
  behaviourOf?: (order: Order) => Behaviour;
  /** Milliseconds after which an ended replica runs again, if the runtime has the capability `replicas`. */
  restartAfterMs?: number;
}

const CAPABILITIES = ['folders', 'images', 'volumes', 'layers', 'tasks', 'network', 'outliving'] as const;
const RESTART_MS = 20;
const MOST_EVENTS = 10_000;
const MOST_LINES = 10_000;

/**
 * Runtime without real processes, for tests of the code that uses runtimes. Its processes are plain data that follow a
 * script (`Behaviour`): they write lines, respond to HTTP requests on a real loopback port, and end. It uses the global
 * timers, so tests may replace them. Tests can also end a process, write lines as a process, and make all calls fail.
 */
export class InMemoryRuntime implements Runtime {
  readonly isolation = 'sites are data in memory';
  readonly capabilities: ReadonlySet<Capability>;
  readonly cluster?: string;
  /** Calls to the runtime that changed something, in order, such as `start 0190…` and `scale 0190… 2`. */
  readonly calls: string[] = [];
  /** Error with which all calls of the runtime fail while it is set, as if an engine could not be reached. */
  failure: Error | undefined;
  readonly #behaviourOf: (order: Order) => Behaviour;
  readonly #restartAfterMs: number;
  readonly #processes = new Map<string, Promise<InMemoryInstance>>();
  readonly #environments = new Map<string, EnvironmentKey>();
  readonly #changes = createReplayBuffer<Instance>(MOST_EVENTS);

  constructor({ capabilities = CAPABILITIES, behaviourOf, restartAfterMs }: InMemoryRuntimeOptions = {}) {
    this.capabilities = new Set(capabilities);
    if (this.capabilities.has('machines')) this.cluster = 'in-memory';
    this.#behaviourOf = behaviourOf ?? (({ variables }) => behaviourIn(variables));
    this.#restartAfterMs = restartAfterMs ?? RESTART_MS;
  }

  claim(): boolean {
    return true;
  }

  async identity(): Promise<string> {
    return 'in-memory';
  }

  async recover(): Promise<void> {
    this.#throwFailure();
  }

  async list(): Promise<Instance[]> {
    this.#throwFailure();
    const all = await Promise.allSettled(this.#processes.values());
    return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.state()] : []));
  }

  async start(order: StartOrder, signal?: AbortSignal): Promise<Instance> {
    this.#throwFailure();
    signal?.throwIfAborted();
    refuseUnsupported(this, order);
    const { instance } = order;
    if (!this.#processes.has(instance)) {
      this.calls.push(`start ${instance}`);
      this.#retain(order);
      const starting = this.#begin(order);
      this.#processes.set(instance, starting);
      starting.catch(() => this.#processes.delete(instance));
    }
    return (await this.#processes.get(instance))?.state() as Instance;
  }

  async stop(instance: string, graceMs: number): Promise<void> {
    this.#throwFailure();
    const process = await this.#processes.get(instance);
    if (!process) return;
    this.calls.push(`stop ${instance}`);
    await process.stop(graceMs);
    this.#processes.delete(instance);
  }

  async scale(instance: string, replicas: number): Promise<void> {
    this.#throwFailure();
    this.calls.push(`scale ${instance} ${replicas}`);
    await (await this.#processes.get(instance))?.scale(replicas);
  }

  events(signal: AbortSignal): AsyncIterable<Instance> {
    return this.#changes.fromNow(signal);
  }

  async *logs(
    instance: string,
    { since = Number.NEGATIVE_INFINITY, signal }: { since?: number | undefined; signal: AbortSignal },
  ): AsyncGenerator<WrittenLines> {
    this.#throwFailure();
    const process = await this.#processes.get(instance);
    if (!process) return;
    for await (const written of process.written.fromStart(signal)) if (written.at > since) yield written;
  }

  async listening(instance: string): Promise<readonly number[] | undefined> {
    return (await this.#processes.get(instance))?.listening();
  }

  async run(order: TaskOrder, { output, signal }: RunOptions): Promise<CommandEnd> {
    this.#throwFailure();
    refuseUnsupported(this, order);
    this.#retain(order);
    this.calls.push(`run ${order.instance}`);
    const { lines = [], exit, exitAfterMs = 0 } = this.#behaviourOf(order);
    const limitMs = order.seconds * 1_000;
    const isLate = exit === undefined || exitAfterMs > limitMs;
    if (lines.length > 0) output(lines);
    await sleep(isLate ? limitMs : exitAfterMs, undefined, { signal });
    if (isLate) return { succeeded: false, how: reason('too_slow', { seconds: order.seconds }) };
    return { succeeded: exit === 0, how: reason('exited', { code: exit }) };
  }

  async retainedEnvironments(): Promise<EnvironmentKey[]> {
    this.#throwFailure();
    return [...this.#environments.values()];
  }

  async forget({ environmentId }: EnvironmentKey): Promise<void> {
    this.#throwFailure();
    this.#environments.delete(environmentId);
  }

  /** Ends all processes, unless the runtime has the capability that processes outlive a server. */
  async close(): Promise<void> {
    if (!this.capabilities.has('outliving')) await this[Symbol.asyncDispose]();
  }

  /** Ends a process as if it had ended by itself. One of several replicas is started again. */
  async end(instance: string, how: Reason, number = 1): Promise<void> {
    (await this.#processes.get(instance))?.end(number, how);
  }

  /** Adds lines to the output of a process, as if its script had written them. */
  async write(instance: string, lines: readonly string[], number = 1): Promise<void> {
    (await this.#processes.get(instance))?.write(number, lines);
  }

  /** Ends all processes of the in-memory runtime and closes their ports. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#changes.end();
    for (const process of this.#processes.values()) await (await process).stop(0);
    this.#processes.clear();
  }

  async #begin(order: StartOrder): Promise<InMemoryInstance> {
    const restartAfterMs = this.capabilities.has('replicas') ? this.#restartAfterMs : undefined;
    const changed = (state: Instance) => this.#changes.put(state);
    const instance = new InMemoryInstance({
      order,
      behaviour: this.#behaviourOf(order),
      restartAfterMs,
      changed,
    });
    await instance.scale(order.replicas);
    return instance;
  }

  #retain({ labels: { applicationId, environmentId } }: Order): void {
    this.#environments.set(environmentId, { applicationId, environmentId });
  }

  #throwFailure(): void {
    if (this.failure) throw this.failure;
  }
}

interface InMemoryInstanceOptions {
  order: StartOrder;
  behaviour: Behaviour;
  /** Milliseconds after which an ended replica runs again; undefined: it stays ended. */
  restartAfterMs: number | undefined;
  changed: (state: Instance) => void;
}

interface RunningReplica {
  state: Replica;
  server: Server | undefined;
  timers: NodeJS.Timeout[];
}

/** Instance of the in-memory runtime, with its replicas and all the lines that they have written. */
class InMemoryInstance {
  readonly written = createReplayBuffer<WrittenLines>(MOST_LINES);
  readonly #options: InMemoryInstanceOptions;
  readonly #replicas = new Map<number, RunningReplica>();
  #ended: Reason | undefined;
  #isStopped = false;
  #starts = 0;
  #lastWrite = 0;

  constructor(options: InMemoryInstanceOptions) {
    this.#options = options;
  }

  state(): Instance {
    const { instance, labels, listens, port } = this.#options.order;
    const replicas = this.#ended ? [] : [...this.#replicas.values()].map(({ state }) => state);
    const [origin] = replicas.flatMap((one) => one.origin ?? []);
    const toldPort = listens ? (port ?? (origin && Number(new URL(origin).port))) : undefined;
    return {
      instance,
      labels,
      replicas,
      ...(toldPort && { port: toldPort }),
      ...(this.#ended && { ended: this.#ended }),
    };
  }

  async scale(count: number): Promise<void> {
    const isFirst = this.#starts === 0;
    for (const number of this.#replicas.keys()) if (number > count) this.#discard(number);
    for (let number = 1; number <= count; number += 1)
      if (!this.#replicas.has(number)) await this.#run(number);
    if (!isFirst) this.#options.changed(this.state());
  }

  listening(): number[] {
    return [...this.#replicas.values()].flatMap(({ server }) =>
      server?.listening ? [(server.address() as AddressInfo).port] : [],
    );
  }

  /**
   * Stores lines that a replica has written. Each call gets a different time, so that readers of the lines can continue
   * after a time without missing any.
   */
  write(number: number, lines: readonly string[]): void {
    this.#lastWrite = Math.max(Date.now(), this.#lastWrite + 1);
    const isOneOfSeveral = this.#options.restartAfterMs !== undefined;
    if (lines.length > 0) this.written.put({ at: this.#lastWrite, ...(isOneOfSeveral && { number }), lines });
  }

  end(number: number, how: Reason): void {
    const { restartAfterMs, changed } = this.#options;
    const replica = this.#replicas.get(number);
    if (!replica || this.#ended) return;
    this.#release(replica);
    if (restartAfterMs === undefined) {
      this.#ended = how;
      this.written.end();
    } else {
      const { origin: _, ...state } = replica.state;
      replica.state = { ...state, down: how };
      replica.timers.push(setTimeout(() => void this.#run(number), restartAfterMs));
    }
    changed(this.state());
  }

  async stop(graceMs: number): Promise<void> {
    const { lastLines = [], ignoresStop = false } = this.#options.behaviour;
    if (graceMs > 0 && !this.#ended) {
      for (const number of this.#replicas.keys()) this.write(number, lastLines);
      if (ignoresStop) await sleep(graceMs);
    }
    this.#isStopped = true;
    for (const number of this.#replicas.keys()) this.#discard(number);
    this.written.end();
  }

  async #run(number: number): Promise<void> {
    const { order, behaviour, changed } = this.#options;
    const { answer, readyAfterMs = 0, exit, exitAfterMs = 0, lines = [] } = behaviour;
    const port = order.listens ? await freePort() : undefined;
    // A test may stop the instance while the runtime looks for a free port for it.
    if (this.#isStopped) return;
    this.#starts += 1;
    const isAgain = this.#replicas.has(number);
    const replica: RunningReplica = {
      state: this.#stateOf(number, port === undefined ? undefined : `http://127.0.0.1:${port}`),
      server: answer === undefined ? undefined : createServer((_, response) => response.end(answer)),
      timers: [],
    };
    this.#replicas.set(number, replica);
    this.write(number, lines);
    const { server, timers } = replica;
    if (server && port !== undefined) {
      const listen = () => server.listen(port, '127.0.0.1');
      if (readyAfterMs > 0) timers.push(setTimeout(listen, readyAfterMs));
      else await once(listen(), 'listening');
    }
    if (exit !== undefined)
      timers.push(setTimeout(() => this.end(number, reason('exited', { code: exit })), exitAfterMs));
    if (isAgain) changed(this.state());
  }

  #stateOf(number: number, origin: string | undefined): Replica {
    const { order, restartAfterMs } = this.#options;
    if (restartAfterMs === undefined) return onlyReplica(order.instance, order.labels, origin);
    return { number, name: `${order.instance}.${this.#starts}`, ...(origin !== undefined && { origin }) };
  }

  #release({ server, timers }: RunningReplica): void {
    for (const timer of timers) clearTimeout(timer);
    server?.closeAllConnections();
    if (server?.listening) server.close();
  }

  #discard(number: number): void {
    const replica = this.#replicas.get(number);
    if (replica) this.#release(replica);
    this.#replicas.delete(number);
  }
}
