import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../kernel/log.ts';
import type { Runtime } from '../../runtimes/runtime.ts';

export interface OrphanStopsParts {
  runtime: Pick<Runtime, 'stop'>;
  log: Logger;
  /** Signal that aborts at the end of the lease term; failures to stop an orphan are not logged any more then. */
  signal: AbortSignal;
}

/** Longest wait for orphaned instances to end, so that one that can't be stopped delays nothing else. */
const ENDED_MS = 15_000;

/** Stops orphans: instances that no site should run, such as those of an earlier lease holder. */
export class OrphanStops {
  readonly #parts: OrphanStopsParts;
  /**
   * Stops in progress, by instance. Each instance is told to stop once: repeated stop calls would use up the engine's
   * connections.
   */
  readonly #stopping = new Map<string, Promise<void>>();

  constructor(parts: OrphanStopsParts) {
    this.#parts = parts;
  }

  /** Resolves once these orphaned instances have ended, or some time later. Failures are logged. */
  async stop(ids: readonly string[]): Promise<void> {
    const ended = ids.map((id) => this.#stopping.get(id) ?? this.#stop(id));
    await Promise.race([Promise.all(ended), sleep(ENDED_MS, undefined, { ref: false })]);
  }

  #stop(id: string): Promise<void> {
    const { runtime, log, signal } = this.#parts;
    const stopping = runtime
      .stop(id, 0)
      .catch((error) => {
        if (!signal.aborted)
          log.warn({ err: error, instance: id }, 'what nobody wants could not be ended; trying again');
      })
      .finally(() => this.#stopping.delete(id));
    this.#stopping.set(id, stopping);
    return stopping;
  }
}
