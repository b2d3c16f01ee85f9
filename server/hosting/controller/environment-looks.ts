import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';

export interface EnvironmentLooksParts {
  look: (environmentId: string) => Promise<void>;
  /** Resolves when the environment's deployment ends; undefined if none is being worked on. */
  whenDeployed: (environmentId: string) => Promise<void> | undefined;
  /** Delay before an environment that is being deployed is checked. */
  busyLookMs: number;
  /** Lease term: aborts once this server must no longer run the sites; then no environment is checked any more. */
  term: AbortSignal;
  log: Logger;
}

/**
 * Checks of environments, one at a time for each environment. A request during a check causes one more check after it,
 * which sees changes that the first one may have missed.
 */
export class EnvironmentLooks {
  readonly #parts: EnvironmentLooksParts;
  readonly #looking = new Map<string, 'once' | 'again'>();

  constructor(parts: EnvironmentLooksParts) {
    this.#parts = parts;
  }

  /** Requests that an environment is checked soon; nobody waits for it. */
  request(environmentId: string): void {
    if (this.#parts.term.aborted) return;
    if (this.#looking.has(environmentId)) {
      this.#looking.set(environmentId, 'again');
      return;
    }
    this.#looking.set(environmentId, 'once');
    void this.#look(environmentId);
  }

  async #look(environmentId: string): Promise<void> {
    const { look, whenDeployed, busyLookMs, term, log } = this.#parts;
    try {
      // The check waits for the end of the environment's deployment, since most changes meanwhile come from the
      // deployment.
      const deployed = whenDeployed(environmentId);
      if (deployed) await Promise.race([deployed, sleep(busyLookMs, undefined, { ref: false })]);
      await look(environmentId);
    } catch (error) {
      const about = { err: error, environment: environmentId };
      if (!term.aborted) log.warn(about, 'an environment could not be looked at');
    } finally {
      const again = this.#looking.get(environmentId) === 'again';
      this.#looking.delete(environmentId);
      if (again) this.request(environmentId);
    }
  }
}
