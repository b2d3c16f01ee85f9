import { join } from 'node:path';
import { authenticateOrganizer, type OrganizerReader } from '../identity/authenticate.ts';
import type { Caller } from '../identity/tokens.ts';
import { listenForNotifications } from '../kernel/database/notifications.ts';
import { labelsOf } from '../kernel/field-types.ts';
import type { Platform } from '../kernel/platform.ts';
import { createUploads } from '../kernel/uploads.ts';
import { agendaFields } from './agenda/fields.ts';
import { serveAgenda } from './agenda/routes.ts';
import { serveAnswering } from './answers/compose.ts';
import { hasExpiredRequests, removeExpiredRequests } from './answers/expired-confirmations.ts';
import { requestSelectionFields, settingsFields } from './answers/fields.ts';
import { createLinks } from './answers/personal-links.ts';
import { messages as calendarMessages } from './calendar/messages.ts';
import { serveCalendar } from './calendar/routes.ts';
import { calendarOfEvent } from './calendar/store.ts';
import { factFields, progressFields } from './checklist/fields.ts';
import { serveChecklist } from './checklist/routes.ts';
import { coOrganizerFields } from './co-organizers/fields.ts';
import { serveSharing } from './co-organizers/routes.ts';
import { extentFields } from './copies/fields.ts';
import { serveCopies } from './copies/routes.ts';
import { sendDigests } from './digest/daily.ts';
import { mayReadEvent } from './events/access.ts';
import { serveDeletedEvents } from './events/deleted/routes.ts';
import { readEventAs as readEventOf } from './events/listeners.ts';
import { organizerErrorStyles, serveEvents } from './events/routes.ts';
import { createEventWriter } from './events/write.ts';
import { serveExamples } from './examples/routes.ts';
import { restoreExampleVendors } from './examples/store.ts';
import { feedFields } from './feeds/fields.ts';
import { serveFeeds } from './feeds/routes.ts';
import { createFeedAddresses } from './feeds/store.ts';
import { bulkFields } from './guests/bulk/fields.ts';
import { serveManyGuests } from './guests/bulk/routes.ts';
import { promoteAfterLimitChange } from './guests/capacity/waiting-list.ts';
import { serveDeletedGuests } from './guests/deleted/routes.ts';
import { serveGuestExport } from './guests/export/routes.ts';
import { overLimitFields } from './guests/fields.ts';
import { COLUMNS } from './guests/import/headings.ts';
import { serveGuestImport } from './guests/import/routes.ts';
import { deleteStaleStaging } from './guests/import/staging.ts';
import { serveGuests } from './guests/routes.ts';
import { serveHistory } from './history/routes.ts';
import { invitationFields } from './invitation/fields.ts';
import { servePicture } from './invitation/picture/routes.ts';
import { serveInvitation } from './invitation/routes.ts';
import { createHub } from './live/hub.ts';
import { serveGuestStream } from './live/routes.ts';
import { serveNotices } from './notices/routes.ts';
import { serveNumbers } from './numbers/routes.ts';
import { questionFields } from './questions/fields.ts';
import { serveQuestions } from './questions/routes.ts';
import { enforceRetention } from './retention/daily.ts';
import { serveRetention } from './retention/routes.ts';
import { confirmAnswers, hasAnswersToConfirm } from './rounds/answer-confirmations.ts';
import { callBodyFields } from './rounds/call-fields.ts';
import { sendDayBeforeMessages } from './rounds/day-before.ts';
import { roundFields } from './rounds/fields.ts';
import { mailReply } from './rounds/replies.ts';
import { serveRounds } from './rounds/routes.ts';
import { serveToday } from './today/routes.ts';
import { bookingFields, paymentFields, vendorFields } from './vendors/fields.ts';
import { serveVendorArea } from './vendors/routes.ts';
import { queueFailedMessage } from './webhooks/failed-message.ts';
import { queueWebhookMessages, readListeners } from './webhooks/follower.ts';

