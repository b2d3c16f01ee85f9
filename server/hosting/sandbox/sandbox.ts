import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { ProcessLimits } from './cgroup-hierarchy.ts';
import { type Command, type End, startCommand } from './command.ts';
import type { Confined, Isolation, IsolationSettings } from './confined.ts';
import { chownTree } from './disk.ts';
import { chooseIsolation } from './isolation.ts';
import { type DiskExcess, type Wardens, watchDeletedFiles, watchDisk } from './limits.ts';
import type { Output } from './lines.ts';
import type { NetworkRequest, PooledNetwork } from './network-maker.ts';
import { NetworkPool } from './network-pool.ts';
import { withHeapLimit } from './node-heap.ts';
import { makeOverlay } from './overlay.ts';
import { RunningCommands } from './running-commands.ts';

export interface Limits extends ProcessLimits {
  /** Maximum size of a file that the command writes, in MiB; `diskLimits` limits whole folders. */
  diskMb: number;
}

/** Untrusted command to run, with its limits. */
export interface SandboxTask {
  confined: Omit<Confined, 'mostFileBytes' | 'mostThreads' | 'joins' | 'groups' | 'port' | 'innerPort'>;
  /**
   * Network of the command: which addresses it may reach, and whether it listens. Default: all addresses that are open
   * to sites, and no listening.
   */
  network?: 'none' | NetworkRequest;
  limits: Limits;
  diskLimits: readonly DiskLimit[];
  output: Output;
}

/**
 * Disk limit: folders that a command may fill, the limit of all together in MiB, and the reason when they exceed it.
 */
export interface DiskLimit {
  folders: readonly string[];
  mebibytes: number;
  reasonOf: (excess: DiskExcess) => Reason;
}

/** Disk limit for one folder; `exceeds` is the reason that names the folder's purpose. */
export function diskLimit(
  folder: string,
  exceeds: 'release_exceeds' | 'home_exceeds' | 'layer_exceeds' | 'volume_exceeds',
  mebibytes: number,
): DiskLimit {
  return { folders: [folder], mebibytes, reasonOf: ({ how }) => reason(exceeds, { how }) };
}

/** Time limit of a command. */
export interface RunLimits {
  mostMs: number;
  /** Reason for ending a command that exceeds the time limit. */
  lateReason: Reason;
  signal: AbortSignal;
}

const MEBIBYTE = 2 ** 20;
/** Number of threads by which a command may exceed its limit until the warden's next check ends it. */
const EXTRA_THREADS = 100;

/**
 * Opens the sandbox with the strongest isolation that works on this machine. `folder` is a private folder of the
 * server. Throws a ConfigError if the settings require a sandbox that does not work.
 */
export async function openSandbox(
  settings: IsolationSettings,
  folder: string,
  wardens: Wardens,
): Promise<Sandbox> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const isolation = await chooseIsolation(settings, folder, wardens.groups !== undefined);
  return new Sandbox({ isolation, wardens, home: join(folder, 'grounds') });
}

interface SandboxParts {
  isolation: Isolation;
  wardens: Wardens;
  /** Private folder by which a restarted server finds leftover processes. */
  home: string;
}

/** Sandbox for untrusted commands on this machine: builds and sites, each isolated from all others. */
export class Sandbox {
  readonly isolation: Isolation;
  readonly #wardens: Wardens;
  readonly #networkPool: NetworkPool;
  readonly #running: RunningCommands;
  readonly #closing = new AbortController();
  readonly #killEverything = (): void => this.#running.killEverything();

