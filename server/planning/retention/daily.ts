import { type Kysely, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { readInBatches } from '../../kernel/database/batches.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import type { Logger } from '../../kernel/log.ts';
import { isMailAddress } from '../../kernel/mail/address.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import { organizerEmail } from '../events/organizer-email.ts';
import { EVENT_TITLE } from '../events/title.ts';
import type { EventWriter } from '../events/write.ts';
import { purgeDeletedGuests } from '../guests/deleted/store.ts';
import { eraseGuests } from './erase.ts';
import { erasureNoticeWords } from './messages.ts';
import { erasureDay, isDue, NOTICE_DAYS_BEFORE } from './rules.ts';

export interface RetentionJobParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  mail: Mail;
  publicUrl: string;
  log: Logger;
}

/** SQL for the number of whole days since an event took place, by the calendar in Israel. */
const age = (today: Temporal.PlainDate) =>
  sql`(${today.toString()}::date - (events.event_date at time zone ${DEFAULT_ZONE})::date)`;
const eventDay = sql`to_char(events.event_date at time zone ${DEFAULT_ZONE}, 'YYYY-MM-DD')`;

/**
 * Announces erasures of guests' data a week ahead, and erases data whose day has come. If interrupted, the next run
 * continues.
 */
export async function enforceRetention(parts: RetentionJobParts, now: Temporal.Instant): Promise<void> {
  const today = now.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate();
  await purgeDeletedGuests(parts.db, now);
  const erased = await eraseAll(parts, today);
  await erasePictures(parts.db, today);
  const notified = await notifyAll(parts, today, now);
  if (erased + notified > 0)
    parts.log.info({ erased, notified }, 'erased guests’ data past its retention period');
}

/** Erases the guests of every event whose retention period is over, each event in its own transaction. */
async function eraseAll({ db, writer }: RetentionJobParts, today: Temporal.PlainDate): Promise<number> {
  // Deleted and cancelled events are included: the data of their guests is personal too.
  const due = readInBatches(async (after, most) => {
    const { rows } = await sql<{ id: string }>`
      select events.id from events left join event_retention retention on retention.event_id = events.id
      where retention.erased_at is null and ${age(today)} > events.retention_policy_days
        and (
          exists (select from guests where guests.event_id = events.id)
          or exists (select from deleted_guests where deleted_guests.event_id = events.id)
        )
        and events.id > ${after}
      order by events.id limit ${most}`.execute(db);
    return rows;
  });
  let count = 0;
  for await (const { id } of due) if (await eraseEvent(writer, id, today)) count += 1;
  return count;
}

/** Removes the invitations' pictures of deleted events whose retention period is over; nobody can see them any more. */
async function erasePictures(db: Kysely<unknown>, today: Temporal.PlainDate): Promise<void> {
  await sql`
    delete from pictures using events
    where events.id = pictures.event_id and events.deleted_at is not null
      and ${age(today)} > events.retention_policy_days`.execute(db);
}

/**
 * Erases one event's guests. It first checks the day of the erasure again with the event locked: the event's date may
 * have changed in the meantime.
 */
function eraseEvent(writer: EventWriter, eventId: string, today: Temporal.PlainDate): Promise<boolean> {
  const enter = async (transaction: Kysely<unknown>) => {
    const { rows } = await sql<{ id: string; day: string; retention_policy_days: number }>`
      select id, ${eventDay} as day, retention_policy_days from events where id = ${eventId} for no key update`.execute(
      transaction,
    );
    if (!rows[0]) throw new Error('an event is never removed');
    return rows[0];
  };
  return writer.enter({ eventId, by: { kind: 'system' }, enter }, async (write) => {
    const { day, retention_policy_days } = write.event;
    if (!isDue(Temporal.PlainDate.from(day), retention_policy_days, today)) return false;
    await eraseGuests(write);
    return true;
  });
}

interface NotifiedEvent {
  id: string;
  organizer_id: string;
  title: string;
  language_pref: LanguageName;
  day: string;
  retention_policy_days: number;
  guests: number;
  email: string;
}

async function notifyAll(
  { db, mail, publicUrl }: RetentionJobParts,
  today: Temporal.PlainDate,
  now: Temporal.Instant,
): Promise<number> {
  let count = 0;
  for await (const event of readInBatches((after, most) => findEventsToNotify(db, today, after, most))) {
    if (!isMailAddress(event.email)) continue;
    await db.transaction().execute(async (transaction) => {
      const origin = { urgency: 'service', sender: { id: event.organizer_id } } as const;
      await mail.enqueue(transaction, letterFor(event, publicUrl), origin);
      await sql`
        insert into event_retention (event_id, told_for, told_at)
        values (${event.id}, ${event.day}, ${toParameter(now)})
        on conflict (event_id) do update set told_for = excluded.told_for, told_at = excluded.told_at`.execute(
        transaction,
      );
    });
    count += 1;
  }
  return count;
}

/** Events whose guests' data will be erased within a week and whose organizer has not been notified of this day. */
async function findEventsToNotify(
  db: Kysely<unknown>,
  today: Temporal.PlainDate,
  after: string,
  most: number,
): Promise<NotifiedEvent[]> {
  const { rows } = await sql<NotifiedEvent>`
    select due.*, ${organizerEmail('due')} as email
    from (
      select events.id, events.organizer_id, ${EVENT_TITLE} as title, events.language_pref, events.retention_policy_days,
        ${eventDay} as day,
        tally.rsvp_confirmed + tally.rsvp_pending + tally.rsvp_declined as guests
      from events
      join event_tallies tally on tally.event_id = events.id
      left join event_retention retention on retention.event_id = events.id
      where events.deleted_at is null and retention.erased_at is null
        and ${age(today)} <= events.retention_policy_days
        and ${age(today)} > events.retention_policy_days - ${NOTICE_DAYS_BEFORE}::integer
        and retention.told_for is distinct from (events.event_date at time zone ${DEFAULT_ZONE})::date
        and tally.rsvp_confirmed + tally.rsvp_pending + tally.rsvp_declined > 0
        and events.id > ${after}
      order by events.id limit ${most}
    ) due
    order by due.id`.execute(db);
  return rows.map((row) => ({ ...row, email: row.email ?? '' }));
}

function letterFor(
  { id, title, language_pref, day, retention_policy_days, guests, email }: NotifiedEvent,
  publicUrl: string,
) {
  const language = languageCodeOf(language_pref);
  const words = erasureNoticeWords[language];
  const on = erasureDay(Temporal.PlainDate.from(day), retention_policy_days);
  const erasedOn = on?.toLocaleString(language, { dateStyle: 'long' }) ?? '';
  const letter = writeLetter({
    language,
    title: words.subject(title),
    paragraphs: words.paragraphs({ title, erasedOn, guests: guests.toLocaleString(language) }),
    action: { label: words.action, url: publicUrl },
    footer: words.footer,
  });
  return { to: email, language, subject: words.subject(title), ...letter, key: `retention:${id}:${on}` };
}
