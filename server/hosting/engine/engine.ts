import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, type Connection, connect, EngineError, isBefore, refusalBy } from './connection.ts';
import { linesOf, type Written } from './lines.ts';
import { frames, values } from './streams.ts';

// What we ask of a container engine, in its own words: names of fields are those of its API.

export type Labels = Readonly<Record<string, string>>;

export interface ContainerOrder {
  Image: string;
  /** The image's own where it is absent. */
  Cmd?: readonly string[];
  Entrypoint?: readonly string[];
  /** `NAME=value`, of any characters but zero bytes. */
  Env?: readonly string[];
  User?: string;
  WorkingDir?: string;
  /** What asks its first process to end; the image's own where it is absent. */
  StopSignal?: string;
  Labels: Labels;
  /** The image's own where it is absent; `NONE`: none. */
  Healthcheck?: { Test: readonly string[] };
  HostConfig: {
    /** Bytes, with what is swapped out. */
    Memory?: number;
    MemorySwap?: number;
    PidsLimit?: number;
    /** Microseconds of processors in each period of so many. */
    CpuPeriod?: number;
    CpuQuota?: number;
    /** Of whom the kernel ends first when memory runs out. */
    OomScoreAdj?: number;
    /** Of a busy machine, beside others: 1,024 where it is absent. */
    CpuShares?: number;
    /** `host`: as the engine’s machine has users, where its containers have others. */
    UsernsMode?: 'host';
    CapDrop?: readonly string[];
    CapAdd?: readonly string[];
    SecurityOpt?: readonly string[];
    /** One by its name or id, `none`, or that of a container: `container:<name>`. */
    NetworkMode?: string;
    Mounts?: readonly Mount[];
    /** Sizes of tmpfs, by where it is mounted. */
    Tmpfs?: Readonly<Record<string, string>>;
    LogConfig?: { Type: string; Config: Labels };
    RestartPolicy?: { Name: 'no' | 'always' | 'unless-stopped' | 'on-failure' };
    Ulimits?: readonly { Name: string; Soft: number; Hard: number }[];
  };
}

export interface Mount {
  /** A volume of the engine's by its name, or a folder of the engine's machine; `tmpfs`, which has no source. */
  Type: 'volume' | 'bind' | 'tmpfs';
  Source?: string;
  Target: string;
  ReadOnly?: boolean;
}

/** One of a list. */
export interface Listed {
  Id: string;
  Names: readonly string[];
  Image: string;
  Labels: Labels;
  State: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  NetworkSettings: Attached;
  Mounts: readonly { Type: string; Name?: string; Destination: string }[];
}

export interface Attached {
  Networks: Readonly<Record<string, { IPAddress: string }>>;
}

export interface Inspected {
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
  /** By where they are mounted, volumes that its image says it has. */
  Config: { Labels: Labels; Volumes?: Readonly<Record<string, object>> | null };
  NetworkSettings: Attached;
}

export interface BuildOrder {
  /** A tar archive with all that the build is to see. */
  context: Readable;
  /** What the image is called. */
  tag: string;
  /** Within the context. */
  dockerfile: string;
  target?: string | undefined;
  /** Every one is to be read in the image's history: no secrets. */
  args?: Labels;
  labels?: Labels;
  /** Bytes, with what is swapped out. */
  memory: number;
  cpuShares?: number;
  /** Of any one file that a command writes. */
  fileBytes?: number;
  /** `none`, or a network's id. */
  network: string;
}

/** A command of a build failed, and this is its exit code. */
export class StepFailed extends EngineError {
  readonly code: number;

  constructor(code: number, message: string) {
    super(500, message);
    this.code = code;
  }
}

/** What an image says of itself. */
export interface Image {
  Id: string;
  RepoTags?: readonly string[] | null;
  Size: number;
  RootFS: { Layers?: readonly string[] };
  Config: {
    Labels?: Labels | null;
    /** Such as `80/tcp`. */
    ExposedPorts?: Readonly<Record<string, object>> | null;
    Volumes?: Readonly<Record<string, object>> | null;
    /** `NAME=value`. */
    Env?: readonly string[] | null;
    Entrypoint?: readonly string[] | null;
    Cmd?: readonly string[] | null;
    /** What is done first in each build that begins with it. */
    OnBuild?: readonly string[] | null;
  };
}

