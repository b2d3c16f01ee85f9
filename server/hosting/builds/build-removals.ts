import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import type { Engine } from '../engine/engine.ts';
import { discardContainer } from '../engine/site-containers.ts';
import type { BuildName } from '../model/site-folders.ts';
import type { BuildCaches } from './build-caches.ts';
import { containerName } from './build-container.ts';

export interface BuildRemovalsParts {
  engine: Engine;
  caches: BuildCaches;
  log: Logger;
}

interface Removal {
  all: Promise<unknown>;
  hurry: () => void;
}

/** Removals of build containers, and of caches that have grown too large. */
export class BuildRemovals {
  readonly #parts: BuildRemovalsParts;
  /** Removals of build containers and caches that have not finished yet, by application id. */
  readonly #removals = new Map<string, Removal>();

  constructor(parts: BuildRemovalsParts) {
    this.#parts = parts;
  }

  /** Removes a build's container after a while. Resolves once it is gone; never rejects. */
  remove(name: BuildName, afterMs = 0): Promise<void> {
    const { applicationId } = name;
    const before = this.#removals.get(applicationId);
    const hurrying = new AbortController();
    const gone = this.#discard(name, afterMs, hurrying.signal);
    const emptied = gone.then(() => this.#emptyCaches(applicationId));
    const all = Promise.all([before?.all, emptied]).then(() => {
      if (this.#removals.get(applicationId)?.all === all) this.#removals.delete(applicationId);
    });
    const hurry = () => {
      before?.hurry();
      hurrying.abort();
    };
    this.#removals.set(applicationId, { all, hurry });
    return gone;
  }

  /** Removes an application's containers that are waiting for removal, at once. Resolves once they are gone. */
  async finish(applicationId: string): Promise<void> {
    this.#removals.get(applicationId)?.hurry();
    await this.#removals.get(applicationId)?.all;
  }

  async #discard(name: BuildName, afterMs: number, hurried: AbortSignal): Promise<void> {
    const { engine, log } = this.#parts;
    await sleep(afterMs, undefined, { signal: hurried, ref: false }).catch(() => {});
    await discardContainer(engine, containerName(name), log).catch((error) => this.#warn(error));
  }

  async #emptyCaches(applicationId: string): Promise<void> {
    await this.#parts.caches.emptyLarge(applicationId).catch((error) => this.#warn(error));
  }

  #warn(error: unknown): void {
    this.#parts.log.warn({ err: error }, 'a build container could not be removed');
  }
}
