import type { Caller } from '../tokens.ts';
import type { SubjectPaths } from './scopes.ts';

/** Checks of events and applications to which access tokens can be restricted, and the paths of their routes. */
export interface TokenSubjects {
  /** Beginnings of the routes about one event and about one application. */
  paths: SubjectPaths;
  isReadableEvent(caller: Caller, eventId: string): Promise<boolean>;
  isOwnApplication(accountId: string, applicationId: string): Promise<boolean>;
}
