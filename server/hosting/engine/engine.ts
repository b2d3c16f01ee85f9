import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Connection,
  connectToEngine,
  type EngineCall,
  EngineError,
  engineErrorFor,
  isBefore,
} from './connection.ts';
import { type LogLine, logLinesOf } from './log-lines.ts';
import { jsonLines, outputFrames } from './streams.ts';

// Calls to a container engine, in its own terms: names of fields are those of its API.

export type Labels = Readonly<Record<string, string>>;

export interface ContainerOrder {
  Image: string;
  /** Command; absent: the image's own. */
  Cmd?: readonly string[];
  Entrypoint?: readonly string[];
  /** Variables as `NAME=value`, with any characters except zero bytes. */
  Env?: readonly string[];
  User?: string;
  WorkingDir?: string;
  /** Signal that asks the first process to end; absent: the image's own. */
  StopSignal?: string;
  Labels: Labels;
  /** Health check; absent: the image's own; `NONE`: none. */
  Healthcheck?: { Test: readonly string[] };
  HostConfig: {
    /** Memory limits in bytes; `MemorySwap` includes swap. */
    Memory?: number;
    MemorySwap?: number;
    PidsLimit?: number;
    /** Processor time in microseconds (quota) within each period. */
    CpuPeriod?: number;
    CpuQuota?: number;
    /** OOM score: the kernel ends processes with a higher one first when memory runs out. */
    OomScoreAdj?: number;
    /** Weight on a busy machine; absent: 1,024. */
    CpuShares?: number;
    /** User namespace: `host` uses the machine's own users, even if containers normally have others. */
    UsernsMode?: 'host';
    CapDrop?: readonly string[];
    CapAdd?: readonly string[];
    SecurityOpt?: readonly string[];
    /** Network: a name or id, `none`, or that of another container: `container:<name>`. */
    NetworkMode?: string;
    Mounts?: readonly ContainerMount[];
    /** Options of tmpfs mounts, by mount point. */
    Tmpfs?: Readonly<Record<string, string>>;
    LogConfig?: { Type: string; Config: Labels };
    RestartPolicy?: { Name: 'no' | 'always' | 'unless-stopped' | 'on-failure' };
    Ulimits?: readonly { Name: string; Soft: number; Hard: number }[];
  };
}

export interface ContainerMount {
  /** Kind of the source: a volume by its name, a folder of the engine's machine, or `tmpfs` without a source. */
  Type: 'volume' | 'bind' | 'tmpfs';
  Source?: string;
  Target: string;
  ReadOnly?: boolean;
}

/** Container in a list. */
export interface ListedContainer {
  Id: string;
  Names: readonly string[];
  Image: string;
  Labels: Labels;
  State: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  NetworkSettings: AttachedNetworks;
  Mounts: readonly { Type: string; Name?: string; Destination: string }[];
}

export interface AttachedNetworks {
  Networks: Readonly<Record<string, { IPAddress: string }>>;
}

export interface InspectedContainer {
  Id: string;
  State: {
    Status: string;
    Running: boolean;
    ExitCode: number;
    OOMKilled: boolean;
    Error: string;
    StartedAt: string;
    FinishedAt: string;
  };
  /** Volumes that the image declares, by mount point. */
  Config: { Labels: Labels; Volumes?: Readonly<Record<string, object>> | null };
  NetworkSettings: AttachedNetworks;
}

export interface ImageBuildOrder {
  /** Tar archive with all files that the build sees. */
  context: Readable;
  /** Name of the new image. */
  tag: string;
  /** Path within the context. */
  dockerfile: string;
  target?: string | undefined;
  /** Build arguments. Each can be read in the image's history, so they hold no secrets. */
  args?: Labels;
  labels?: Labels;
  /** Memory limit in bytes, including swap. */
  memory: number;
  cpuShares?: number;
  /** Maximum size of a file that a command writes, in bytes. */
  fileBytes?: number;
  /** Network: `none` or an id. */
  network: string;
}

/** Error of a build whose command failed, with its exit code. */
export class StepFailed extends EngineError {
  readonly code: number;

  constructor(code: number, message: string) {
    super(500, message);
    this.code = code;
  }
}

