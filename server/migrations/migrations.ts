import type { Migrations } from '../kernel/database/migrate.ts';
import * as events from './0001-events.ts';
import * as guests from './0020-guests.ts';
import * as rsvp from './0021-rsvp.ts';

/** Every step of the schema, oldest first. A released step is never edited: add the next one. */
export const migrations: Migrations = {
  '0001-events': events,
  '0020-guests': guests,
  '0021-rsvp': rsvp,
};
