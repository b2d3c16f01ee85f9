import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeVersions } from '../builds/node-versions.ts';
import type { Trash } from '../builds/trash.ts';
import { reason } from '../model/reasons/reason.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import type { Command } from '../sandbox/command.ts';
import { uuidsIn } from '../sandbox/folders.ts';
import type { Wardens } from '../sandbox/limits.ts';
import { upperFolder } from '../sandbox/overlay.ts';
import { processesMarked, readProcesses, signalProcess } from '../sandbox/processes.ts';
import { diskLimit, type Sandbox, type SandboxTask } from '../sandbox/sandbox.ts';
import type { Capability } from './capabilities.ts';
import { createFolderLock } from './folder-lock.ts';
import { createReplayBuffer, type ReplayBuffer } from './replay-buffer.ts';
import {
  type Instance,
  type Order,
  onlyReplica,
  type Runtime,
  refuseUnsupported,
  type StartOrder,
  type WrittenLines,
} from './runtime.ts';
import { createWatchdog } from './watchdog.ts';

const HOST = '127.0.0.1';
/** How long what an earlier life left over may take to vanish once it is killed. */
const RECOVERY_MS = 5_000;
/** Of what an instance wrote, in UTF-16 units: we read along, so it is a moment's. */
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

interface Running {
  state: Instance;
  command: Command;
  written: ReplayBuffer<WrittenLines>;
  /** Resolves once it has ended, and what it wrote into its own folder is on its way out. */
  gone: Promise<void>;
}

/** Sites as child processes of this server, on ports of the loopback address. One server a data folder. */
export function createProcessRuntime({ sandbox, folders, nodes, trash, wardens }: ProcessParts): Runtime {
  const { base, repositories } = folders;
  const instances = new Map<string, Promise<Running>>();
  const changes = createReplayBuffer<Instance>(MOST_EVENTS);
  const claim = createFolderLock(base);
  const watchdog = createWatchdog([base, repositories]);

  const capabilities = new Set<Capability>(['folders', 'tasks', 'memory', 'threads', 'disk']);
  if (sandbox.isolation.hasOverlays) capabilities.add('layers');
  if (sandbox.isolation.endsDescendants) capabilities.add('network').add('volumes');

  /** What of an order is a command's in the sandbox. */
  const taskOf = async (order: Order, signal?: AbortSignal): Promise<Omit<SandboxTask, 'output'>> => {
    const { labels, artifact, command, variables, limits } = order;
    const mounts = await mountsOf(order, signal);
    const home = await sandbox.ownFolder(folders.home(labels), signal);
    const folder = folders.source(labels satisfies BuildName);
    // Of a build from before the server had another account for it.
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
  };

  const dropLayer = (instance: string) => trash.discard(folders.overlay(instance), NEVER);

  const mountsOf = ({ labels, mounts }: Order, signal?: AbortSignal) =>
    Promise.all(
      mounts
        .filter(({ at }) => at !== 'home')
        .map(async ({ volume, at }) => {
          const folder = folders.volume(labels, volume);
          return { folder: await sandbox.ownFolder(folder, signal), at };
        }),
    );

  const begin = async (order: StartOrder, signal?: AbortSignal): Promise<Running> => {
    const { instance, labels, listens } = order;
    const written = createReplayBuffer<WrittenLines>(MOST_KEPT, ({ lines }) =>
      lines.reduce((sum, line) => sum + line.length + 1, 0),
    );
    try {
      const command = await sandbox.start({
        ...(await taskOf(order, signal)),
        network: { listens, listensAt: order.port },
        output: (lines) => written.put({ at: Date.now(), lines }),
      });
      const { port } = command;
      const running: Running = {
        gone: command.ended.then(({ how }) => {
          running.state = { instance, labels, replicas: [], ended: how };
          written.end();
          changes.put(running.state);
          return dropLayer(instance);
        }),
        state: {
          instance,
          labels,
          replicas: [
            onlyReplica(instance, labels, port === undefined ? undefined : `http://${HOST}:${port}`),
          ],
          ...(port !== undefined && { port: sandbox.isolation.portInside(port, order.port) }),
        },
        command,
        written,
      };
      return running;
    } catch (error) {
      await dropLayer(instance);
      throw error;
    }
  };

  const runtime: Runtime = {
    isolation: sandbox.isolation.description,
    capabilities,

    claim: claim.take,
    mayRunFor: watchdog.feed,

    // Child processes end with their server; what a kill of it left can't be taken over.
    async recover() {
      claim.need();
      await wardens.groups?.sweep();
      for (const deadline = Date.now() + RECOVERY_MS; Date.now() < deadline; ) {
        const left = processesMarked(`${base}/`, `${repositories}/`);
        if (left.length === 0) break;
        const table = readProcesses();
        for (const { pid } of left.flatMap((root) => table.treeOf(root))) signalProcess(pid, 'SIGKILL');
        await sleep(20);
      }
      await trash.discard(folders.overlays, NEVER);
    },

    async list() {
      const all = await Promise.allSettled(instances.values());
      return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.state] : []));
    },

    async start(order, signal) {
      refuseUnsupported(runtime, order);
      signal?.throwIfAborted();
      const { instance } = order;
      const starting = instances.get(instance) ?? begin(order, signal);
      instances.set(instance, starting);
      try {
        return (await starting).state;
      } catch (error) {
        instances.delete(instance);
        throw error;
      }
    },

    async stop(instance, graceMs) {
      const running = await instances.get(instance)?.catch(() => undefined);
      if (!running) return;
      await running.command.stop(graceMs);
      await running.gone;
      instances.delete(instance);
    },

    events: (signal) => changes.fromNow(signal),

    async *logs(instance, { since = Number.NEGATIVE_INFINITY, signal }) {
      const running = await instances.get(instance)?.catch(() => undefined);
      if (!running) return;
      for await (const one of running.written.fromStart(signal)) if (one.at > since) yield one;
    },

    async listening(instance) {
      return (await instances.get(instance)?.catch(() => undefined))?.command.listeningPorts();
    },

    async run(order, { output, signal }) {
      refuseUnsupported(runtime, order);
      const { seconds } = order;
      const late = reason('too_slow', { seconds });
      try {
        return await sandbox.run(
          { ...(await taskOf(order, signal)), output },
          { mostMs: seconds * 1_000, lateReason: late, signal },
        );
      } finally {
        await dropLayer(order.instance);
      }
    },

    async retainedEnvironments() {
      const applications = await uuidsIn(base);
      const kept = applications.map(async (applicationId) => {
        const environments = await uuidsIn(folders.environments(applicationId));
        return environments.map((environmentId) => ({ applicationId, environmentId }));
      });
      return (await Promise.all(kept)).flat();
    },

    forget: (environment, signal) => trash.discard(folders.environment(environment), signal),

    async close() {
      changes.end();
      const all = await Promise.allSettled(instances.values());
      await Promise.all(
        all.map((one) => one.status === 'fulfilled' && one.value.state.ended && one.value.gone),
      );
      await trash.close();
      watchdog.close();
      claim.release();
    },
  };
  return runtime;
}
