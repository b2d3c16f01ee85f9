import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeVersions } from '../builds/node-versions.ts';
import type { Trash } from '../builds/trash.ts';
import { reason } from '../model/reasons/reason.ts';
import type { BuildName, EnvironmentKey, SiteFolders } from '../model/site-folders.ts';
import type { Command, Usage } from '../sandbox/command.ts';
import { uuidsIn } from '../sandbox/folders.ts';
import type { Wardens } from '../sandbox/limits.ts';
import { upperFolder } from '../sandbox/overlay.ts';
import { processesMarked, readProcesses, signalProcess } from '../sandbox/processes.ts';
import { diskLimit, type Sandbox, type SandboxTask } from '../sandbox/sandbox.ts';
import type { Capability } from './capabilities.ts';
import { createFolderLock } from './folder-lock.ts';
import { createReplayBuffer, type ReplayBuffer } from './replay-buffer.ts';
import {
  type CommandEnd,
  type Instance,
  type Order,
  onlyReplica,
  type RunOptions,
  type Runtime,
  refuseUnsupported,
  type StartOrder,
  type TaskOrder,
  type WrittenLines,
} from './runtime.ts';
import { createWatchdog } from './watchdog.ts';

const HOST = '127.0.0.1';
/** Time for processes of an earlier run of the server to vanish once they are killed. */
const RECOVERY_MS = 5_000;
/** Maximum size of unread output, in UTF-16 code units. Output is read at once, so little is ever unread. */
const MOST_KEPT = 2 ** 20;
const MOST_EVENTS = 1_000;
const NEVER = new AbortController().signal;

export interface ProcessParts {
  sandbox: Sandbox;
  folders: SiteFolders;
  nodes: NodeVersions;
  trash: Trash;
  wardens: Wardens;
}

interface RunningProcess {
  state: Instance;
  command: Command;
  written: ReplayBuffer<WrittenLines>;
  /**
   * Resolves once the process has ended, and the files that it wrote into its release's folder (in its overlay) are
   * being deleted.
   */
  gone: Promise<void>;
}

/**
 * Runtime that runs sites as child processes of this server, on ports of the loopback address. A data folder belongs to
 * one server.
 */
export class ProcessRuntime implements Runtime {
  readonly isolation: string;
  readonly capabilities: ReadonlySet<Capability>;
  readonly #parts: ProcessParts;
  readonly #lock: ReturnType<typeof createFolderLock>;
  readonly #watchdog: ReturnType<typeof createWatchdog>;
  /** Instances that are being started, run, or have ended and were not stopped yet. */
  readonly #instances = new Map<string, Promise<RunningProcess>>();
  readonly #changes = createReplayBuffer<Instance>(MOST_EVENTS);

  constructor(parts: ProcessParts) {
    const { base, repositories } = parts.folders;
    const { isolation } = parts.sandbox;
    this.#parts = parts;
    this.#lock = createFolderLock(base);
    this.#watchdog = createWatchdog([base, repositories]);
    this.isolation = isolation.description;
    this.capabilities = new Set<Capability>([
      ...(['folders', 'tasks', 'memory', 'threads', 'disk'] as const),
      ...(isolation.hasOverlays ? (['layers'] as const) : []),
      ...(isolation.endsDescendants ? (['network', 'volumes'] as const) : []),
    ]);
  }

  claim(): boolean {
    return this.#lock.take();
  }

  mayRunFor(ms: number): void {
    this.#watchdog.feed(ms);
  }

  /** Ends processes that a killed server has left: they can't be taken over. */
  async recover(): Promise<void> {
    const { folders, wardens, trash } = this.#parts;
    this.#lock.need();
    await wardens.groups?.sweep();
    for (const deadline = Date.now() + RECOVERY_MS; Date.now() < deadline; ) {
      const left = processesMarked(`${folders.base}/`, `${folders.repositories}/`);
      if (left.length === 0) break;
      const table = readProcesses();
      for (const { pid } of left.flatMap((root) => table.treeOf(root))) signalProcess(pid, 'SIGKILL');
      await sleep(20);
    }
    await trash.discard(folders.overlays, NEVER);
  }

