import type { Logger } from '../../kernel/log.ts';
import { NoDeletion, type RegistryClient } from '../engine/registry-client.ts';
import type { MachineImages } from '../engine/swarm/machine-images.ts';
import { buildIdOf } from './image-names.ts';

// Images of builds outside of the engine that built them: in the registry, and on each machine of the cluster.

export interface ClusterImagesParts {
  client: RegistryClient;
  /** Name of an application's repository within the registry. */
  repositoryOf: (applicationId: string) => string;
  machines: MachineImages;
  log: Logger;
}

const EVERY_MS = 3_600_000;
const LONGEST_MS = 60_000;

export class ClusterImages {
  readonly #client: ClusterImagesParts['client'];
  readonly #repositoryOf: ClusterImagesParts['repositoryOf'];
  readonly #machines: ClusterImagesParts['machines'];
  readonly #log: ClusterImagesParts['log'];
  #canDelete = true;
  readonly #closing = new AbortController();
  readonly #gone = new Set<string>();
  #last = Number.NEGATIVE_INFINITY;
  #clean: Promise<void> = Promise.resolve();

  constructor(parts: ClusterImagesParts) {
    this.#client = parts.client;
    this.#repositoryOf = parts.repositoryOf;
    this.#machines = parts.machines;
    this.#log = parts.log;
  }

  /** Ids of builds that have images in the cluster's registry, whichever server made them. */
  async builds(applicationId: string, signal: AbortSignal): Promise<string[]> {
    const tags = this.#canDelete ? await this.#client.tags(this.#repositoryOf(applicationId), signal) : [];
    return [...new Set(tags.flatMap((tag) => buildIdOf(tag) ?? []))];
  }

  async prune(applicationId: string, builds: readonly string[], signal: AbortSignal): Promise<void> {
    this.#clearMachines();
    const prunedBuilds = new Set(builds);
    if (builds.length > 0) await this.#remove(applicationId, (build) => prunedBuilds.has(build), signal);
  }

  async forget(applicationId: string, signal: AbortSignal): Promise<void> {
    await this.#remove(applicationId, () => true, signal);
    this.#gone.add(applicationId);
    this.#clearMachines();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#clean;
  }

  /** Deletes the manifests of the given builds' tags, unless another tag refers to them. Throws a RegistryError. */
  async #remove(
    applicationId: string,
    isGone: (build: string) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    if (!this.#canDelete) return;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
    const repository = this.#repositoryOf(applicationId);
    const tags = await this.#client.tags(repository, inTime);
    const { gone = [], kept = [] } = Object.groupBy(tags, (tag) => {
      const build = buildIdOf(tag);
      return build !== undefined && isGone(build) ? 'gone' : 'kept';
    });
    if (gone.length === 0) return;
    const digests = async (tagNames: readonly string[]) => {
      const found = new Set<string>();
      for (const tag of tagNames) {
        const digest = await this.#client.digest(repository, tag, inTime);
        if (digest !== undefined) found.add(digest);
      }
      return found;
    };
    const digestsInUse = await digests(kept);
    for (const digest of (await digests(gone)).difference(digestsInUse)) {
      try {
        await this.#client.remove(repository, digest, inTime);
      } catch (error) {
        if (!(error instanceof NoDeletion)) throw error;
        this.#canDelete = false;
        this.#log.warn(`images of sites stay at the registry: ${error.message}`);
        return;
      }
    }
  }

  /** Removes images from the machines of the cluster, in the background. */
  #clearMachines(): void {
    if (this.#closing.signal.aborted || performance.now() - this.#last < EVERY_MS) return;
    this.#last = performance.now();
    const applicationIds = [...this.#gone];
    this.#gone.clear();
    this.#clean = this.#machines(applicationIds, this.#closing.signal).catch((error) => {
      for (const id of applicationIds) this.#gone.add(id);
      if (!this.#closing.signal.aborted)
        this.#log.warn({ err: error }, 'images could not be removed on each machine of the cluster');
    });
  }
}
