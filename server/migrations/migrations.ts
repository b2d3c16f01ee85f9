import type { Migrations } from '../kernel/database/migrate.ts';
import * as events from './0001-events.ts';
import * as identity from './0010-identity.ts';
import * as mail from './0010-mail.ts';
import * as applications from './0011-applications.ts';

/** Every step of the schema, oldest first. A released step is never edited: add the next one. */
export const migrations: Migrations = {
  '0001-events': events,
  '0010-identity': identity,
  '0010-mail': mail,
  '0011-applications': applications,
};