  async list(): Promise<Instance[]> {
    const all = await Promise.allSettled(this.#instances.values());
    return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.state] : []));
  }

  async start(order: StartOrder, signal?: AbortSignal): Promise<Instance> {
    refuseUnsupported(this, order);
    signal?.throwIfAborted();
    const { instance } = order;
    const starting = this.#instances.get(instance) ?? this.#begin(order, signal);
    this.#instances.set(instance, starting);
    try {
      return (await starting).state;
    } catch (error) {
      this.#instances.delete(instance);
      throw error;
    }
  }

  async stop(instance: string, graceMs: number): Promise<void> {
    const running = await this.#running(instance);
    if (!running) return;
    await running.command.stop(graceMs);
    await running.gone;
    this.#instances.delete(instance);
  }

  events(signal: AbortSignal): AsyncIterable<Instance> {
    return this.#changes.fromNow(signal);
  }

  async *logs(
    instance: string,
    { since = Number.NEGATIVE_INFINITY, signal }: { since?: number | undefined; signal: AbortSignal },
  ): AsyncGenerator<WrittenLines> {
    const running = await this.#running(instance);
    if (!running) return;
    for await (const one of running.written.fromStart(signal)) if (one.at > since) yield one;
  }

  async listening(instance: string): Promise<readonly number[] | undefined> {
    return (await this.#running(instance))?.command.listeningPorts();
  }

  async usage(instance: string): Promise<Usage | undefined> {
    const running = await this.#running(instance);
    return running?.state.ended ? undefined : running?.command.usage();
  }

  async run(order: TaskOrder, { output, signal }: RunOptions): Promise<CommandEnd> {
    refuseUnsupported(this, order);
    const { seconds } = order;
    const lateReason = reason('too_slow', { seconds });
    try {
      const task = { ...(await this.#taskOf(order, signal)), output };
      return await this.#parts.sandbox.run(task, { mostMs: seconds * 1_000, lateReason, signal });
    } finally {
      await this.#dropOverlay(order.instance);
    }
  }

  async retainedEnvironments(): Promise<EnvironmentKey[]> {
    const { folders } = this.#parts;
    const applications = await uuidsIn(folders.base);
    const retained = applications.map(async (applicationId) => {
      const environments = await uuidsIn(folders.environments(applicationId));
      return environments.map((environmentId) => ({ applicationId, environmentId }));
    });
    return (await Promise.all(retained)).flat();
  }

  async forget(environment: EnvironmentKey, signal: AbortSignal): Promise<void> {
    const { folders, trash } = this.#parts;
    await trash.discard(folders.environment(environment), signal);
  }

  async close(): Promise<void> {
    this.#changes.end();
    const all = await Promise.allSettled(this.#instances.values());
    await Promise.all(
      all.map((one) => one.status === 'fulfilled' && one.value.state.ended && one.value.gone),
    );
    await this.#parts.trash.close();
    this.#watchdog.close();
    this.#lock.release();
  }

  /** Finds the process of an instance; undefined if there is none, or its start failed. */
  async #running(instance: string): Promise<RunningProcess | undefined> {
    return this.#instances.get(instance)?.catch(() => undefined);
  }

  async #begin(order: StartOrder, signal?: AbortSignal): Promise<RunningProcess> {
    const { instance, listens } = order;
    const written = createReplayBuffer<WrittenLines>(MOST_KEPT, ({ lines }) =>
      lines.reduce((sum, line) => sum + line.length + 1, 0),
    );
    try {
      const command = await this.#parts.sandbox.start({
        ...(await this.#taskOf(order, signal)),
        network: { listens, listensAt: order.port },
        output: (lines) => written.put({ at: Date.now(), lines }),
      });
      return this.#attend(order, command, written);
    } catch (error) {
      await this.#dropOverlay(instance);
      throw error;
    }
  }

  /** Returns the record of an instance's process that was just started, and updates it until the process has ended. */
  #attend(order: StartOrder, command: Command, written: ReplayBuffer<WrittenLines>): RunningProcess {
    const { instance, labels } = order;
    const { port } = command;
    const origin = port === undefined ? undefined : `http://${HOST}:${port}`;
    const running: RunningProcess = {
      gone: command.ended.then(({ how }) => {
        running.state = { instance, labels, replicas: [], ended: how };
        written.end();
        this.#changes.put(running.state);
        return this.#dropOverlay(instance);
      }),
      state: {
        instance,
        labels,
        replicas: [onlyReplica(instance, labels, origin)],
        ...(port !== undefined && { port: this.#parts.sandbox.isolation.portInside(port, order.port) }),
      },
      command,
      written,
    };
    return running;
  }

  /** Describes a task for the sandbox: what its command sees of this machine, and its limits. */
  async #taskOf(order: Order, signal?: AbortSignal): Promise<Omit<SandboxTask, 'output'>> {
    const { sandbox, folders, nodes } = this.#parts;
    const { labels, artifact, command, variables, limits } = order;
    const mounts = await this.#mountsOf(order, signal);
    const home = await sandbox.ownFolder(folders.home(labels), signal);
    const folder = folders.source(labels satisfies BuildName);
    // The files of an old build may belong to another account, under which the server ran sites before.
    await sandbox.changeOwner(folder, signal);
    const { below = '', node } = artifact.kind === 'folder' ? artifact : {};
    const layer = await sandbox.makeLayer(folders.overlay(order.instance));
    return {
      confined: {
        command,
        folder,
        below,
        writable: false,
        layer,
        home,
        variables,
        mounts,
        tools: nodes.toolsOf(node),
      },
      limits,
      diskLimits: [
        diskLimit(home, 'home_exceeds', limits.diskMb),
        ...(layer === undefined ? [] : [diskLimit(upperFolder(layer), 'layer_exceeds', limits.diskMb)]),
        ...mounts.map((one) => diskLimit(one.folder, 'volume_exceeds', limits.diskMb)),
      ],
    };
  }

  #mountsOf({ labels, mounts }: Order, signal?: AbortSignal) {
    const { sandbox, folders } = this.#parts;
    return Promise.all(
      mounts
        .filter(({ at }) => at !== 'home')
        .map(async ({ volume, at }) => {
          const folder = folders.volume(labels, volume);
          return { folder: await sandbox.ownFolder(folder, signal), at };
        }),
    );
  }

  #dropOverlay(instance: string): Promise<void> {
    const { folders, trash } = this.#parts;
    return trash.discard(folders.overlay(instance), NEVER);
  }
}
