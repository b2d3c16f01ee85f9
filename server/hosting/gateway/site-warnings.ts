import type { Logger } from '../../kernel/log.ts';
import type { Backend } from './backend.ts';
import type { UpstreamFailure } from './exchange.ts';
import type { Site } from './routing-table.ts';

/** Minimum time between two warnings about the same site. */
const WARNING_MS = 10_000;

/** Warnings about sites, limited so that someone who makes a site fail on purpose can't fill the log. */
export class SiteWarnings {
  readonly #log: Logger;
  /**
   * For each backend, the time of the last warning about it, and the number of warnings that were left out since then.
   */
  readonly #last = new WeakMap<Backend, { at: number; more: number }>();

  constructor(log: Logger) {
    this.#log = log;
  }

  warn(
    site: Pick<Site, 'environmentId' | 'backends'> | undefined,
    about: { failure?: UpstreamFailure; err: Error },
    message: string,
  ): void {
    const [backend] = site?.backends ?? [];
    const last = backend && this.#last.get(backend);
    const now = performance.now();
    if (last && now < last.at + WARNING_MS) {
      last.more += 1;
      return;
    }
    if (backend) this.#last.set(backend, { at: now, more: 0 });
    const more = last?.more ? { more_since_the_last: last.more } : {};
    this.#log.warn({ site: site?.environmentId, ...about, ...more }, message);
  }
}
