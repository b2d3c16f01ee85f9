import { type Kysely, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { readInBatches } from '../../kernel/database/batches.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import type { Texts } from '../../kernel/texts/texts.ts';
import { isDayOfRest } from '../calendar/advice.ts';
import type { EventWriter } from '../events/write.ts';
import { findNotices, isNoticeOn } from '../notices/store.ts';
import { type EnqueueRound, openChannelsAmong, sendAutomaticRound } from './automatic-messages.ts';
import { hindranceOf } from './kinds.ts';
import { lockRoundEvent } from './round-event.ts';

export interface DayBeforeParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  texts: Pick<Texts, 'channels'>;
  enqueue: EnqueueRound;
}

/** Time of day in Israel at which the message of the day before an event is sent, late enough to wake nobody. */
const AT = Temporal.PlainTime.from('10:00');
/**
 * Number of days ahead in which events are searched for the message of the day before. It is sent earlier if days of
 * rest come in a row before the event (Rosh Hashana, then Shabbat).
 */
const EARLIEST_DAYS = 5;
/**
 * Number of days before the event: if a message of the kind `see_you` was sent within them, it replaces the message of
 * the day before.
 */
const LATELY_DAYS = 4;

/** Sends a message to the guests who come, on the day before their event. If interrupted, the next run continues. */
export async function sendDayBeforeMessages(
  { db, writer, texts, enqueue }: DayBeforeParts,
  now: Temporal.Instant,
): Promise<void> {
  for await (const event of readInBatches((after, most) => findUpcomingEvents(db, now, after, most))) {
    if (!isDayBeforeTime(event.event_date.toTemporalInstant(), event.language_pref, now)) continue;
    const enter = (transaction: Kysely<unknown>) => lockRoundEvent(transaction, event.id);
    const by = { kind: 'system' } as const;
    await writer.enter({ eventId: event.id, by, enter }, async (write) => {
      const { event_date, is_deleted } = write.event;
      const isSame = event_date?.getTime() === event.event_date.getTime();
      if (is_deleted || !isSame || hindranceOf('see_you', write.event, now)) return;
      const guests = await findGuestsToNotify(write.transaction, event.id);
      if (guests.length === 0) return;
      const { notices } = await findNotices(write.transaction, event.id);
      const channels = openChannelsAmong(notices.channels, texts);
      await sendAutomaticRound(write, { kind: 'see_you', guests, channels }, enqueue);
    });
  }
}

/**
 * True at times when the message of the day before may be sent: from the morning of the last day before the event that
 * is not a day of rest, and never on a day of rest.
 */
export function isDayBeforeTime(
  begins: Temporal.Instant,
  language: LanguageName,
  now: Temporal.Instant,
): boolean {
  const circle = { zone: DEFAULT_ZONE, language };
  let day = begins.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate();
  let from: Temporal.Instant;
  do {
    day = day.subtract({ days: 1 });
    from = day.toZonedDateTime({ timeZone: DEFAULT_ZONE, plainTime: AT }).toInstant();
  } while (isDayOfRest(from, circle));
  return Temporal.Instant.compare(from, now) <= 0 && !isDayOfRest(now, circle);
}

interface UpcomingEvent {
  id: string;
  event_date: Date;
  language_pref: LanguageName;
}

async function findUpcomingEvents(
  db: Kysely<unknown>,
  now: Temporal.Instant,
  after: string,
  most: number,
): Promise<UpcomingEvent[]> {
  const until = now.add({ hours: EARLIEST_DAYS * 24 });
  const { rows } = await sql<UpcomingEvent>`
    select events.id, events.event_date, events.language_pref
    from events left join notices on notices.event_id = events.id
    where events.status = 'published' and events.deleted_at is null
      and events.event_date > ${toParameter(now)} and events.event_date < ${toParameter(until)}
      and ${isNoticeOn('day_before')} and not ${settled} and exists (select from guests where ${isToBeNotified})
      and events.id > ${after}
    order by events.id limit ${most}`.execute(db);
  return rows;
}

const lately = sql`events.event_date - make_interval(days => ${sql.lit(LATELY_DAYS)})`;

/**
 * SQL condition that is true if guests of an event (row of `events`) were already sent the message of the day before,
 * or if the organizer has scheduled one.
 */
const settled = sql`exists (
  select from rounds
  where event_id = events.id and kind = 'see_you' and called_off_at is null
    and (automatic or begun_at is null) and coalesce(begun_at, send_at) > ${lately}
)`;

const mayBeReached = sql`case when notices.channels && '{sms,whatsapp}'
  then coalesce(guests.email, guests.phone) is not null else guests.email is not null end`;

/**
 * SQL condition for guests of an event (row of `events`) who come, can be reached, and did not get the message of the
 * day before from the organizer.
 */
const isToBeNotified = sql`
  guests.event_id = events.id and guests.rsvp_status = 'confirmed'
  and ${mayBeReached} and guests.unsubscribed_at is null and not exists (
    select from round_guests told join rounds on rounds.id = told.round_id
    where told.guest_id = guests.id and told.status = 'written' and rounds.kind = 'see_you'
      and coalesce(told.sent_at, rounds.begun_at) > ${lately}
  )`;

async function findGuestsToNotify(transaction: Kysely<unknown>, eventId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select guests.id from events left join notices on notices.event_id = events.id join guests on ${isToBeNotified}
    where events.id = ${eventId} and not ${settled}`.execute(transaction);
  return rows.map(({ id }) => id);
}
