import type { RunPlan } from './plan.ts';
import type { BuildName } from './site-folders.ts';

/** Destination of a site's requests as stored in the database, independent of any machine. */
export type BackendLocation = ServerTarget | ({ kind: 'files'; spa?: RunPlan['spa'] } & BuildName);

/** Server that takes a site's requests. `origin`: for example `http://127.0.0.1:41001`. */
export interface ServerTarget {
  kind: 'server';
  origin: string;
}
