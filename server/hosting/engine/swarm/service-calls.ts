import type { Connection } from '../connection.ts';
import { EngineError } from '../errors.ts';
import { type Labels, labelFilter } from '../labels.ts';
import { type LogLine, logLinesOf } from '../log-lines.ts';
import { ignoreMissing, undefinedIfMissing } from '../missing.ts';
import { NOWHERE, replicasIn } from './tasks.ts';
import type { Service, ServiceOrder, Task } from './types.ts';

/**
 * Number of attempts to change an object of a Docker Swarm: a change is refused if somebody else has changed the object
 * since it was read.
 */
const MOST_TRIES = 10;
const OUT_OF_SEQUENCE = /out of sequence/i;

/** Repeats a change of an object in the cluster if somebody else has changed the same object meanwhile. */
export async function retryOutOfSequence(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isLate = error instanceof EngineError && OUT_OF_SEQUENCE.test(error.message);
      if (!isLate || attempt === MOST_TRIES) throw error;
    }
  }
}

/**
 * Ignores an error 409: the object that should be created exists already, probably from an earlier call whose answer
 * was lost.
 */
export async function ignoreExisting(made: Promise<unknown>): Promise<void> {
  await made.catch((error) => {
    if (!(error instanceof EngineError) || error.status !== 409) throw error;
  });
}

/** Calls about services of a cluster. `registry`: headers with which machines pull images. */
export function serviceCalls({ ask }: Connection, registry: Readonly<Record<string, string>>) {
  const services = async (filters: object, signal: AbortSignal): Promise<Service[]> =>
    (await ask<Service[] | null>({ path: ['services'], query: { filters }, signal })) ?? [];

  const service = async (name: string, signal: AbortSignal): Promise<Service | undefined> => {
    // Docker's filter by name also finds services whose names only begin with this name, so names are compared here.
    const all = await services({ name: [name] }, signal);
    return all.find(({ Spec }) => Spec.Name === name);
  };

  /**
   * Changes a service if it exists. `changed` returns the new definition of the service, or undefined to leave it as it
   * is.
   */
  const change = (
    name: string,
    changed: (existing: Service) => ServiceOrder | undefined,
    signal: AbortSignal,
  ): Promise<void> =>
    retryOutOfSequence(async () => {
      const existing = await service(name, signal);
      const body = existing && changed(existing);
      if (!body) return;
      const path = ['services', existing.ID, 'update'];
      const query = { version: existing.Version.Index };
      await ask({ method: 'POST', path, query, body, headers: registry, signal });
    });

  return {
    service,

    services: (labels: Labels, signal: AbortSignal): Promise<Service[]> =>
      services(labelFilter(labels), signal),

    /** Creating a service whose name already exists does nothing. */
    async createService(order: ServiceOrder, signal: AbortSignal): Promise<void> {
      const path = ['services', 'create'];
      await ignoreExisting(ask({ method: 'POST', path, body: order, headers: registry, signal }));
    },

    /**
     * Changes a service's number of replicas. Does nothing if the number is already right, or the service does not
     * exist.
     */
    scale: (name: string, replicas: number, signal: AbortSignal): Promise<void> => {
      const Mode = { Replicated: { Replicas: replicas } };
      return change(
        name,
        (existing) => (replicasIn(existing) === replicas ? undefined : { ...existing.Spec, Mode }),
        signal,
      );
    },

    /**
     * Ends all tasks of a service but keeps their results, by a constraint that no machine satisfies. Does nothing if
     * it does not exist.
     */
    endService: (name: string, signal: AbortSignal): Promise<void> => {
      const Placement = { Constraints: [NOWHERE] };
      return change(
        name,
        ({ Spec }) => ({ ...Spec, TaskTemplate: { ...Spec.TaskTemplate, Placement } }),
        signal,
      );
    },

    removeService: (name: string, signal: AbortSignal): Promise<void> =>
      ignoreMissing(ask({ method: 'DELETE', path: ['services', name], signal })),
  };
}

/** Calls about the tasks of services; a task is a run of a service's container. */
export function taskCalls({ ask, stream }: Connection) {
  return {
    /** Tasks of services with these labels, including ended ones as far as the cluster keeps them. */
    tasks: async (labels: Labels, signal: AbortSignal): Promise<Task[]> =>
      (await ask<Task[] | null>({ path: ['tasks'], query: { filters: labelFilter(labels) }, signal })) ?? [],

    task: (id: string, signal: AbortSignal): Promise<Task | undefined> =>
      undefinedIfMissing(ask({ path: ['tasks', id], signal })),

    /**
     * Lines that a task wrote after `since` (seconds since 1970, with a fraction), in groups that arrived together.
     * With `follow`, the function waits for further lines until the signal aborts, which is an error, even after the
     * task has ended.
     */
    async *logs(
      task: string,
      { since, follow }: { since: string | undefined; follow: boolean },
      signal: AbortSignal,
    ): AsyncGenerator<LogLine[]> {
      const query = { stdout: true, stderr: true, timestamps: true, follow, since: since?.split('.')[0] };
      const path = ['tasks', task, 'logs'];
      yield* logLinesOf(await stream({ path, query, signal, mayTakeLong: true }), since);
    },
  };
}