export interface ListedImage {
  Id: string;
  RepoTags: string[] | null;
  Labels: Labels | null;
  /** Seconds since 1970. */
  Created: number;
}

/** What is run in a container beside its own command; nothing of it is kept with the container. */
export interface ExecOrder {
  Cmd: readonly string[];
  Env?: readonly string[];
  WorkingDir?: string;
  User?: string;
}

/** What an image made of a container says of what is started from it. */
export interface CommitOrder {
  repository: string;
  tag: string;
  /** The container's own where it is absent. */
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
  /** Nanoseconds since 1970. */
  timeNano: number;
}

const NEVER = new AbortController().signal;
const DIGEST = 'sha256:';
/** The highest bit of Go’s io/fs.FileMode. */
const GO_FOLDER = 2 ** 31;
/** Its bits of links, devices, pipes, sockets and what is none of them. */
const GO_NO_FILE = 0x0f28_0000;
/** Podman tells how a command of a build ended by these words alone. */
const STEP_ENDED = /while running runtime: exit status (\d+)/;
/** Podman can’t look at one whose process is gone before its end is noted. */
const ENDING = /\/proc\/\d+\/cgroup: no such/;
const MOST_LOOKS = 10;
const REMOVED_MS = 5_000;
const LOOKING = /disk usage operation is already running/;
/** What a container wrote last may take to be told to those who listen, once it has ended. */
const LAST_LINES_MS = 1_000;
const LOOK_AGAIN_MS = 250;
const LOOK_AT_LEAST_MS = 5_000;

export type Engine = ReturnType<typeof createEngine>;

/**
 * Throws, as every one of its calls does, an EngineError for what the engine refuses, an EngineAway where it does not answer, or
 * the signal's reason. `socket`: the path of the engine's.
 */
export async function openEngine(socket: string, signal: AbortSignal): Promise<Engine> {
  return createEngine(await connect(socket, signal));
}

