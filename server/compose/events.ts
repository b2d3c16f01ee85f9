import { checklistLabels } from '../compliance/messages.ts';
import { serveChecklist } from '../compliance/routes.ts';
import { organizerFaces, serveEvents } from '../events/routes.ts';
import { createEventStore } from '../events/store.ts';
import { serveGuestExport } from '../guests/export/routes.ts';
import { serveGuestImport } from '../guests/import/routes.ts';
import { createHub } from '../guests/live/hub.ts';
import { serveGuestStream } from '../guests/live/routes.ts';
import { fieldLabels as guestLabels } from '../guests/messages.ts';
import { serveGuests } from '../guests/routes.ts';
import { fillFreedPlaces } from '../guests/seating.ts';
import { createGuestStore } from '../guests/store.ts';
import { serveHistory } from '../history/routes.ts';
import { authenticateOrganizer } from '../identity/authenticate.ts';
import { createTokenReader } from '../identity/tokens.ts';
import { fieldLabels as invitationLabels } from '../invitations/messages.ts';
import { serveInvitations } from '../invitations/routes.ts';
import { listen } from '../kernel/database/notifications.ts';
import { createOnce, forgetOldAnswers } from '../kernel/writes/idempotency.ts';
import { retainNoLonger } from '../retention/daily.ts';
import { serveRetention } from '../retention/routes.ts';
import { serveAnswering } from '../rsvp/answering.ts';
import { createLinks } from '../rsvp/links.ts';
import { fieldLabels as sharingLabels } from '../sharing/messages.ts';
import { serveSharing } from '../sharing/routes.ts';
import { bookingLabels, vendorLabels } from '../vendors/messages.ts';
import { serveVendorArea } from '../vendors/routes.ts';
import type { Platform } from './platform.ts';

/** How errors sound on the events side: in Hebrew, with each area's names for its fields. */
export const eventFaces = organizerFaces({
  '/api/events': {
    ...guestLabels,
    ...invitationLabels,
    ...sharingLabels,
    ...bookingLabels,
    ...checklistLabels,
  },
  '/api/rsvp': guestLabels,
  '/api/shared-events': {},
  '/api/vendors': vendorLabels,
});

export interface EventSide {
  /** What happens every night: erases guests' data that is due, and tells organizers a week ahead. */
  retain(): Promise<void>;
}

/** Events, and all that belongs to one: guests and their answers, vendors, checklist, sharing, history, retention. */
export function composeEvents(platform: Platform): EventSide {
  const { config, log, clock, secret, database, jobs, mail, server } = platform;
  const { publicUrl } = config;
  const db = database.sql;
  const authenticate = authenticateOrganizer(server, createTokenReader(config, secret, clock));
  const once = createOnce(db, clock);
  const events = createEventStore(db, fillFreedPlaces);
  const links = createLinks(secret, publicUrl);
  const hub = createHub(db, (handlers) => listen('simcha_guests', handlers, { database, config, log }));

  serveEvents(server, { store: events, authenticate, once, clock });
  serveSharing(server, { db, events, authenticate, once, mail, publicUrl, clock });
  serveVendorArea(server, { db, authenticate, once, clock });
  serveChecklist(server, { db, authenticate, once, clock });
  serveHistory(server, authenticate, db);

  serveGuests(server, { store: createGuestStore(db), authenticate, once, clock });
  serveGuestImport(server, { authenticate, once, clock });
  serveGuestExport(server, { db, authenticate });
  serveGuestStream(server, { db, hub, authenticate });
  serveAnswering(server, { db, config, links, authenticate, once, clock });
  serveInvitations(server, { db, jobs, mail, links, authenticate, once, clock });

  serveRetention(server, { db, authenticate, once, clock });
  const retain = () => retainNoLonger({ db, mail, publicUrl, log }, clock());
  jobs.schedule('retention', '30 3 * * *', retain);
  jobs.schedule('forget-answers', '10 * * * *', () => forgetOldAnswers(db, clock()));
  return { retain };
}
