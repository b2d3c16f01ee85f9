import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../kernel/log.ts';
import { EngineError } from '../../engine/errors.ts';
import type { LogLine } from '../../engine/log-lines.ts';
import type { Swarm } from '../../engine/swarm/swarm.ts';
import type { Task } from '../../engine/swarm/types.ts';
import { createReplayBuffer } from '../replay-buffer.ts';
import type { WrittenLines } from '../runtime.ts';
import { siteLog } from '../site-log.ts';
import { serviceName } from './service-spec.ts';
import { byNumber, portsIn } from './state.ts';
import { type ClusterWatcher, LOOK_MS } from './watcher.ts';

/** Maximum size of unread lines, in UTF-16 code units. Lines are read at once, so few are ever unread. */
const MOST_KEPT = 2 ** 20;
/** Time that a task's last lines may take to arrive at its listeners, once it has ended. */
const LAST_LINES_MS = 500;
/** Time limit for reading all log lines of a task again after the task's end. */
const LAST_LOOK_MS = 5_000;

export interface ServiceLogsParts {
  swarm: Swarm;
  watcher: ClusterWatcher;
  log: Logger;
}

/** Logs of instances that are services, merged from all their tasks. */
export class ServiceLogs {
  readonly #parts: ServiceLogsParts;
  /** Promises for instances whose log is being read: each resolves once the whole log is read. */
  readonly #readings = new Map<string, Promise<void>>();
  /** Ports on which each instance listens, as it last reported. */
  readonly #listening = new Map<string, readonly number[]>();

  constructor(parts: ServiceLogsParts) {
    this.#parts = parts;
  }

  /** Lines of all tasks after `since`, until the instance is gone and all lines are read, or the signal aborts. */
  async *read(
    instance: string,
    since: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<WrittenLines> {
    const buffer = createReplayBuffer<WrittenLines>(MOST_KEPT, ({ lines }) =>
      lines.reduce((sum, line) => sum + line.length + 1, 0),
    );
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    const all = this.#followTasks(instance, since, until, (lines) => buffer.put(lines)).finally(() =>
      buffer.end(),
    );
    const reading = all.catch(() => {});
    this.#readings.set(instance, reading);
    try {
      yield* buffer.fromStart(signal);
      if (!signal.aborted) await all;
    } finally {
      over.abort();
      if (this.#readings.get(instance) === reading) this.#readings.delete(instance);
    }
  }

  /** Lines of one task after `since`, until it has ended; lines with which it reports its ports are left out. */
  async *readTask(
    instance: string,
    task: string,
    since: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<WrittenLines> {
    const report = `${instance} listens`;
    for await (const written of siteLog((behind) => this.#linesOf(task, behind, signal), since, signal)) {
      const last = written.lines.findLast((line) => line.startsWith(report));
      if (last === undefined) yield written;
      else {
        this.#listening.set(instance, portsIn(last.slice(report.length)));
        const lines = written.lines.filter((line) => !line.startsWith(report));
        if (lines.length > 0) yield { ...written, lines };
      }
    }
  }

  listening(instance: string): readonly number[] | undefined {
    return this.#listening.get(instance);
  }

  /** Deletes the reported ports of an instance that is being stopped. */
  forget(instance: string): void {
    this.#listening.delete(instance);
  }

  /** Waits until the readers of an ended instance have its last lines, but not for long. */
  async untilRead(instance: string): Promise<void> {
    await Promise.race([this.#readings.get(instance), sleep(LAST_LOOK_MS, undefined, { ref: false })]);
  }

  /** Passes on the lines of each task of an instance, until the instance is gone and all lines are passed on. */
  async #followTasks(
    instance: string,
    since: number | undefined,
    signal: AbortSignal,
    put: (written: WrittenLines) => void,
  ): Promise<void> {
    const { watcher, log } = this.#parts;
    const followed = new Map<string, Promise<void>>();
    const finished = new Set<string>();
    let numbers = new Map<string, number>();
    const follow = async ({ ID }: Task): Promise<void> => {
      try {
        for await (const written of this.readTask(instance, ID, since, signal))
          put({ ...written, number: numbers.get(ID) ?? 1 });
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'what a site wrote could not be read');
      }
      finished.add(ID);
    };
    for await (const { services } of watcher.states(signal)) {
      const service = services.get(serviceName(instance));
      if (!service) break;
      numbers = withNumbers(numbers, service.tasks);
      for (const task of service.tasks) {
        const hasStarted = task.Status.ContainerStatus?.ContainerID;
        if (hasStarted && !followed.has(task.ID)) followed.set(task.ID, follow(task));
      }
      const isFinished = service.tasks.every(({ ID }) => !followed.has(ID) || finished.has(ID));
      if (service.isEnding && isFinished) break;
    }
    await Promise.all(followed.values());
  }

  /**
   * All lines of one task after `since`, until the task ends. They are read twice, because a cluster does not report
   * the end of a log.
   */
  async *#linesOf(
    task: string,
    since: () => string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<LogLine[]> {
    const { swarm, watcher } = this.#parts;
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    const ended = watcher
      .untilOver(task, signal)
      .then(() => sleep(LAST_LINES_MS, undefined, { signal }))
      .finally(() => over.abort());
    ended.catch(() => {});
    while (!until.aborted) {
      try {
        yield* swarm.logs(task, { since: since(), follow: true }, until);
      } catch {
        // The task's machine may be gone, which the cluster reports a moment later.
      }
      await sleep(LOOK_MS, undefined, { signal: until }).catch(() => {});
    }
    await ended;
    yield* this.#lastLinesOf(task, since(), signal);
  }

  async *#lastLinesOf(
    task: string,
    since: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<LogLine[]> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(LAST_LOOK_MS)]);
    try {
      yield* this.#parts.swarm.logs(task, { since, follow: false }, inTime);
    } catch (error) {
      // The task's last lines are lost if its machine is gone.
      signal.throwIfAborted();
      if (!inTime.aborted && !(error instanceof EngineError)) throw error;
    }
  }
}

/** Numbers of replicas by task. A task that should no longer run keeps its number, for its last lines. */
function withNumbers(known: ReadonlyMap<string, number>, tasks: readonly Task[]): Map<string, number> {
  const current = [...byNumber(tasks)].flatMap(([number, all]) => all.map(({ ID }) => [ID, number] as const));
  return new Map([...known, ...current]);
}