/** Details of an image. */
export interface Image {
  Id: string;
  RepoTags?: readonly string[] | null;
  Size: number;
  RootFS: { Layers?: readonly string[] };
  Config: {
    Labels?: Labels | null;
    /** Ports, such as `80/tcp`. */
    ExposedPorts?: Readonly<Record<string, object>> | null;
    Volumes?: Readonly<Record<string, object>> | null;
    /** Variables as `NAME=value`. */
    Env?: readonly string[] | null;
    Entrypoint?: readonly string[] | null;
    Cmd?: readonly string[] | null;
    /** Dockerfile lines that run first in each build that starts from the image. */
    OnBuild?: readonly string[] | null;
  };
}

export interface ListedImage {
  Id: string;
  RepoTags: string[] | null;
  Labels: Labels | null;
  /** Time in seconds since 1970. */
  Created: number;
}

/** Command that runs in a container beside its own; the engine keeps no output of it. */
export interface ExecOrder {
  Cmd: readonly string[];
  Env?: readonly string[];
  WorkingDir?: string;
  User?: string;
}

/** Settings of an image made from a container. */
export interface CommitOrder {
  repository: string;
  tag: string;
  /** Settings; absent: the container's own. */
  config: { Cmd?: readonly string[]; Entrypoint?: readonly string[]; WorkingDir?: string; Labels?: Labels };
}

interface EngineInfo {
  ID: string;
  Name: string;
  DockerRootDir: string;
  Swarm?: { NodeID: string };
}

export interface EngineEvent {
  Type: string;
  Action: string;
  Actor: { ID: string; Attributes: Labels };
  /** Time in nanoseconds since 1970. */
  timeNano: number;
}

const NEVER = new AbortController().signal;
const DIGEST = 'sha256:';
/** Highest bit of Go’s io/fs.FileMode, which marks folders. */
const GO_FOLDER = 2 ** 31;
/** Bits of io/fs.FileMode for links, devices, pipes, sockets and irregular files. */
const GO_NO_FILE = 0x0f28_0000;
/** Podman's message for a failed build command, the only place with its exit code. */
const STEP_ENDED = /while running runtime: exit status (\d+)/;
/** Podman's error for a container whose process has ended before its end is recorded. */
const PROCESS_GONE = /\/proc\/\d+\/cgroup: no such/;
const MOST_ATTEMPTS = 10;
const REMOVED_MS = 5_000;
const ALREADY_MEASURING = /disk usage operation is already running/;
/** Time that a container's last output may take to arrive after it has ended. */
const LAST_LINES_MS = 1_000;
const RETRY_MS = 250;
const LONGEST_POLL_MS = 5_000;

export type Engine = ReturnType<typeof createEngine>;

/**
 * Opens an engine by the path of its socket. Every call throws an EngineError if the engine refuses it, an EngineAway
 * if it does not answer, or the signal's reason.
 */
export async function openEngine(socket: string, signal: AbortSignal): Promise<Engine> {
  return createEngine(await connectToEngine(socket, signal));
}

/** Result of the work, or undefined if the thing does not exist (404). */
export async function undefinedIfMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return undefined;
    throw error;
  }
}

/** Repeats a measurement that is refused: an engine makes only one at a time. */
async function retryMeasurement<T>(measure: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await measure();
    } catch (error) {
      // Podman refuses it if a container is removed meanwhile.
      const isPassing =
        error instanceof EngineError && (error.status === 404 || ALREADY_MEASURING.test(error.message));
      if (turn === MOST_ATTEMPTS || !isPassing) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** Does work that removes something; a thing that does not exist any more counts as success. */
export async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  await undefinedIfMissing(work);
}

