import type { Logger } from '../../../kernel/log.ts';
import type { RunNodeJob } from '../../engine/swarm/node-job.ts';
import type { Task } from '../../engine/swarm/types.ts';
import type { Instance } from '../runtime.ts';

/** Time that a task may run without a known port before its machine is asked for it; most ports are known at once. */
const ASK_MS = 1_000;
const ANSWER_MS = 20_000;
/** Time after which a task whose port is still unknown is ended. */
const UNTOLD_MS = 10_000;
/** Shell script that prints the ports of the given containers that run on this machine: `<id> 8080/tcp=32768`. */
const ASK = `docker inspect --format \
  '{{.Id}}{{range $port, $all := .NetworkSettings.Ports}}{{range $all}} {{$port}}={{.HostPort}}{{end}}{{end}}' "$@" 2>/dev/null || true`;
/** Shell script that ends the given containers that run on this machine. */
const END = `for id in "$@"; do
  [ -z "$(docker ps --quiet --no-trunc --filter id="$id")" ] || docker stop --time 5 "$id" >/dev/null || exit 1
done`;

export interface PortsParts {
  runNodeJob: RunNodeJob;
  log: Logger;
  now?: () => number;
}

type TasksById = ReadonlyMap<string, Task>;

/**
 * Ports of machines from which requests are forwarded to tasks. A cluster loses some of these ports when its managers
 * get another leader or a machine is very busy, and never finds them again. A known port stays valid, because a
 * container keeps its port until its end. For an unknown port, the task's machine is asked. If the machine does not
 * know the port either, the task is ended, and the cluster starts another.
 */
export class Ports {
  readonly #runNodeJob: RunNodeJob;
  readonly #log: Logger;
  readonly #now: () => number;
  /** Known ports of tasks, by task id. */
  readonly #known = new Map<string, Task['Status']['PortStatus']>();
  /** Times since which tasks run without a known port, by task. */
  readonly #unknownSince = new Map<string, number>();
  /** Ids of tasks whose machines were asked for the port. */
  readonly #asked = new Set<string>();
  /** Ids of tasks that this server has ended. */
  readonly #ended = new Set<string>();
  #isRepairing = false;

  constructor({ runNodeJob, log, now = () => performance.now() }: PortsParts) {
    this.#runNodeJob = runNodeJob;
    this.#log = log;
    this.#now = now;
  }

  /**
   * Adds the known ports to tasks for which the cluster no longer reports them. Tasks that this server has ended are
   * left out, because they did not end by themselves.
   */
  withKnownPorts(tasks: readonly Task[]): Task[] {
    return tasks
      .filter(({ ID }) => !this.#ended.has(ID))
      .map((task) => {
        const { ID, Status } = task;
        if (Status.PortStatus?.Ports?.length) this.#known.set(ID, Status.PortStatus);
        const PortStatus = this.#known.get(ID);
        return PortStatus === undefined ? task : { ...task, Status: { ...Status, PortStatus } };
      });
  }

  /**
   * Asks machines for the ports of tasks that the cluster does not know, and ends tasks that have run too long without
   * a known port. Called each time the cluster's state was read; if an earlier call is still at work, nothing is asked.
   * Never rejects.
   */
  async repair(instances: readonly Instance[], tasks: TasksById, signal: AbortSignal): Promise<void> {
    this.#note(instances, tasks);
    if (this.#isRepairing) return;
    this.#isRepairing = true;
    try {
      const unasked = this.#unknownFor(ASK_MS).filter((id) => !this.#asked.has(id));
      const late = this.#unknownFor(UNTOLD_MS);
      if (unasked.length > 0) await this.#askMachines(unasked, tasks, signal);
      else if (late.length > 0) await this.#end(late, tasks, signal);
    } finally {
      this.#isRepairing = false;
    }
  }

  /** Records which tasks run without a known port, and deletes records of tasks that are gone. */
  #note(instances: readonly Instance[], tasks: TasksById): void {
    for (const ids of [this.#known, this.#asked, this.#ended, this.#unknownSince])
      for (const id of ids.keys()) if (!tasks.has(id)) ids.delete(id);
    const unknown = new Set(instances.flatMap(replicasWithoutPort));
    for (const id of this.#unknownSince.keys()) if (!unknown.has(id)) this.#unknownSince.delete(id);
    for (const id of unknown) this.#unknownSince.set(id, this.#unknownSince.get(id) ?? this.#now());
  }

  /** Tasks whose port has been unknown for longer than `ms`. */
  #unknownFor(ms: number): string[] {
    return [...this.#unknownSince].flatMap(([id, since]) => (this.#now() - since >= ms ? [id] : []));
  }

  /**
   * Asks machines for their tasks' ports: a server that has just started does not know which ports the cluster lost
   * before.
   */
  async #askMachines(ids: readonly string[], tasks: TasksById, signal: AbortSignal): Promise<void> {
    const { containers, nodes } = containersOf(ids, tasks);
    const onLine = (line: string) => {
      const [container = '', ...ports] = line.split(' ');
      const id = containers.get(container);
      const Ports = ports.flatMap(portIn);
      if (id !== undefined && Ports.length > 0) this.#known.set(id, { Ports });
    };
    for (const id of ids) this.#asked.add(id);
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
      await this.#runNodeJob(ASK, [...containers.keys()], inTime, { nodes, onLine });
    } catch (error) {
      if (!signal.aborted) this.#log.warn({ err: error }, 'no machine told at which port what it runs is');
    }
  }

  /**
   * Ends tasks whose ports stay unknown. If a task can't be ended, ending it is tried again after the same waiting
   * time.
   */
  async #end(ids: readonly string[], tasks: TasksById, signal: AbortSignal): Promise<void> {
    this.#log.warn({ tasks: ids }, 'these run at no port that is known; others are started in their place');
    const { containers, nodes } = containersOf(ids, tasks);
    for (const id of ids) this.#ended.add(id);
    try {
      await this.#runNodeJob(END, [...containers.keys()], signal, { nodes });
    } catch (error) {
      for (const id of ids) {
        this.#ended.delete(id);
        this.#unknownSince.delete(id);
      }
      if (!signal.aborted)
        this.#log.warn({ err: error }, 'what runs at no port could not be ended; trying again');
    }
  }
}

/**
 * Names of an instance's running replicas whose port is unknown, if the instance takes requests. A replica's name is
 * the id of its task.
 */
function replicasWithoutPort({ port, replicas }: Instance): string[] {
  const unknown = replicas.filter(({ origin, down }) => port !== undefined && origin === undefined && !down);
  return unknown.map(({ name }) => name);
}

/** Containers of tasks, with their task's id, and the machines they are on. */
function containersOf(ids: readonly string[], tasks: TasksById) {
  const all = ids.flatMap((id) => tasks.get(id) ?? []);
  return {
    containers: new Map(all.map(({ ID, Status }) => [Status.ContainerStatus?.ContainerID ?? '', ID])),
    nodes: new Set(all.map(({ NodeID = '' }) => NodeID)),
  };
}

/**
 * Port of a container and the machine's port that forwards to it, from a word such as `8080/tcp=32768`; empty for other
 * words.
 */
function portIn(word: string): { TargetPort: number; PublishedPort: number }[] {
  const [, target, published] = /^(\d{1,5})\/tcp=(\d{1,5})$/.exec(word) ?? [];
  return target && published ? [{ TargetPort: Number(target), PublishedPort: Number(published) }] : [];
}