/** Form of the planning API's error responses: texts in Hebrew, with the labels of each area's fields. */
export const planningErrorStyles = organizerErrorStyles({
  '/api/events/:id/agenda': labelsOf(agendaFields),
  '/api/events/:id/bookings': labelsOf({ ...paymentFields, ...bookingFields }),
  '/api/events/:id/checklist': labelsOf({ ...factFields, ...progressFields }),
  '/api/events/:id/co-organizers': labelsOf(coOrganizerFields),
  '/api/events/:id/duplicate': labelsOf(extentFields),
  '/api/events/:id/guest-requests': labelsOf(requestSelectionFields),
  '/api/events/:id/guests': { ...labelsOf(COLUMNS), ...labelsOf({ ...bulkFields, ...overLimitFields }) },
  '/api/events/:id/invitation': labelsOf(invitationFields),
  '/api/events/:id/questions': labelsOf(questionFields),
  '/api/events/:id/rounds': { ...labelsOf(COLUMNS), ...labelsOf({ ...callBodyFields, ...roundFields }) },
  '/api/events/:id/rsvp': labelsOf(settingsFields),
  '/api/events/:id/vendors': labelsOf(vendorFields),
  '/api/events': {},
  '/api/calendar': { ...calendarMessages.asked, ...labelsOf(feedFields) },
  '/api/rsvp': labelsOf(COLUMNS),
  '/api/deleted-events': {},
  '/api/example-event': {},
  '/api/shared-events': {},
  '/api/today': {},
  '/api/vendors': labelsOf(vendorFields),
  '/c': {},
});

/** Scheduled work of the planning side, which tests can call at any time. */
export interface Planning {
  /** Erases guests' data that is due, and notifies organizers a week ahead. Runs every night. */
  enforceRetention(): Promise<void>;
  /** Runs several times a day: sends a message to guests who come, on the day before their event. */
  sendDayBeforeMessages(): Promise<void>;
  /** Mails organizers a summary of what guests did. Runs every morning. */
  sendDigests(): Promise<void>;
  /** Removes requests that nobody confirmed, and gives their places to the next in turn. Runs when one is due. */
  removeExpiredRequests(): Promise<void>;
  /** Mails guests the answers that they gave some minutes ago. Runs when one is due. */
  confirmAnswers(): Promise<void>;
}

/** Path with which all routes about one event begin. */
export const EVENT_PATH = '/api/events/:id';

/** True if an event exists and the caller may read it. */
export function isReadableEvent({ database }: Platform, caller: Caller, eventId: string): Promise<boolean> {
  return mayReadEvent(database.sql, caller, eventId);
}

/** Access of an account to an event, a deleted one too; undefined if it may not read the event. */
export function readEventAs(
  { database }: Platform,
  accountId: string,
  eventId: string,
): Promise<{ contacts: boolean } | undefined> {
  return readEventOf(database.sql, accountId, eventId);
}

