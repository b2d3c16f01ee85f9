import { setTimeout as sleep } from 'node:timers/promises';
import type { BackendLocation } from '../../model/backend-location.ts';
import { createHeapWatch } from '../../model/reasons/heap.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { createReplayBuffer } from '../../runtimes/replay-buffer.ts';
import type { Instance, Replica } from '../../runtimes/runtime.ts';
import type { RunningInstance } from './running-instance.ts';

/** Longest wait for the last output of an instance that has ended. */
export const LAST_LINES_MS = 2_000;

/** An instance that the lease holder has started or adopted: its output, its replicas and its end. */
export class TrackedInstance {
  /** True once the runtime has confirmed that the instance runs: if the runtime lacks it later, it has ended. */
  isUp = false;
  readonly #memoryMb: number;
  readonly #ended = Promise.withResolvers<Reason>();
  readonly #written = Promise.withResolvers<void>();
  readonly #heap = createHeapWatch();
  /** Latest states of the instance's replicas. */
  readonly #replicas = createReplayBuffer<readonly Replica[]>(1);

  constructor(memoryMb: number) {
    this.#memoryMb = memoryMb;
  }

  /** Takes output of the instance, which may say why the instance ends. */
  addOutput(lines: readonly string[]): void {
    this.#heap.add(lines);
  }

  /** Records that all output of the instance is in the log. */
  endOutput(): void {
    this.#written.resolve();
  }

  /** Waits until all output of the instance is in the log, for a short time at most. */
  async outputEnded(): Promise<void> {
    await Promise.race([this.#written.promise, sleep(LAST_LINES_MS, undefined, { ref: false })]);
  }

  /** Records the state of the instance that the runtime reports. */
  note({ replicas, ended }: Instance): void {
    if (ended) void this.outputEnded().then(() => this.#ended.resolve(this.explain(ended)));
    else this.#replicas.put(replicas);
  }

  end(how: Reason): void {
    this.#ended.resolve(how);
  }

  /** Ends the stream of the replicas' states, once the instance is no longer tracked. */
  close(): void {
    this.#replicas.end();
  }

  /**
   * Replaces the signal or exit code with which the instance ended by the cause, if its output reported a full heap.
   */
  explain(how: Reason): Reason {
    return this.#heap.isCauseOf(how) ? reason('heap_full', { mebibytes: this.#memoryMb }) : how;
  }

  /**
   * Running instance, as other modules use it; undefined if the instance has ended. `groupsReplicas`: true if the
   * instance has replicas to follow.
   */
  toRunning(state: Instance, groupsReplicas: boolean): RunningInstance | undefined {
    const { instance, port, pinnedTo } = state;
    if (state.ended) return undefined;
    const replicas = {
      first: state.replicas,
      changes: (signal: AbortSignal) => this.#replicas.fromStart(signal),
    };
    return {
      id: instance,
      targets: targetsOf(state),
      port,
      pinnedTo,
      ended: this.#ended.promise,
      ...(groupsReplicas && { replicas }),
    };
  }
}

/** Addresses to which an instance's requests go. */
export function targetsOf({ replicas }: Pick<Instance, 'replicas'>): BackendLocation[] {
  return replicas.flatMap(({ origin }) => (origin === undefined ? [] : [{ kind: 'server', origin }]));
}
