import type { Caller } from '../tokens.ts';
import type { SubjectPaths } from './scopes.ts';

/** Check and paths of the events and applications to which access tokens can be restricted. */
export interface TokenSubjects {
  /** Beginnings of the routes about one event and about one application. */
  paths: SubjectPaths;
  isReadableEvent(caller: Caller, eventId: string): Promise<boolean>;
  isOwnApplication(accountId: string, applicationId: string): Promise<boolean>;
}
