import type { Logger } from '../../kernel/log.ts';
import { NoDeletion, type RegistryClient } from '../engine/registry-client.ts';
import type { MachineImages } from '../engine/swarm/machine-images.ts';
import { buildIdOf } from './image-names.ts';

// Images of builds outside of the engine that made them: in the registry, and on each machine of the cluster.

export interface ClusterImagesParts {
  client: RegistryClient;
  /** Name of an application's repository within the registry. */
  repositoryOf: (applicationId: string) => string;
  machines: MachineImages;
  log: Logger;
}

const EVERY_MS = 3_600_000;
const LONGEST_MS = 60_000;

export type ClusterImages = ReturnType<typeof createClusterImages>;

export function createClusterImages({ client, repositoryOf, machines, log }: ClusterImagesParts) {
  let canDelete = true;
  const closing = new AbortController();

  /** Deletes the manifests of the given builds' tags, unless another tag refers to them. Throws a RegistryError. */
  const remove = async (
    applicationId: string,
    isGone: (build: string) => boolean,
    signal: AbortSignal,
  ): Promise<void> => {
    if (!canDelete) return;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
    const repository = repositoryOf(applicationId);
    const tags = await client.tags(repository, inTime);
    const { gone = [], kept = [] } = Object.groupBy(tags, (tag) => {
      const build = buildIdOf(tag);
      return build !== undefined && isGone(build) ? 'gone' : 'kept';
    });
    if (gone.length === 0) return;
    const digests = async (tagNames: readonly string[]) => {
      const found = new Set<string>();
      for (const tag of tagNames) {
        const digest = await client.digest(repository, tag, inTime);
        if (digest !== undefined) found.add(digest);
      }
      return found;
    };
    const digestsInUse = await digests(kept);
    for (const digest of (await digests(gone)).difference(digestsInUse)) {
      try {
        await client.remove(repository, digest, inTime);
      } catch (error) {
        if (!(error instanceof NoDeletion)) throw error;
        canDelete = false;
        log.warn(`images of sites stay at the registry: ${error.message}`);
        return;
      }
    }
  };

  const gone = new Set<string>();
  let last = Number.NEGATIVE_INFINITY;
  let clean: Promise<void> = Promise.resolve();
  /** Removes images on the machines in the background. */
  const clearMachines = (): void => {
    if (closing.signal.aborted || performance.now() - last < EVERY_MS) return;
    last = performance.now();
    const applicationIds = [...gone];
    gone.clear();
    clean = machines(applicationIds, closing.signal).catch((error) => {
      for (const id of applicationIds) gone.add(id);
      if (!closing.signal.aborted)
        log.warn({ err: error }, 'images could not be removed on each machine of the cluster');
    });
  };

  return {
    /** Builds that have images in the registry, whichever server made them. */
    async builds(applicationId: string, signal: AbortSignal): Promise<string[]> {
      const tags = canDelete ? await client.tags(repositoryOf(applicationId), signal) : [];
      return [...new Set(tags.flatMap((tag) => buildIdOf(tag) ?? []))];
    },

    async prune(applicationId: string, builds: readonly string[], signal: AbortSignal): Promise<void> {
      clearMachines();
      const prunedBuilds = new Set(builds);
      if (builds.length > 0) await remove(applicationId, (build) => prunedBuilds.has(build), signal);
    },

    async forget(applicationId: string, signal: AbortSignal): Promise<void> {
      await remove(applicationId, () => true, signal);
      gone.add(applicationId);
      clearMachines();
    },

    async close(): Promise<void> {
      closing.abort();
      await clean;
    },
  };
}