/** undefined for what is not there. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return undefined;
    throw error;
  }
}

/** An engine looks over all that it has for one at a time, and refuses the others. */
async function lookOver<T>(look: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await look();
    } catch (error) {
      // Podman refuses it where a container goes meanwhile.
      const isPassing = error instanceof EngineError && (error.status === 404 || LOOKING.test(error.message));
      if (turn === MOST_LOOKS || !isPassing) throw error;
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

/** What is not there any more is as it should be. */
export async function unlessGone(work: Promise<unknown>): Promise<void> {
  await unlessMissing(work);
}

/** The same by a connection that others may have too. */
export function createEngine(connection: Connection) {
  const { ask, head, stream } = connection;

  /** undefined where there is none. */
  const inspect = async (id: string, signal: AbortSignal): Promise<Inspected | undefined> => {
    const path = ['containers', id, 'json'];
    for (let turn = 1; ; turn += 1) {
      try {
        const found = await unlessMissing(ask<Inspected>({ path, signal }));
        // To Podman one that is asked to end does not run any more.
        if (found?.State.Status === 'stopping') found.State.Running = true;
        return found;
      } catch (error) {
        const isEnding = error instanceof EngineError && ENDING.test(error.message);
        if (!isEnding || turn === MOST_LOOKS) throw error;
        await sleep(LOOK_AGAIN_MS, undefined, { signal });
      }
    }
  };

  /** Its exit code, once it has ended. */
  const wait = async (id: string, signal: AbortSignal): Promise<number> => {
    if (connection.isPodman) return lookForEnd(id, signal);
    const answer = await stream({ method: 'POST', path: ['containers', id, 'wait'], signal });
    for await (const { StatusCode: code } of values<{ StatusCode: number }>(answer)) return code;
    throw new EngineError(500, 'nobody told how the container ended');
  };

  /** Podman’s own `wait` takes a whole processor, and its events may end without a word: their file begins anew with each megabyte. */
  const lookForEnd = async (id: string, signal: AbortSignal): Promise<number> => {
    for (let pauseMs = LOOK_AGAIN_MS; ; pauseMs = Math.min(pauseMs * 2, LOOK_AT_LEAST_MS)) {
      const found = await inspect(id, signal);
      if (!found) throw new EngineError(404, `no such container: ${id}`);
      if (!found.State.Running) return found.State.ExitCode;
      await sleep(pauseMs, undefined, { signal });
    }
  };

  /**
   * An engine looks at all containers before it removes an image, and waits for each: one whose start hangs holds up every removal. Who
   * removes what is not needed any more does not wait with it, and comes again.
   */
  const hanging = new Set<Promise<void>>();
  const removed = async (call: Call): Promise<void> => {
    const busy = new EngineError(409, 'the engine is busy with the removal of another image');
    if (hanging.size > 0) throw busy;
    const enough = new AbortController();
    const asked = unlessGone(ask(call)).catch((error) => {
      // So Docker says of one that somebody else removed at the same time, with the status 500.
      if (!(error instanceof EngineError && /unrecognized image ID/.test(error.message))) throw error;
    });
    const late = sleep(REMOVED_MS, true, { ref: false, signal: enough.signal }).catch(() => false);
    try {
      if (!(await Promise.race([asked, late]))) return;
    } finally {
      enough.abort();
    }
    const over = asked.catch(() => {}).finally(() => hanging.delete(over));
    hanging.add(over);
    throw busy;
  };

  const told = async function* (
    id: string,
    { since, follow }: { since: string | undefined; follow: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<Written[]> {
    // A place within a second is known to whoever reads all of it.
    const from = since?.split('.')[0];
    const query = { stdout: true, stderr: true, follow, timestamps: true, since: from };
    yield* linesOf(await stream({ path: ['containers', id, 'logs'], query, signal }), since);
  };

  return {
    version: connection.version,
    greet: connection.greet,
    isPodman: connection.isPodman,
    /** Whether it speaks this version of the API, such as `1.44`. */
    isAsOf: (version: string) => !isBefore(connection.version, version),
    close: () => connection.close(),

    /** Makes an image; `output` takes what the build says, a line each. Gives the ids of the stages' images, of which the last is it. */
    async build(
      { context, tag, dockerfile, target, args, labels, memory, cpuShares, fileBytes, network }: BuildOrder,
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
      for await (const told of values<BuildTold>(answer)) {
        if (told.error !== undefined) {
          const { message = told.error } = told.errorDetail ?? {};
          const code = told.errorDetail?.code ?? Number(STEP_ENDED.exec(message)?.[1] ?? 0);
          throw code ? new StepFailed(code, message) : refusalBy(500, message);
        }
        if (told.aux?.ID !== undefined) ids.push(told.aux.ID);
        const lines = (rest + (told.stream ?? '')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.trim() !== '') output(line);
      }
      if (rest.trim() !== '') output(rest);
      if (ids.length === 0) throw new EngineError(500, 'the build gave no image');
      return ids;
    },

    /** undefined where there is none of that name. */
    image: (name: string, signal: AbortSignal): Promise<Image | undefined> =>
      unlessMissing(ask({ path: ['images', name, 'json'], signal })),

    /** Brings an image from its registry; `headers` say who asks it. */
    async pull(name: string, signal: AbortSignal, headers: Labels = {}): Promise<void> {
      // A name without a tag would bring all that there are.
      const isTagged = /[:@][^/]*$/.test(name);
      const query = { fromImage: isTagged ? name : `${name}:latest` };
      const path = ['images', 'create'];
      await untilDone(await stream({ method: 'POST', path, query, headers, signal }));
    },

    /** Has an image's registry have it; `headers` say who asks that. */
    async push(name: string, headers: Labels, signal: AbortSignal): Promise<void> {
      const { repository, tag } = partsOf(name);
      const path = ['images', repository, 'push'];
      // An engine that is told nobody's name refuses.
      const told = { 'x-registry-auth': 'e30=', ...headers };
      await untilDone(await stream({ method: 'POST', path, query: { tag }, headers: told, signal }));
    },

    /** Makes an image of an archive. */
    async importImage(archive: Readable, name: string, labels: Labels, signal: AbortSignal): Promise<void> {
      const { repository: repo, tag } = partsOf(name);
      const query = { fromSrc: '-', repo, tag, changes: changesOf({ Labels: labels }) };
      const path = ['images', 'create'];
      await untilDone(await stream({ method: 'POST', path, query, body: archive, signal }));
    },

    /** Whether its registry has an image; `headers` say who asks. */
    async isAtRegistry(name: string, headers: Labels, signal: AbortSignal): Promise<boolean> {
      return (
        (await unlessMissing(ask({ path: ['distribution', name, 'json'], headers, signal }))) !== undefined
      );
    },

    async images(labels: Labels, signal: AbortSignal): Promise<ListedImage[]> {
      // Podman finds no image by two labels.
      const first = Object.fromEntries(Object.entries(labels).slice(0, 1));
      const path = ['images', 'json'];
      return having(labels, await ask({ path, query: { filters: labelled(first) }, signal }));
    },

    /** A 409 where others were made of it, and for as long as the engine is busy with another one. */
    removeImage: (name: string, signal: AbortSignal): Promise<void> =>
      removed({ method: 'DELETE', path: ['images', name], query: { force: true }, signal }),

    /** Takes that name from an image, and removes one that has no other. A 409 where it is the last, and containers are made of it. */
    removeName: (name: string, signal: AbortSignal): Promise<void> =>
      removed({ method: 'DELETE', path: ['images', name], signal }),

    /**
     * Gives the id. One of that name that is there already is a 409. What is begun is waited for, whatever the signal: it would
     * else be made once whoever wanted it has removed it.
     */
    async create(name: string, order: ContainerOrder, signal: AbortSignal): Promise<string> {
      signal.throwIfAborted();
      const path = ['containers', 'create'];
      const call = { method: 'POST', path, query: { name }, body: order, signal: NEVER } as const;
      return (await ask<{ Id: string }>(call)).Id;
    },

    /** Nothing where it runs already. */
    start: (id: string, signal: AbortSignal): Promise<void> =>
      ask({ method: 'POST', path: ['containers', id, 'start'], signal }),

    /** SIGTERM, and SIGKILL so many seconds later. Nothing where it does not run. */
    stop: (id: string, seconds: number, signal: AbortSignal): Promise<void> =>
      unlessGone(ask({ method: 'POST', path: ['containers', id, 'stop'], query: { t: seconds }, signal })),

    /** Ends it at once, with the volumes that nobody named. */
    remove: (id: string, signal: AbortSignal): Promise<void> =>
      unlessGone(
        ask({ method: 'DELETE', path: ['containers', id], query: { force: true, v: true }, signal }),
      ),

    inspect,
    wait,

    /**
     * Bytes of what it has written that is not in its image, nor in a volume; infinite where the engine can't measure it, which takes it
     * a look at all of it.
     */
    async writtenBytes(id: string, signal: AbortSignal): Promise<number> {
      const query = { size: true };
      const { SizeRw } = await ask<{ SizeRw?: number }>({
        path: ['containers', id, 'json'],
        query,
        signal,
      });
      return measured(SizeRw);
    },

    /** Those with all of these labels, whether they run or not. */
    async containers(labels: Labels, signal: AbortSignal): Promise<Listed[]> {
      const query = { all: true, filters: labelled(labels) };
      return having(labels, await ask<Listed[]>({ path: ['containers', 'json'], query, signal }));
    },

    /** Those that have a network, whatever labels they have. One whose start hangs has it by its name alone. */
    containersIn: ({ Id, Name }: { Id: string; Name: string }, signal: AbortSignal): Promise<Listed[]> =>
      ask({
        path: ['containers', 'json'],
        query: { all: true, filters: { network: [Id, Name] } },
        signal,
      }),

    /**
     * Runs it in a container that runs, until it ends, and gives its exit code; what it writes comes as it does, in no order
     * between its two outputs. The signal ends the listening alone: a container's processes end with it.
     */
    async exec(
      id: string,
      order: ExecOrder,
      output: (bytes: Buffer, from: Written['output']) => void,
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
      for await (const some of frames(await stream({ method: 'POST', path, body: start, signal }))) {
        for (const one of some) output(one.bytes, one.output);
      }
      const { ExitCode: code } = await ask<{ ExitCode: number | null }>({
        path: ['exec', made.Id, 'json'],
        signal,
      });
      if (code === null) throw new EngineError(500, 'nobody told how the command ended');
      return code;
    },

    /** Makes an image of a container as it stands, without its volumes. Gives the image's id. */
    async commit(id: string, { repository, tag, config }: CommitOrder, signal: AbortSignal): Promise<string> {
      // Podman does not look at a body.
      const query = { container: id, repo: repository, tag, pause: true, changes: changesOf(config) };
      const { Id } = await ask<{ Id: string }>({ method: 'POST', path: ['commit'], query, body: {}, signal });
      return Id.startsWith(DIGEST) ? Id : `${DIGEST}${Id}`;
    },

    /** Unpacks a tar archive into a folder of a container, whether it runs or not. */
    putFiles: (id: string, folder: string, archive: Readable, signal: AbortSignal): Promise<void> =>
      ask({
        method: 'PUT',
        path: ['containers', id, 'archive'],
        query: { path: folder },
        body: archive,
        signal,
      }),

    /** What a path of a container is; a link itself, and not what it leads to. Undefined where there is nothing. */
    async entryOf(id: string, path: string, signal: AbortSignal): Promise<Entry | undefined> {
      const told = await unlessMissing(
        head({ path: ['containers', id, 'archive'], query: { path }, signal }),
      );
      if (!told) return undefined;
      const text = Buffer.from(String(told['x-docker-container-path-stat'] ?? ''), 'base64').toString();
      const { mode, linkTarget, size } = JSON.parse(text) as {
        mode: number;
        linkTarget: string;
        size: number;
      };
      if (linkTarget !== '') return { kind: 'link', end: linkTarget };
      if (mode >= GO_FOLDER) return { kind: 'folder', mode: mode - GO_FOLDER };
      return (mode & GO_NO_FILE) === 0 ? { kind: 'file', bytes: size } : { kind: 'other' };
    },

    /** A folder or file of a container as a tar archive, in which its last name is the first of each; undefined where there is none. */
    files: (id: string, path: string, signal: AbortSignal): Promise<Readable | undefined> =>
      unlessMissing(stream({ path: ['containers', id, 'archive'], query: { path }, signal })),

    /** What it wrote after `since` (seconds since 1970, with a fraction): lines that came together. */
    written: (id: string, since: string | undefined, signal: AbortSignal): AsyncGenerator<Written[]> =>
      told(id, { since, follow: false }, signal),

    /**
     * That, and what it writes until it ends. Podman listens on to some that have ended: what is not told a moment later is left to
     * `written`.
     */
    async *logs(id: string, since: string | undefined, signal: AbortSignal): AsyncGenerator<Written[]> {
      const enough = new AbortController();
      const until = AbortSignal.any([signal, enough.signal]);
      unlessGone(wait(id, until))
        .then(() => sleep(LAST_LINES_MS, undefined, { signal: until }))
        .then(
          () => enough.abort(),
          () => {},
        );
      try {
        yield* told(id, { since, follow: true }, until);
      } catch (error) {
        if (signal.aborted || !enough.signal.aborted) throw error;
      } finally {
        enough.abort();
      }
    },

    /** Gives its id. The engine lets several of one name be: its own name is the id. `device`: of its bridge. */
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
      return having(labels, await ask({ path: ['networks'], query: { filters: labelled(labels) }, signal }));
    },

    removeNetwork: (id: string, signal: AbortSignal): Promise<void> =>
      unlessGone(ask({ method: 'DELETE', path: ['networks', id], signal })).catch((error) => {
        // So Docker says of one of a cluster's that somebody else removed at the same time, with the status 500.
        if (!(error instanceof EngineError && /^network \S+ not found$/.test(error.message))) throw error;
      }),

    /** One of that name that is there already stays as it is. */
    createVolume: (name: string, labels: Labels, signal: AbortSignal): Promise<void> =>
      ask({ method: 'POST', path: ['volumes', 'create'], body: { Name: name, Labels: labels }, signal }),

    /** What names it for as long as it has its data, and its machine: what a cluster calls that, where it belongs to one. */
    async identity(signal: AbortSignal): Promise<{ engine: string; machine: string }> {
      const { ID, Name, DockerRootDir, Swarm } = await ask<EngineInfo>({ path: ['info'], signal });
      // Podman's is another one each time, and several of Docker's on one machine may have one.
      const engine = `${connection.isPodman ? Name : ID} ${DockerRootDir}`;
      return { engine, machine: Swarm?.NodeID || engine };
    },

    async volumes(labels: Labels, signal: AbortSignal): Promise<{ Name: string; Labels: Labels }[]> {
      const query = { filters: labelled(labels) };
      const { Volumes: found } = await ask<{ Volumes: { Name: string; Labels: Labels }[] | null }>({
        path: ['volumes'],
        query,
        signal,
      });
      return having(labels, found ?? []);
    },

    /** Bytes of what containers have written beside their volumes, by their ids, and of volumes, by their names: all are looked through, as for `writtenBytes`. */
    async usage(
      signal: AbortSignal,
    ): Promise<{ containers: Map<string, number>; volumes: Map<string, number> }> {
      // An engine of before 23 does not know the word, and looks at its images besides.
      const query = { type: ['container', 'volume'] };
      const { Containers: containers, Volumes: volumes } = await lookOver(() =>
        ask<{
          Containers: { Id: string; SizeRw?: number }[] | null;
          Volumes: { Name: string; UsageData?: { Size: number } }[] | null;
        }>({ path: ['system', 'df'], query, signal }),
      );
      return {
        containers: new Map(containers?.map(({ Id, SizeRw }) => [Id, measured(SizeRw)])),
        volumes: new Map(volumes?.map(({ Name, UsageData }) => [Name, measured(UsageData?.Size)])),
      };
    },

    removeVolume: (name: string, signal: AbortSignal): Promise<void> =>
      unlessGone(ask({ method: 'DELETE', path: ['volumes', name], signal })),

    /** What becomes of containers with these labels from now on, until the signal, which rejects. */
    async *events(labels: Labels, signal: AbortSignal): AsyncGenerator<EngineEvent> {
      const query = { filters: { ...labelled(labels), type: ['container'] } };
      const told = values<EngineEvent>(await stream({ path: ['events'], query, signal }));
      for await (const event of told) if (hasAll(labels, event.Actor.Attributes)) yield event;
    },
  };
}

export type Entry =
  | { kind: 'other' }
  /** Its permissions; its owner is not told. */
  | { kind: 'folder'; mode: number }
  | { kind: 'file'; bytes: number }
  /** Where the engine takes it to lead at last, be anything there or not; letters that are no UTF-8 are U+FFFD. */
  | { kind: 'link'; end: string };

interface BuildTold {
  stream?: string;
  error?: string;
  errorDetail?: { code?: number; message?: string };
  aux?: { ID?: string };
}

/** As a Dockerfile says it. */
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

/** Those with all of these labels: to some lists of Podman's, one of several is enough. */
function having<T extends { Labels: Labels | null }>(labels: Labels, found: readonly T[]): T[] {
  return found.filter(({ Labels }) => hasAll(labels, Labels));
}

/** What is told while the engine brings or gives an image. */
async function untilDone(answer: Readable): Promise<void> {
  for await (const { error } of values<{ error?: string }>(answer)) {
    if (error !== undefined) throw refusalBy(500, error);
  }
}

/** What is 0 it leaves out, and says -1 of what it can't measure, such as folders nested beyond the longest path. */
function measured(bytes = 0): number {
  return bytes < 0 ? Number.POSITIVE_INFINITY : bytes;
}

export function partsOf(name: string): { repository: string; tag: string } {
  const at = name.lastIndexOf(':');
  return { repository: name.slice(0, at), tag: name.slice(at + 1) };
}

export function labelled(labels: Labels): { label?: string[] } {
  const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  // Podman takes no empty list.
  return label.length > 0 ? { label } : {};
}
