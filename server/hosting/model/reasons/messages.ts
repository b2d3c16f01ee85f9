import { buildReasons } from './messages/build.ts';
import { deploymentReasons } from './messages/deployment.ts';
import { endingReasons } from './messages/endings.ts';
import { imageReasons } from './messages/images.ts';
import { planFileReasons } from './messages/plan-file.ts';
import { repositoryReasons } from './messages/repository.ts';
import { sourceReasons } from './messages/source.ts';
import { startReasons } from './messages/start.ts';

/**
 * Reasons why a deployment did not go live, and events of a site. Rows in the database hold the codes and their
 * parameters, so these must not change; the sentences may.
 */
export const reasonCatalogue = {
  ...endingReasons,
  ...repositoryReasons,
  ...sourceReasons,
  ...planFileReasons,
  ...imageReasons,
  ...buildReasons,
  ...startReasons,
  ...deploymentReasons,
} as const;
