import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { composeSimcha } from '../../server/compose.ts';
import { UserStore } from '../../server/identity/store.ts';
import { signToken } from '../../server/identity/tokens.ts';
import { loadEnvironment, readConfig } from '../../server/kernel/config.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { createLogger } from '../../server/kernel/log.ts';
import { storedSecret } from '../../server/kernel/secret.ts';
import type { EventStatus } from '../../server/planning/events/lifecycle.ts';
import { addEvent, updateEvent } from '../../server/planning/events/store.ts';
import {
  demoAgenda,
  demoBookings,
  demoCoOrganizers,
  demoEvents,
  demoGuests,
  demoInvitations,
  demoPayments,
  demoQuestions,
  demoSettings,
  demoVendors,
} from './data.ts';
import { playLaterActions } from './later-actions.ts';
import { demoMessages } from './messages.ts';

// npm run demo: a dozen events, 3,000 guests, bookings and their history, for one organizer, who signs in by mail like
// any other (--email), or who is the subject of a token (--sub). Run again, it replaces them. No messages are sent.

const USUAL_EMAIL = 'demo@example.com';

const { values } = parseArgs({
  options: { sub: { type: 'string' }, email: { type: 'string', default: USUAL_EMAIL } },
  allowPositionals: true,
});
const config = readConfig({ ...loadEnvironment(), HOSTING: 'off' });
const simcha = await composeSimcha(config, createLogger({ logLevel: 'warn', logFormat: 'json' }));
await simcha.start();
const db = simcha.database.sql;
const now = Temporal.Now.instant();
const organizer = values.sub ?? (await userOf(values.email));
const caller = { id: organizer, role: 'organizer' };

await sql`delete from events where organizer_id = ${organizer}`.execute(db);
const events: {
  id: string;
  title: string;
  max_guests: number | null;
  status: EventStatus;
  date: Temporal.Instant;
  isDraft: boolean;
  alone: boolean;
}[] = [];
for (const { status, ...demo } of demoEvents(now)) {
  const { event } = await addEvent(db, caller, demo, now);
  const steps = {
    draft: [],
    published: ['published'],
    cancelled: ['published', 'cancelled'],
    completed: ['published', 'completed'],
  } as const;
  let date = demo.event_date ?? now.toString();
  for (const step of steps[status]) {
    // A completed event has a past date, but a new event may not have one. So the date is moved to five weeks earlier,
    // the same weekday, when the status changes.
    const past = step === 'completed' ? { event_date: weeksBefore(date, 5) } : {};
    await updateEvent(db, event.id, { status: step, ...past }, now);
    date = past.event_date ?? date;
  }
  const alone = demo.max_plus_ones_buffer === 0;
  const { id, title, max_guests } = event;
  const known = { id, title, max_guests, date: Temporal.Instant.from(date) };
  events.push({ ...known, status, isDraft: status === 'draft', alone });
}
const [wedding = '', barMitzva = '', conference = ''] = [
  'החתונה של נועה ואיתי',
  'בר המצווה של אורי',
  'TLV Web Conference',
].map((title) => events.find((event) => event.title === title)?.id ?? '');
await addRows('invitations', demoInvitations(wedding, conference, now));
await addRows('rsvp_settings', demoSettings(conference, slugOf('tlv-web'), now));
await addRows('agenda_items', demoAgenda(conference, now));
const questions = demoQuestions(wedding, now);
await addRows('questions', questions);
const guests = demoGuests(
  events.map(({ max_guests, ...event }) => ({ ...event, guests: max_guests ?? 40 })),
  questions,
  3000,
  now,
);
for (let from = 0; from < guests.length; from += 1000)
  await addRows('guests', guests.slice(from, from + 1000));
await sql`delete from vendors where organizer_id = ${organizer}`.execute(db);
const vendors = demoVendors(organizer, now);
await addRows('vendors', vendors);
const bookings = demoBookings(
  events.map(({ id, date }) => ({ id, date })),
  vendors,
  now,
);
await addRows('bookings', bookings);
await addRows('booking_payments', demoPayments(bookings, now));

