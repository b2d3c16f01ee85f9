import type { Logger } from '../../kernel/log.ts';

/** Minimum time between two records of visits to the same preview. */
export const NOTED_MS = 60_000;

/** Activity of previews, which fall asleep when nobody visits them. */
export interface PreviewActivity {
  /** Records visits to these environments. */
  note(environmentIds: readonly string[]): Promise<void>;
  /** Asks the server that runs the sites to start a sleeping preview. */
  wake(environmentId: string): Promise<void>;
}

export interface PreviewTrackerParts {
  previews: PreviewActivity;
  /** Called when a sleeping preview was asked to start. */
  onWoken(environmentId: string): Promise<void>;
  log: Logger;
}

/** Records visits to previews now and then, and wakes previews that are asleep. */
export class PreviewTracker {
  readonly #parts: PreviewTrackerParts;
  readonly #waking = new Set<string>();
  /** Time of the last recorded visit per preview. */
  readonly #noted = new Map<string, number>();

  constructor(parts: PreviewTrackerParts) {
    this.#parts = parts;
  }

  wake(environmentId: string): void {
    if (this.#waking.has(environmentId)) return;
    this.#waking.add(environmentId);
    const { previews, onWoken, log } = this.#parts;
    previews
      .wake(environmentId)
      .then(() => onWoken(environmentId))
      .catch((error) => log.warn({ err: error, environment: environmentId }, 'a preview could not be woken'))
      .finally(() => this.#waking.delete(environmentId));
  }

  note(environmentId: string): void {
    this.noteAll([environmentId]).catch((error) => {
      this.#noted.delete(environmentId);
      this.#parts.log.warn({ err: error }, 'a visit to a preview could not be recorded');
    });
  }

  async noteAll(environmentIds: readonly string[]): Promise<void> {
    const now = performance.now();
    const due = environmentIds.filter(
      (id) => now - (this.#noted.get(id) ?? Number.NEGATIVE_INFINITY) >= NOTED_MS,
    );
    if (due.length === 0) return;
    for (const id of due) this.#noted.set(id, now);
    await this.#parts.previews.note(due);
  }

  forget(environmentId: string): void {
    this.#noted.delete(environmentId);
  }
}
