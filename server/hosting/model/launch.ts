import type { Artifact } from './artifact.ts';
import type { RunPlan } from './plan.ts';
import type { Variables } from './variables.ts';
import type { Volume } from './volume.ts';

/** Everything an instance is started from. */
export interface Launch {
  ownerId: string;
  environmentId: string;
  applicationId: string;
  deploymentId: string;
  releaseId: string;
  buildId: string;
  commit: string;
  /** The name of the preview it is of; null for production. */
  preview: string | null;
  /** The site's full address. */
  address: string;
  artifact: Artifact;
  plan: RunPlan;
  /** Such as `web`, which takes the site's requests, and which of them, from 1; how many, from that one on. */
  process: string;
  number: number;
  replicas: number;
  /** What it writes stands in the site's log beside what others do. */
  isOneOfSeveral: boolean;
  variables: Variables;
  healthPath: string;
  /** Folders that outlive releases, and where its processes find them. */
  volumes: readonly Volume[];
  /** Of several that take requests a visitor comes back to the same one. */
  sticky: boolean;
}
