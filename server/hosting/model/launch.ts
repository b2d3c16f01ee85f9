import type { Artifact } from './artifact.ts';
import type { RunPlan } from './plan.ts';
import type { ScopedVariables } from './variables.ts';
import type { VersionKind } from './version.ts';
import type { Volume } from './volume.ts';

/** Everything that is needed to start an instance of a site. */
export interface Launch {
  ownerId: string;
  environmentId: string;
  applicationId: string;
  deploymentId: string;
  releaseId: string;
  buildId: string;
  /** Hash of the commit, or the SHA-256 of the uploaded folder or of the image's manifest. */
  commit: string;
  /** Kind of source that the release was made from. */
  source: VersionKind;
  /** Name of the preview; null for production. */
  preview: string | null;
  /** Full address of the site. */
  address: string;
  artifact: Artifact;
  plan: RunPlan;
  /**
   * Name of the process, such as `web`, which takes the site's requests. The launch starts `replicas` replicas of it,
   * of which the first has the number `number` (from 1).
   */
  process: string;
  number: number;
  replicas: number;
  /** True if the process's output appears in the site's log beside that of other processes. */
  isOneOfSeveral: boolean;
  variables: ScopedVariables;
  healthPath: string;
  /** Folders that outlive releases, with the paths at which processes find them. */
  volumes: readonly Volume[];
  /** True if a visitor keeps the same replica (sticky sessions). */
  sticky: boolean;
}