/** Composes the planning side: events with their guests, answers, vendors, checklist, sharing, history, retention. */
export function composePlanning(
  platform: Platform,
  { readOrganizer }: { readOrganizer: OrganizerReader },
): Planning {
  const { config, log, clock, secret, database, encryption, jobs, mail, texts, server, transactOnce } =
    platform;
  const { publicUrl, accessibilityContact } = config;
  const db = database.sql;
  const authenticate = authenticateOrganizer(server, readOrganizer);
  const writer = createEventWriter(db, transactOnce, clock);
  const links = createLinks(secret, publicUrl);
  const hub = createHub(db, (handlers) =>
    listenForNotifications('simcha_history', handlers, { database, config, log }),
  );

  serveEvents(server, {
    db,
    writer,
    authenticate,
    transactOnce,
    clock,
    onChanged: promoteAfterLimitChange,
    dayAdvice: async (...of) => (await calendarOfEvent(...of)).advice,
  });
  serveDeletedEvents(server, { db, writer, authenticate, clock, beforeRestored: restoreExampleVendors });
  serveCopies(server, { writer, authenticate });
  serveExamples(server, { db, writer, authenticate, transactOnce, clock, publicUrl });
  serveToday(server, { db, mail, texts, authenticate, transactOnce, clock });
  serveSharing(server, { db, writer, authenticate, mail, publicUrl });
  serveVendorArea(server, { db, writer, authenticate, transactOnce, clock });
  serveChecklist(server, { db, writer, authenticate, clock });
  serveCalendar(server, { db, authenticate });
  serveFeeds(server, {
    db,
    publicUrl,
    authenticate,
    transactOnce,
    clock,
    addresses: createFeedAddresses(secret, publicUrl),
  });
  serveHistory(server, authenticate, db);

  serveQuestions(server, { db, writer, authenticate });
  serveGuests(server, { db, writer, authenticate });
  serveManyGuests(server, { db, writer, authenticate });
  serveDeletedGuests(server, { db, writer, authenticate, clock });
  const uploads = createUploads(join(config.dataDir, 'uploads'), log);
  void uploads.sweep();
  serveGuestImport(server, { db, writer, authenticate, transactOnce, clock, uploads });
  jobs.schedule('forget-staged-guests', '40 * * * *', () => deleteStaleStaging(db));
  serveGuestExport(server, { db, authenticate });
  serveNumbers(server, { db, authenticate, clock });
  serveGuestStream(server, { db, hub, authenticate, readOrganizer });
  const replies = { mail, links, host: new URL(publicUrl).hostname };
  serveAnswering(server, {
    db,
    writer,
    publicUrl,
    links,
    authenticate,
    transactOnce,
    clock,
    accessibilityContact,
    mail,
    encryption,
    mailLinkAgain: (write, id, recipient) => mailReply(replies, write, { id, ...recipient }, 'link_again'),
  });
  serveInvitation(server, { db, writer, authenticate });
  serveNotices(server, { db, texts, writer, authenticate });
  serveAgenda(server, { db, writer, authenticate });
  servePicture(server, { db, writer, authenticate, uploads, publicUrl });
  const { dayBefore } = serveRounds(server, {
    db,
    jobs,
    mail,
    texts,
    links,
    writer,
    authenticate,
    clock,
    publicUrl,
  });

  // Messages to webhooks come last: the other followers lock rows of messages, in the same order as their queues do.
  writer.followWith(readListeners, queueWebhookMessages);
  const queueFailed = queueFailedMessage(clock);
  mail.followRefusals(queueFailed);
  texts.followRefusals(queueFailed);

  serveRetention(server, { db, writer, authenticate });
  const scheduledWork: Planning = {
    enforceRetention: () => enforceRetention({ db, writer, mail, publicUrl, log }, clock()),
    sendDayBeforeMessages: () => sendDayBeforeMessages(dayBefore, clock()),
    sendDigests: () => sendDigests({ db, mail, publicUrl }, clock()),
    removeExpiredRequests: () => removeExpiredRequests({ db, writer }, clock()),
    confirmAnswers: () => confirmAnswers({ db, writer, replies, log }, clock()),
  };
  jobs.schedule('retention', '30 3 * * *', scheduledWork.enforceRetention);
  jobs.schedule('expired-requests', hasExpiredRequests, scheduledWork.removeExpiredRequests);
  jobs.schedule('confirm-answers', hasAnswersToConfirm, scheduledWork.confirmAnswers);
  jobs.schedule('digest', '0 8 * * *', scheduledWork.sendDigests);
  // The messages of the day before run until the evening, because an event may be published, or a guest may say yes, on
  // that very day.
  jobs.schedule('day-before', '0,30 10-20 * * *', scheduledWork.sendDayBeforeMessages);
  return scheduledWork;
}
