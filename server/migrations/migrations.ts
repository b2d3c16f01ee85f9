import type { Migrations } from '../kernel/database/migrate.ts';
import * as events from './0001-events.ts';

/** Every step of the schema, oldest first. A released step is never edited: add the next one. */
export const migrations: Migrations = {
  '0001-events': events,
};
