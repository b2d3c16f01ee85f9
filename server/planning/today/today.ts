import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Language } from '../../kernel/languages.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { mailMessages } from '../../kernel/mail/messages.ts';
import { checklistOf } from '../checklist/checklist.ts';
import { listChecklists } from '../checklist/store.ts';
import { listUpcomingEvents } from '../events/store.ts';
import { countMissedGuests, countWaitingGuests, type RefusedMessages } from '../rounds/unfinished-rounds.ts';
import { listDuePayments } from '../vendors/due-payments.ts';
import { AHEAD_DAYS, type EventToday, MISSED_DAYS, MOST_EVENTS, PAST_DAYS, type Today } from './contract.ts';
import { countAnswersSince, countGuestRequests, countPlusOneGuests, findNewSince } from './store.ts';

/** Number of days after which today's overview no longer shows an overdue payment. */
const OVERDUE_DAYS = 90;
const NO_ANSWERS: EventToday['answers'] = {
  guests: 0,
  confirmed: 0,
  people: 0,
  maybe: 0,
  waiting: 0,
  declined: 0,
};

/** Sources for today's overview: the messages that were refused, and the reason why the organizer's mail is stopped. */
export interface SentMessages extends RefusedMessages {
  mail: RefusedMessages['mail'] & Pick<Mail, 'stopReasonOf' | 'areVisitorsSlowed'>;
}

/** Overview of all current events that the caller can see: what is new, and what has to be done. */
export async function readToday(
  db: Kysely<unknown>,
  sent: SentMessages,
  caller: Caller,
  now: Temporal.Instant,
  language: Language,
): Promise<Today> {
  const today = now.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate();
  const soon = today.add({ days: AHEAD_DAYS });
  const since = await findNewSince(db, caller.id, now);
  const from = today.subtract({ days: PAST_DAYS }).toZonedDateTime(DEFAULT_ZONE).toInstant();
  const events = await listUpcomingEvents(db, caller, from, MOST_EVENTS);
  const eventIds = sql`(select unnest(${events.map(({ event }) => event.id)}::uuid[]))`;
  const answers = await countAnswersSince(db, eventIds, since);
  const plusOnes = await countPlusOneGuests(db, eventIds);
  const requests = await countGuestRequests(db, eventIds);
  const due = { after: today.subtract({ days: OVERDUE_DAYS }), until: soon };
  const payments = Map.groupBy(await listDuePayments(db, caller, eventIds, due), ({ event_id }) => event_id);
  const checklists = new Map(
    (await listChecklists(db, eventIds)).map((checklist) => [checklist.id, checklist]),
  );
  const longAgo = now.subtract({ hours: MISSED_DAYS * 24 });
  const missed = Map.groupBy(
    await countMissedGuests(db, sent, eventIds, longAgo),
    ({ event_id }) => event_id,
  );
  const untold = Map.groupBy(await countWaitingGuests(db, eventIds), ({ event_id }) => event_id);

  const approvalsOf = (id: string): EventToday['approvals'] => {
    const checklist = checklists.get(id);
    if (!checklist || checklist.dismissed) return [];
    return checklistOf(checklist, today, DEFAULT_ZONE, language).items.flatMap((item) => {
      const { item: name, title, due_date, overdue, state, dismissed } = item;
      if (!due_date || due_date > soon.toString() || state === 'done' || dismissed) return [];
      return [{ item: name, title, due_date, overdue }];
    });
  };
  return {
    since: since.toString({ smallestUnit: 'millisecond' }),
    mail_stopped: await readMailStopped(db, sent, caller, language),
    events: events.map(({ event, access, contacts }) => ({
      event,
      access,
      days_to_go: daysUntil(event.event_date, today),
      answers: answers.get(event.id) ?? NO_ANSWERS,
      requests: contacts ? (requests.get(event.id) ?? 0) : 0,
      plus_ones: daysUntil(event.event_date, today) < 0 ? 0 : (plusOnes.get(event.id) ?? 0),
      payments: (payments.get(event.id) ?? []).map(
        ({ id: payment_id, booking_id, vendor_name, amount, due_date }) => ({
          payment_id,
          booking_id,
          vendor_name,
          amount,
          due_date,
          overdue: due_date < today.toString(),
        }),
      ),
      // Approvals of authorities that the event still needs are not shown after it: it is too late to obtain them.
      approvals: daysUntil(event.event_date, today) < 0 ? [] : approvalsOf(event.id),
      missed: (contacts ? (missed.get(event.id) ?? []) : []).map(({ round_id, kind, guests }) => ({
        round_id,
        kind,
        guests,
      })),
      to_tell: (contacts ? (untold.get(event.id) ?? []) : []).map(({ event_id: _, ...round }) => round),
    })),
  };
}

async function readMailStopped(
  db: Kysely<unknown>,
  { mail }: SentMessages,
  caller: Caller,
  language: Language,
): Promise<Today['mail_stopped']> {
  const because =
    (await mail.stopReasonOf(db, caller.id)) ??
    ((await mail.areVisitorsSlowed(db, caller.id)) ? 'visitors' : undefined);
  return because ? { because, message: mailMessages.stopped[because][language] } : null;
}

function daysUntil(eventDate: string | null, today: Temporal.PlainDate): number {
  if (eventDate === null) return 0;
  const day = Temporal.Instant.from(eventDate).toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate();
  return today.until(day, { largestUnit: 'day' }).days;
}
