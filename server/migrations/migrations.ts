import type { Migrations } from '../kernel/database/migrate.ts';
import * as events from './0001-events.ts';
import * as identity from './0010-identity.ts';
import * as mail from './0010-mail.ts';
import * as applications from './0011-applications.ts';
import * as deployments from './0012-deployments.ts';
import * as domains from './0013-domains.ts';
import * as guests from './0020-guests.ts';
import * as rsvp from './0021-rsvp.ts';
import * as invitations from './0022-invitations.ts';
import * as writes from './0030-writes.ts';
import * as coOrganizers from './0031-co-organizers.ts';
import * as vendors from './0032-vendors.ts';
import * as checklist from './0033-checklist.ts';
import * as retention from './0034-retention.ts';
import * as announcing from './0035-announcing.ts';

/** Every step of the schema, oldest first. A released step is never edited: add the next one. */
export const migrations: Migrations = {
  '0001-events': events,
  '0010-identity': identity,
  '0010-mail': mail,
  '0011-applications': applications,
  '0020-guests': guests,
  '0021-rsvp': rsvp,
  '0022-invitations': invitations,
  '0030-writes': writes,
  '0031-co-organizers': coOrganizers,
  '0032-vendors': vendors,
  '0033-checklist': checklist,
  '0034-retention': retention,
  '0035-announcing': announcing,
  '0013-domains': domains,
  '0012-deployments': deployments,
};
