import type { Logger } from '../../kernel/log.ts';
import type { ClusterErrand } from '../engine/cluster-errand.ts';
import type { Task } from '../engine/swarm.ts';
import type { Instance } from './runtime.ts';

/** For so long one may run before its machine tells at which port; mostly it tells both at once. */
const UNTOLD_MS = 10_000;
/** Ends those containers that are this machine's. */
const END = `for id in "$@"; do
  [ -z "$(docker ps --quiet --no-trunc --filter id="$id")" ] || docker stop --time 5 "$id" >/dev/null || exit 1
done`;

export interface PortsParts {
  errand: ClusterErrand;
  log: Logger;
  now?: () => number;
}

/**
 * The ports at which machines pass requests on. A cluster loses some, once its managers have another leader or a machine is very busy,
 * and never finds them again: what was told before holds, for a container keeps its port to its end, and of what was never told of the
 * container is ended, upon which the cluster starts another.
 */
export function createPorts({ errand, log, now = () => performance.now() }: PortsParts) {
  const told = new Map<string, Task['Status']['PortStatus']>();
  const untoldSince = new Map<string, number>();
  const ended = new Set<string>();
  let isEnding = false;

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

    /** Is told all there is, again and again, and ends what has run for too long at no port that is known. */
    async mend(
      instances: readonly Instance[],
      tasks: ReadonlyMap<string, Task>,
      signal: AbortSignal,
    ): Promise<void> {
      for (const known of [told, ended, untoldSince])
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
      const late = [...untoldSince].flatMap(([id, since]) => (now() - since >= UNTOLD_MS ? id : []));
      if (late.length === 0 || isEnding) return;
      isEnding = true;
      try {
        log.warn({ tasks: late }, 'these run at no port that is known; others are started in their place');
        for (const id of late) ended.add(id);
        const containers = late.flatMap((id) => tasks.get(id)?.Status.ContainerStatus?.ContainerID ?? []);
        await errand(END, containers, signal);
      } catch (error) {
        for (const id of late) {
          ended.delete(id);
          untoldSince.delete(id);
        }
        if (!signal.aborted)
          log.warn({ err: error }, 'what runs at no port could not be ended; trying again');
      } finally {
        isEnding = false;
      }
    },
  };
}