/** Engine on a connection that may be shared. */
export function createEngine(connection: Connection) {
  const { ask, head, stream } = connection;

  /** Details of a container; undefined if it does not exist. */
  const inspect = async (id: string, signal: AbortSignal): Promise<InspectedContainer | undefined> => {
    const path = ['containers', id, 'json'];
    for (let turn = 1; ; turn += 1) {
      try {
        const found = await undefinedIfMissing(ask<InspectedContainer>({ path, signal }));
        // Podman reports a container that was asked to end as not running.
        if (found?.State.Status === 'stopping') found.State.Running = true;
        return found;
      } catch (error) {
        const isEnding = error instanceof EngineError && PROCESS_GONE.test(error.message);
        if (!isEnding || turn === MOST_ATTEMPTS) throw error;
        await sleep(RETRY_MS, undefined, { signal });
      }
    }
  };

  /** Waits until a container has ended. Returns its exit code. */
  const wait = async (id: string, signal: AbortSignal): Promise<number> => {
    if (connection.isPodman) return pollForEnd(id, signal);
    const answer = await stream({ method: 'POST', path: ['containers', id, 'wait'], signal });
    for await (const { StatusCode: code } of jsonLines<{ StatusCode: number }>(answer)) return code;
    throw new EngineError(500, 'nobody told how the container ended');
  };

  /**
   * Polls a Podman container: Podman’s own `wait` uses a whole processor, and its events may end without notice,
   * because their file starts anew with each megabyte.
   */
  const pollForEnd = async (id: string, signal: AbortSignal): Promise<number> => {
    for (let pauseMs = RETRY_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_POLL_MS)) {
      const found = await inspect(id, signal);
      if (!found) throw new EngineError(404, `no such container: ${id}`);
      if (!found.State.Running) return found.State.ExitCode;
      await sleep(pauseMs, undefined, { signal });
    }
  };

  /**
   * Removals of images that hang. An engine inspects all containers before it removes an image, and waits for each: a
   * container whose start hangs blocks every removal. Clean-up therefore does not wait, and tries again later.
   */
  const hangingRemovals = new Set<Promise<void>>();
  const removeImageCall = async (call: EngineCall): Promise<void> => {
    const busy = new EngineError(409, 'the engine is busy with the removal of another image');
    if (hangingRemovals.size > 0) throw busy;
    const enough = new AbortController();
    const asked = ignoreMissing(ask(call)).catch((error) => {
      // Docker answers 500 with this message if the image was removed by somebody else at the same time.
      if (!(error instanceof EngineError && /unrecognized image ID/.test(error.message))) throw error;
    });
    const isLate = sleep(REMOVED_MS, true, { ref: false, signal: enough.signal }).catch(() => false);
    try {
      if (!(await Promise.race([asked, isLate]))) return;
    } finally {
      enough.abort();
    }
    const over = asked.catch(() => {}).finally(() => hangingRemovals.delete(over));
    hangingRemovals.add(over);
    throw busy;
  };

  const readLines = async function* (
    id: string,
    { since, follow }: { since: string | undefined; follow: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<LogLine[]> {
    // The whole second is read again: positions within a second are known only if all of it is read.
    const from = since?.split('.')[0];
    const query = { stdout: true, stderr: true, follow, timestamps: true, since: from };
    yield* logLinesOf(await stream({ path: ['containers', id, 'logs'], query, signal }), since);
  };

  return {
    version: connection.version,
    greet: connection.greet,
    isPodman: connection.isPodman,
    /** True if it supports this version of the API, such as `1.44`. */
    supportsVersion: (version: string) => !isBefore(connection.version, version),
    close: () => connection.close(),

    /**
     * Builds an image. `output` receives the build's output, line by line. Returns the ids of the stages' images; the
     * last one is the image.
     */
    async build(
      {
        context,
        tag,
        dockerfile,
        target,
        args,
        labels,
        memory,
        cpuShares,
        fileBytes,
        network,
      }: ImageBuildOrder,
      output: (line: string) => void,
      signal: AbortSignal,
    ): Promise<string[]> {
      const query = {
        t: tag,
        dockerfile,
        target,
        buildargs: args,
        labels,
        networkmode: network,
        memory,
        memswap: memory,
        cpushares: cpuShares,
        rm: true,
        forcerm: true,
        ...(fileBytes !== undefined && {
          ulimits: JSON.stringify([{ Name: 'fsize', Soft: fileBytes, Hard: fileBytes }]),
        }),
      };
      const answer = await stream({ method: 'POST', path: ['build'], query, body: context, signal });
      const ids: string[] = [];
      let rest = '';
      for await (const readLines of jsonLines<BuildMessage>(answer)) {
        if (readLines.error !== undefined) {
          const { message = readLines.error } = readLines.errorDetail ?? {};
          const code = readLines.errorDetail?.code ?? Number(STEP_ENDED.exec(message)?.[1] ?? 0);
          throw code ? new StepFailed(code, message) : engineErrorFor(500, message);
        }
        if (readLines.aux?.ID !== undefined) ids.push(readLines.aux.ID);
        const lines = (rest + (readLines.stream ?? '')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.trim() !== '') output(line);
      }
      if (rest.trim() !== '') output(rest);
      if (ids.length === 0) throw new EngineError(500, 'the build gave no image');
      return ids;
    },

    /** Details of an image; undefined if it does not exist. */
    image: (name: string, signal: AbortSignal): Promise<Image | undefined> =>
      undefinedIfMissing(ask({ path: ['images', name, 'json'], signal })),

    /** Pulls an image from its registry; `headers` authenticate. */
    async pull(name: string, signal: AbortSignal, headers: Labels = {}): Promise<void> {
      // Names without a tag get one: otherwise all tags would be pulled.
      const isTagged = /[:@][^/]*$/.test(name);
      const query = { fromImage: isTagged ? name : `${name}:latest` };
      const path = ['images', 'create'];
      await readProgress(await stream({ method: 'POST', path, query, headers, signal }));
    },

    /** Pushes an image to its registry; `headers` authenticate. */
    async push(name: string, headers: Labels, signal: AbortSignal): Promise<void> {
      const { repository, tag } = splitImageName(name);
      const path = ['images', repository, 'push'];
      // The header is required, even without a user.
      const readLines = { 'x-registry-auth': 'e30=', ...headers };
      await readProgress(await stream({ method: 'POST', path, query: { tag }, headers: readLines, signal }));
    },

    /** Imports an archive as an image. */
    async importImage(archive: Readable, name: string, labels: Labels, signal: AbortSignal): Promise<void> {
      const { repository: repo, tag } = splitImageName(name);
      const query = { fromSrc: '-', repo, tag, changes: changesOf({ Labels: labels }) };
      const path = ['images', 'create'];
      await readProgress(await stream({ method: 'POST', path, query, body: archive, signal }));
    },

    /** True if the registry has the image; `headers` authenticate. */
    async isAtRegistry(name: string, headers: Labels, signal: AbortSignal): Promise<boolean> {
      return (
        (await undefinedIfMissing(ask({ path: ['distribution', name, 'json'], headers, signal }))) !==
        undefined
      );
    },

    async images(labels: Labels, signal: AbortSignal): Promise<ListedImage[]> {
      // Podman finds nothing by two labels at once.
      const first = Object.fromEntries(Object.entries(labels).slice(0, 1));
      const path = ['images', 'json'];
      return withAllLabels(labels, await ask({ path, query: { filters: labelFilter(first) }, signal }));
    },

    /**
     * Removes an image. Throws a 409 if other images were made from it, or while the engine is busy with another
     * removal.
     */
    removeImage: (name: string, signal: AbortSignal): Promise<void> =>
      removeImageCall({ method: 'DELETE', path: ['images', name], query: { force: true }, signal }),

    /**
     * Removes a name of an image, and the image with its last name. Throws a 409 if it is the last name and containers
     * use the image.
     */
    removeName: (name: string, signal: AbortSignal): Promise<void> =>
      removeImageCall({ method: 'DELETE', path: ['images', name], signal }),

    /**
     * Creates a container and returns its id. Throws a 409 if the name is taken. A call that was sent is waited for
     * regardless of the signal: otherwise the container could appear after the caller has removed it.
     */
    async create(name: string, order: ContainerOrder, signal: AbortSignal): Promise<string> {
      signal.throwIfAborted();
      const path = ['containers', 'create'];
      const call = { method: 'POST', path, query: { name }, body: order, signal: NEVER } as const;
      return (await ask<{ Id: string }>(call)).Id;
    },

    /** Starting a container that already runs does nothing. */
    start: (id: string, signal: AbortSignal): Promise<void> =>
      ask({ method: 'POST', path: ['containers', id, 'start'], signal }),

    /** Sends SIGTERM, and SIGKILL after `seconds`. Does nothing if the container does not run. */
    stop: (id: string, seconds: number, signal: AbortSignal): Promise<void> =>
      ignoreMissing(ask({ method: 'POST', path: ['containers', id, 'stop'], query: { t: seconds }, signal })),

    /** Kills and removes a container with its anonymous volumes. */
    remove: (id: string, signal: AbortSignal): Promise<void> =>
      ignoreMissing(
        ask({ method: 'DELETE', path: ['containers', id], query: { force: true, v: true }, signal }),
      ),

    inspect,
    wait,

    /**
     * Bytes that the container has written outside of its image and its volumes; infinity if the engine can't measure
     * them. The engine reads all files for this.
     */
    async writtenBytes(id: string, signal: AbortSignal): Promise<number> {
      const query = { size: true };
      const { SizeRw } = await ask<{ SizeRw?: number }>({
        path: ['containers', id, 'json'],
        query,
        signal,
      });
      return sizeInBytes(SizeRw);
    },

    /** Containers with all of these labels, running or not. */
    async containers(labels: Labels, signal: AbortSignal): Promise<ListedContainer[]> {
      const query = { all: true, filters: labelFilter(labels) };
      return withAllLabels(
        labels,
        await ask<ListedContainer[]>({ path: ['containers', 'json'], query, signal }),
      );
    },

    /**
     * Containers on a network, with any labels. A container whose start hangs is listed by the network's name alone.
     */
    containersIn: (
      { Id, Name }: { Id: string; Name: string },
      signal: AbortSignal,
    ): Promise<ListedContainer[]> =>
      ask({
        path: ['containers', 'json'],
        query: { all: true, filters: { network: [Id, Name] } },
        signal,
      }),

    /**
     * Runs a command in a running container until it ends, and returns its exit code. Output arrives as it is written,
     * in no order between the two streams. The signal only stops listening: processes end with their container.
     */
    async exec(
      id: string,
      order: ExecOrder,
      output: (bytes: Buffer, from: LogLine['output']) => void,
      signal: AbortSignal,
    ): Promise<number> {
      const body = { ...order, AttachStdout: true, AttachStderr: true };
      const made = await ask<{ Id: string }>({
        method: 'POST',
        path: ['containers', id, 'exec'],
        body,
        signal,
      });
      const start = { Detach: false, Tty: false };
      const path = ['exec', made.Id, 'start'];
      for await (const some of outputFrames(await stream({ method: 'POST', path, body: start, signal }))) {
        for (const one of some) output(one.bytes, one.output);
      }
      const { ExitCode: code } = await ask<{ ExitCode: number | null }>({
        path: ['exec', made.Id, 'json'],
        signal,
      });
      if (code === null) throw new EngineError(500, 'nobody told how the command ended');
      return code;
    },

    /** Makes an image from a container's current files, without its volumes. Returns the image's id. */
    async commit(id: string, { repository, tag, config }: CommitOrder, signal: AbortSignal): Promise<string> {
      // Podman ignores the body, so the changes go into the query.
      const query = { container: id, repo: repository, tag, pause: true, changes: changesOf(config) };
      const { Id } = await ask<{ Id: string }>({ method: 'POST', path: ['commit'], query, body: {}, signal });
      return Id.startsWith(DIGEST) ? Id : `${DIGEST}${Id}`;
    },

    /** Unpacks a tar archive into a folder of a container, running or not. */
    putFiles: (id: string, folder: string, archive: Readable, signal: AbortSignal): Promise<void> =>
      ask({
        method: 'PUT',
        path: ['containers', id, 'archive'],
        query: { path: folder },
        body: archive,
        signal,
      }),

    /** Kind of an entry in a container, without following a link; undefined if the path does not exist. */
    async entryOf(id: string, path: string, signal: AbortSignal): Promise<Entry | undefined> {
      const readLines = await undefinedIfMissing(
        head({ path: ['containers', id, 'archive'], query: { path }, signal }),
      );
      if (!readLines) return undefined;
      const text = Buffer.from(String(readLines['x-docker-container-path-stat'] ?? ''), 'base64').toString();
      const { mode, linkTarget, size } = JSON.parse(text) as {
        mode: number;
        linkTarget: string;
        size: number;
      };
      if (linkTarget !== '') return { kind: 'link', end: linkTarget };
      if (mode >= GO_FOLDER) return { kind: 'folder', mode: mode - GO_FOLDER };
      return (mode & GO_NO_FILE) === 0 ? { kind: 'file', bytes: size } : { kind: 'other' };
    },

    /**
     * Tar archive of a folder or file of a container; each entry's path begins with the last component of `path`.
     * undefined if it does not exist.
     */
    files: (id: string, path: string, signal: AbortSignal): Promise<Readable | undefined> =>
      undefinedIfMissing(stream({ path: ['containers', id, 'archive'], query: { path }, signal })),

    /**
     * Lines that the container wrote after `since` (seconds since 1970, with a fraction), in groups that arrived
     * together.
     */
    pastLogs: (id: string, since: string | undefined, signal: AbortSignal): AsyncGenerator<LogLine[]> =>
      readLines(id, { since, follow: false }, signal),

    /**
     * Lines after `since`, and new lines until the container ends. Podman keeps listening to some containers that have
     * ended: lines later than a moment after the end are left to `written`.
     */
    async *logs(id: string, since: string | undefined, signal: AbortSignal): AsyncGenerator<LogLine[]> {
      const enough = new AbortController();
      const until = AbortSignal.any([signal, enough.signal]);
      ignoreMissing(wait(id, until))
        .then(() => sleep(LAST_LINES_MS, undefined, { signal: until }))
        .then(
          () => enough.abort(),
          () => {},
        );
      try {
        yield* readLines(id, { since, follow: true }, until);
      } catch (error) {
        if (signal.aborted || !enough.signal.aborted) throw error;
      } finally {
        enough.abort();
      }
    },

    /**
     * Creates a network and returns its id. Names may repeat: only the id identifies a network. `device`: name of its
     * bridge.
     */
    async createNetwork(
      name: string,
      { labels, subnet, device }: { labels: Labels; subnet: string; device: string },
      signal: AbortSignal,
    ): Promise<string> {
      const IPAM = { Config: [{ Subnet: subnet }] };
      const Options = { 'com.docker.network.bridge.name': device };
      const body = { Name: name, CheckDuplicate: true, EnableIPv6: false, Labels: labels, IPAM, Options };
      return (await ask<{ Id: string }>({ method: 'POST', path: ['networks', 'create'], body, signal })).Id;
    },

    async networks(
      labels: Labels,
      signal: AbortSignal,
    ): Promise<{ Id: string; Name: string; Driver: string; Labels: Labels }[]> {
      return withAllLabels(
        labels,
        await ask({ path: ['networks'], query: { filters: labelFilter(labels) }, signal }),
      );
    },

    removeNetwork: (id: string, signal: AbortSignal): Promise<void> =>
      ignoreMissing(ask({ method: 'DELETE', path: ['networks', id], signal })).catch((error) => {
        // Docker answers 500 with this message if a cluster's network was removed by somebody else at the same time.
        if (!(error instanceof EngineError && /^network \S+ not found$/.test(error.message))) throw error;
      }),

    /** Creating a volume that already exists does nothing. */
    createVolume: (name: string, labels: Labels, signal: AbortSignal): Promise<void> =>
      ask({ method: 'POST', path: ['volumes', 'create'], body: { Name: name, Labels: labels }, signal }),

    /**
     * Identity of the engine, which stays as long as its data, and of its machine: the machine's id in the cluster if
     * it belongs to one.
     */
    async identity(signal: AbortSignal): Promise<{ engine: string; machine: string }> {
      const { ID, Name, DockerRootDir, Swarm } = await ask<EngineInfo>({ path: ['info'], signal });
      // The name is used for Podman, whose id changes each time. The root folder is added because several Docker
      // engines on one machine may share an id.
      const engine = `${connection.isPodman ? Name : ID} ${DockerRootDir}`;
      return { engine, machine: Swarm?.NodeID || engine };
    },

    async volumes(labels: Labels, signal: AbortSignal): Promise<{ Name: string; Labels: Labels }[]> {
      const query = { filters: labelFilter(labels) };
      const { Volumes: found } = await ask<{ Volumes: { Name: string; Labels: Labels }[] | null }>({
        path: ['volumes'],
        query,
        signal,
      });
      return withAllLabels(labels, found ?? []);
    },

    /**
     * Bytes written by containers outside of their volumes, by id, and sizes of volumes, by name. The engine reads all
     * files for this, as for `writtenBytes`.
     */
    async usage(
      signal: AbortSignal,
    ): Promise<{ containers: Map<string, number>; volumes: Map<string, number> }> {
      // Engines before version 23 ignore `type` and measure their images too.
      const query = { type: ['container', 'volume'] };
      const { Containers: containers, Volumes: volumes } = await retryMeasurement(() =>
        ask<{
          Containers: { Id: string; SizeRw?: number }[] | null;
          Volumes: { Name: string; UsageData?: { Size: number } }[] | null;
        }>({ path: ['system', 'df'], query, signal }),
      );
      return {
        containers: new Map(containers?.map(({ Id, SizeRw }) => [Id, sizeInBytes(SizeRw)])),
        volumes: new Map(volumes?.map(({ Name, UsageData }) => [Name, sizeInBytes(UsageData?.Size)])),
      };
    },

    removeVolume: (name: string, signal: AbortSignal): Promise<void> =>
      ignoreMissing(ask({ method: 'DELETE', path: ['volumes', name], signal })),

    /** Events of containers with these labels from now on, until the signal aborts, which is an error. */
    async *events(labels: Labels, signal: AbortSignal): AsyncGenerator<EngineEvent> {
      const query = { filters: { ...labelFilter(labels), type: ['container'] } };
      const readLines = jsonLines<EngineEvent>(await stream({ path: ['events'], query, signal }));
      for await (const event of readLines) if (hasAll(labels, event.Actor.Attributes)) yield event;
    },
  };
}

export type Entry =
  | { kind: 'other' }
  /** Permissions of the folder; its owner is not reported. */
  | { kind: 'folder'; mode: number }
  | { kind: 'file'; bytes: number }
  /** Final target as the engine resolves it, whether it exists or not; bytes that are not UTF-8 are U+FFFD. */
  | { kind: 'link'; end: string };

interface BuildMessage {
  stream?: string;
  error?: string;
  errorDetail?: { code?: number; message?: string };
  aux?: { ID?: string };
}

/** Settings as lines of a Dockerfile. */
function changesOf({ Cmd, Entrypoint, WorkingDir, Labels = {} }: CommitOrder['config']): string[] {
  return [
    ...(Entrypoint ? [`ENTRYPOINT ${JSON.stringify(Entrypoint)}`] : []),
    ...(Cmd ? [`CMD ${JSON.stringify(Cmd)}`] : []),
    ...(WorkingDir === undefined ? [] : [`WORKDIR ${WorkingDir}`]),
    ...Object.entries(Labels).map(
      ([name, value]) => `LABEL ${JSON.stringify(name)}=${JSON.stringify(value)}`,
    ),
  ];
}

function hasAll(labels: Labels, own: Labels | null): boolean {
  return Object.entries(labels).every(([name, value]) => own?.[name] === value);
}

/** Items with all of these labels: some lists of Podman's match any one of them. */
function withAllLabels<T extends { Labels: Labels | null }>(labels: Labels, found: readonly T[]): T[] {
  return found.filter(({ Labels }) => hasAll(labels, Labels));
}

/** Reads progress messages of a pull, push or import to their end, and throws the error among them. */
async function readProgress(answer: Readable): Promise<void> {
  for await (const { error } of jsonLines<{ error?: string }>(answer)) {
    if (error !== undefined) throw engineErrorFor(500, error);
  }
}

/**
 * Corrects a size: the engine leaves out 0, and reports -1 for what it can't measure, such as folders nested beyond the
 * longest path.
 */
function sizeInBytes(bytes = 0): number {
  return bytes < 0 ? Number.POSITIVE_INFINITY : bytes;
}

export function splitImageName(name: string): { repository: string; tag: string } {
  const at = name.lastIndexOf(':');
  return { repository: name.slice(0, at), tag: name.slice(at + 1) };
}

export function labelFilter(labels: Labels): { label?: string[] } {
  const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  // Podman refuses an empty list.
  return label.length > 0 ? { label } : {};
}
