import type { Logger } from '../../../kernel/log.ts';
import type { RunNodeJob } from '../../engine/swarm/node-job.ts';
import type { Task } from '../../engine/swarm/types.ts';
import type { Instance } from '../runtime.ts';

/** For so long one may run before its machine is asked at which port; mostly that is told at once. */
const ASK_MS = 1_000;
const ANSWER_MS = 20_000;
/** And so long until it is ended. */
const UNTOLD_MS = 10_000;
/** Says of those containers that are this machine's at which of its ports they are: `<id> 8080/tcp=32768`. */
const ASK = `docker inspect --format \
  '{{.Id}}{{range $port, $all := .NetworkSettings.Ports}}{{range $all}} {{$port}}={{.HostPort}}{{end}}{{end}}' "$@" 2>/dev/null || true`;
/** Ends those containers that are this machine's. */
const END = `for id in "$@"; do
  [ -z "$(docker ps --quiet --no-trunc --filter id="$id")" ] || docker stop --time 5 "$id" >/dev/null || exit 1
done`;

export interface PortsParts {
  runNodeJob: RunNodeJob;
  log: Logger;
  now?: () => number;
}

/**
 * The ports at which machines pass requests on. A cluster loses some, once its managers have another leader or a machine is very busy,
 * and never finds them again: what was told before holds, for a container keeps its port to its end; of others the machine is asked,
 * and what that does not know either is ended, upon which the cluster starts another.
 */
export function createPorts({ runNodeJob, log, now = () => performance.now() }: PortsParts) {
  const told = new Map<string, Task['Status']['PortStatus']>();
  const untoldSince = new Map<string, number>();
  const asked = new Set<string>();
  const ended = new Set<string>();
  let isBusy = false;

  const jobOn = (ids: readonly string[], tasks: ReadonlyMap<string, Task>) => {
    const all = ids.flatMap((id) => tasks.get(id) ?? []);
    return {
      containers: new Map(all.map(({ ID, Status }) => [Status.ContainerStatus?.ContainerID ?? '', ID])),
      on: new Set(all.map(({ NodeID = '' }) => NodeID)),
    };
  };

  /** A server that has just begun was told nothing of what the cluster has lost before. */
  const askMachines = async (
    ids: readonly string[],
    tasks: ReadonlyMap<string, Task>,
    signal: AbortSignal,
  ): Promise<void> => {
    const { containers, on } = jobOn(ids, tasks);
    const hear = (line: string) => {
      const [container = '', ...ports] = line.split(' ');
      const id = containers.get(container);
      const Ports = ports.flatMap(portIn);
      if (id !== undefined && Ports.length > 0) told.set(id, { Ports });
    };
    for (const id of ids) asked.add(id);
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
      await runNodeJob(ASK, [...containers.keys()], inTime, { nodes: on, onLine: hear });
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'no machine told at which port what it runs is');
    }
  };

  const end = async (
    ids: readonly string[],
    tasks: ReadonlyMap<string, Task>,
    signal: AbortSignal,
  ): Promise<void> => {
    log.warn({ tasks: ids }, 'these run at no port that is known; others are started in their place');
    const { containers, on } = jobOn(ids, tasks);
    for (const id of ids) ended.add(id);
    try {
      await runNodeJob(END, [...containers.keys()], signal, { nodes: on });
    } catch (error) {
      for (const id of ids) {
        ended.delete(id);
        untoldSince.delete(id);
      }
      if (!signal.aborted) log.warn({ err: error }, 'what runs at no port could not be ended; trying again');
    }
  };

  return {
    /** As they would be had nothing been lost; what was ended here is none of them, for it did not end by itself. */
    asTold: (tasks: readonly Task[]): Task[] =>
      tasks
        .filter(({ ID }) => !ended.has(ID))
        .map((task) => {
          const { ID, Status } = task;
          if (Status.PortStatus?.Ports?.length) told.set(ID, Status.PortStatus);
          const PortStatus = told.get(ID);
          return PortStatus === undefined ? task : { ...task, Status: { ...Status, PortStatus } };
        }),

    /** Is told all there is, again and again: asks for ports that are not known, and ends what has run for too long without one. Never rejects. */
    async mend(
      instances: readonly Instance[],
      tasks: ReadonlyMap<string, Task>,
      signal: AbortSignal,
    ): Promise<void> {
      for (const known of [told, asked, ended, untoldSince])
        for (const id of known.keys()) if (!tasks.has(id)) known.delete(id);
      const untold = new Set(
        instances.flatMap(({ port, replicas }) =>
          replicas
            .filter(({ origin, down }) => port !== undefined && origin === undefined && !down)
            .map(({ name }) => name),
        ),
      );
      for (const id of untoldSince.keys()) if (!untold.has(id)) untoldSince.delete(id);
      for (const id of untold) untoldSince.set(id, untoldSince.get(id) ?? now());
      if (isBusy) return;
      isBusy = true;
      try {
        const after = (ms: number) =>
          [...untoldSince].flatMap(([id, since]) => (now() - since >= ms ? [id] : []));
        const unasked = after(ASK_MS).filter((id) => !asked.has(id));
        const late = after(UNTOLD_MS);
        if (unasked.length > 0) await askMachines(unasked, tasks, signal);
        else if (late.length > 0) await end(late, tasks, signal);
      } finally {
        isBusy = false;
      }
    },
  };
}

/** In words such as `8080/tcp=32768`. */
function portIn(word: string): { TargetPort: number; PublishedPort: number }[] {
  const [, target, published] = /^(\d{1,5})\/tcp=(\d{1,5})$/.exec(word) ?? [];
  return target && published ? [{ TargetPort: Number(target), PublishedPort: Number(published) }] : [];
}
