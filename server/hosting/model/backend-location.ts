import type { RunPlan } from './plan.ts';
import type { BuildName } from './site-folders.ts';

/** Where a site's requests go, as the database has it: in the words of no machine. */
export type BackendLocation = ServerTarget | ({ kind: 'files'; spa?: RunPlan['spa'] } & BuildName);

/** `origin` as in `http://127.0.0.1:41001`. */
export interface ServerTarget {
  kind: 'server';
  origin: string;
}
