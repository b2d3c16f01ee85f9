import type { ServerTarget } from '../gateway/routing-table.ts';
import type { RunPlan } from './plan.ts';
import type { BuildName } from './site-folders.ts';

/** Where a site's requests go, as the database has it: in the words of no machine. */
export type BackendLocation = ServerTarget | ({ kind: 'files'; spa?: RunPlan['spa'] } & BuildName);