const ofStatus = (status: EventStatus) =>
  events.filter((event) => event.status === status).map(({ id }) => id);
const [cancelled = ''] = ofStatus('cancelled');
const told = demoMessages(
  { wedding, conference, cancelled, completed: ofStatus('completed') },
  new Map(events.map(({ id, date }) => [id, date])),
  organizer,
  guests,
  now,
);
await addRows('mails', told.mails);
await addRows('rounds', told.rounds);
for (let from = 0; from < told.roundGuests.length; from += 1000)
  await addRows('round_guests', told.roundGuests.slice(from, from + 1000));
await addRows('history', told.history);
await addRows('co_organizers', demoCoOrganizers(wedding, now));

const secret = config.jwtSecret ?? (await storedSecret(config.dataDir, 'jwt-secret'));
const token = await signToken(secret, { id: organizer, role: 'organizer' }, '30d');
const { guestPage, calendar } = await playLaterActions(
  simcha.app,
  token,
  { wedding, barMitzva },
  slugOf('uri'),
  now,
);
await simcha.close();

const format = new Intl.NumberFormat('en');
console.log(`${events.length} events, ${format.format(guests.length)} guests and ${bookings.length} bookings for the organizer ${values.sub ? `"${values.sub}"` : values.email}.
${values.sub ? '' : `\nWith the server running (npm start), sign in as ${values.email} at ${config.publicUrl}\n`}
A token for that organizer, good for 30 days:

  export TOKEN=${token}

With the server running, try:

  curl -s '${config.publicUrl}/api/events?limit=3' -H "Authorization: Bearer $TOKEN"
  curl -s ${config.publicUrl}/api/events/${events[0]?.id} -H "Authorization: Bearer $TOKEN"
  curl -s ${config.publicUrl}/api/events/${wedding}/guests/numbers -H "Authorization: Bearer $TOKEN"
  curl -s ${config.publicUrl}/api/events/${wedding}/guests/caterer -H "Authorization: Bearer $TOKEN" -o caterer.html
  curl -s ${config.publicUrl}/api/events/${wedding}/rounds -H "Authorization: Bearer $TOKEN"
  curl -s ${config.publicUrl}/api/events/${wedding}/warnings -H "Authorization: Bearer $TOKEN"
  curl -s ${config.publicUrl}/api/events/${events[1]?.id} -X PUT -H "Authorization: Bearer $TOKEN" \\
       -H 'Content-Type: application/json' -d '{"max_guests": 450}'

A guest of the wedding answers at ${guestPage}
People register for the conference at ${config.publicUrl}/e/${slugOf('tlv-web')}
A calendar program follows all of it at ${calendar}`);

/**
 * Slug of the demo's event for an organizer. A slug belongs to one event, so another organizer's demo gets another
 * slug.
 */
function slugOf(name: string): string {
  const whose = values.sub ?? values.email;
  if (whose === USUAL_EMAIL) return name;
  return `${name}-${createHash('sha256').update(whose).digest('hex').slice(0, 8)}`;
}

/** Subtracts weeks from a date in local time. */
function weeksBefore(date: string, weeks: number): string {
  const local = Temporal.Instant.from(date).toZonedDateTimeISO('Asia/Jerusalem');
  return local.subtract({ weeks }).toInstant().toString();
}

async function addRows(table: string, rows: object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((column) => sql.ref(column));
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns)})
    select ${sql.join(columns)} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
}

/** User of a mail address, created if there is none. The owner of the mailbox can sign in as this user. */
async function userOf(email: string): Promise<string> {
  const store = new UserStore(db);
  return db.transaction().execute(async (transaction) => {
    const known = await store.ofAddress(transaction, email);
    const user = known.find(({ verified }) => verified);
    if (user) return user.user_id;
    await store.remove(transaction, known);
    const account = { userId: newId(), email, verified: true, invited: false };
    return (await store.add(transaction, account, now)).user_id;
  });
}
