import type { Migrations } from '../kernel/database/migrate.ts';
import * as events from './0001-events.ts';
import * as identity from './0010-identity.ts';
import * as mail from './0010-mail.ts';
import * as applications from './0011-applications.ts';
import * as deployments from './0012-deployments.ts';

/** Every step of the schema, oldest first. A released step is never edited: add the next one. */
export const migrations: Migrations = {
  '0001-events': events,
  '0010-identity': identity,
  '0010-mail': mail,
  '0011-applications': applications,
  '0012-deployments': deployments,
};