  constructor({ isolation, wardens, home }: SandboxParts) {
    this.isolation = isolation;
    this.#wardens = wardens;
    this.#networkPool = new NetworkPool({ isolation, groups: wardens.groups, home });
    this.#running = new RunningCommands(isolation);
    // When the server exits without waiting, commands are ended: plain processes would outlive it.
    process.once('exit', this.#killEverything);
  }

  /**
   * Starts a command. The command's `ended` resolves when none of its processes runs any more and all its output has
   * gone to `output`. Throws a RuntimeFailure if untrusted commands may not run here.
   */
  async start(task: SandboxTask): Promise<Command> {
    const { refusal } = this.isolation;
    if (refusal) throw new RuntimeFailure(refusal);
    this.#closing.signal.throwIfAborted();
    const pooled = await this.#networkPool.open(task.network ?? {});
    try {
      // The sandbox may have been closed while the process for this command was made ready. Closing ended only commands
      // that ran already, so this command is refused here.
      this.#closing.signal.throwIfAborted();
      return this.#startIn(pooled, task);
    } catch (error) {
      await pooled.end();
      throw error;
    }
  }

  /** Runs a command to its end, at the latest until the signal aborts. */
  async run(task: SandboxTask, { mostMs, lateReason, signal }: RunLimits): Promise<End> {
    signal.throwIfAborted();
    const command = await this.start(task);
    const timer = setTimeout(() => command.kill(lateReason), mostMs);
    const abort = () => command.kill(reason('stopped'));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const end = await command.ended;
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    return end;
  }

  /** Makes the commands' account the owner of a tree of folders. */
  async changeOwner(tree: string, signal?: AbortSignal): Promise<void> {
    const { account } = this.isolation;
    if (account !== undefined) await chownTree(tree, account, signal);
  }

  /** Makes an overlay layer for one command; undefined if overlays don't work here. Rejects if the path exists. */
  async makeLayer(path: string): Promise<string | undefined> {
    const { hasOverlays, account } = this.isolation;
    return hasOverlays ? makeOverlay(path, account) : undefined;
  }

  /** Makes a folder that commands may write to, unless it exists. */
  async ownFolder(path: string, signal?: AbortSignal): Promise<string> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await this.changeOwner(path, signal);
    return path;
  }

  /** Ends all commands of the sandbox at once. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running.end();
    await this.#networkPool.close();
    process.off('exit', this.#killEverything);
  }

  #startIn(pooled: PooledNetwork, task: SandboxTask): Command {
    const { confined, limits, output, network: request = {} } = task;
    const { listens = false, listensAt: innerPort } = request === 'none' ? {} : request;
    const port = listens ? pooled.port : undefined;
    const { warden, groups } = this.#wardens;
    const invocation = this.isolation.confine({
      ...confined,
      variables: withHeapLimit(confined.variables, limits.memoryMb),
      groups: pooled.group?.mounts ?? [],
      port,
      innerPort,
      joins: pooled.network?.joins,
      mostFileBytes: limits.diskMb * MEBIBYTE,
      ...(!groups && { mostThreads: limits.processes + EXTRA_THREADS }),
    });
    const { ownDepth } = this.isolation;
    const afterEnd = () => this.#running.remove(command);
    const command = startCommand(invocation, output, { warden, pooled, port, limits, ownDepth, afterEnd });
    this.#running.add(command, [confined.folder, confined.home]);
    this.#watchDiskLimits(command, task);
    return command;
  }

  #watchDiskLimits(command: Command, { diskLimits, limits }: SandboxTask): void {
    const over = new AbortController();
    void command.ended.then(() => over.abort());
    const watches = [
      watchDeletedFiles(
        () => command.processes(),
        // Account that owns the files that commands write.
        this.isolation.account ?? process.getuid?.() ?? 0,
        limits.diskMb,
        ({ how }) => command.kill(reason('unlinked_exceeds', { how })),
        over.signal,
      ),
      ...diskLimits.map(({ folders, mebibytes, reasonOf }) =>
        watchDisk(folders, mebibytes, (excess) => command.kill(reasonOf(excess)), over.signal),
      ),
    ];
    // If a command's use of the disk can't be watched, the command is ended.
    for (const watch of watches) watch.catch(() => command.kill(reason('stopped')));
  }
}
