import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { Words } from '../../kernel/languages.ts';
import type { EventStatus } from '../events/lifecycle.ts';
import { localDate } from './dates.ts';
import { messages } from './messages.ts';

/** Deadline for answers to an event, and the dates with which it is compared. */
export interface DeadlineFacts {
  status: EventStatus;
  event_date: Date | null;
  answer_until: Date | null;
  /**
   * Date that the event had when its deadline was set; null if the deadline has not passed, or if the event's date has
   * not changed since then.
   */
  former_date: Date | null;
}

export const DEADLINE_WARNING_CODES = ['answers_closed', 'answers_after_event'] as const;
export type DeadlineWarning = (typeof DEADLINE_WARNING_CODES)[number];

/**
 * Warning about a deadline that no longer fits the event's date: it is after the event, or it has passed although the
 * event was moved to a later date since. An organizer who wants a deadline to pass before the event gets no warning.
 */
export function deadlineWarning(
  { status, event_date, answer_until, former_date }: DeadlineFacts,
  now: Temporal.Instant,
): DeadlineWarning | undefined {
  const isOpen = status === 'draft' || status === 'published';
  if (!isOpen || !event_date || !answer_until) return undefined;
  if (event_date.getTime() <= now.epochMilliseconds) return undefined;
  if (answer_until > event_date) return 'answers_after_event';
  const hasPassed = answer_until.getTime() <= now.epochMilliseconds;
  return hasPassed && former_date !== null && former_date < event_date ? 'answers_closed' : undefined;
}

/** Warnings about an event's deadline for answers, at most one. */
export async function findDeadlineWarnings(
  db: Kysely<unknown>,
  eventId: string,
  now: Temporal.Instant,
): Promise<{ code: DeadlineWarning; words: Words }[]> {
  const facts = await findDeadlineFacts(db, eventId, now);
  const code = facts && deadlineWarning(facts, now);
  if (!code || !facts?.answer_until) return [];
  const { answer_until: until } = facts;
  const { [code]: say } = messages.deadlineWarnings;
  return [
    {
      code,
      words: {
        he: say.he(localDate(until, 'hebrew')),
        ar: say.ar(localDate(until, 'arabic')),
        en: say.en(localDate(until, 'english')),
      },
    },
  ];
}

async function findDeadlineFacts(
  db: Kysely<unknown>,
  eventId: string,
  now: Temporal.Instant,
): Promise<DeadlineFacts | undefined> {
  const { rows } = await sql<DeadlineFacts>`
    select events.status, events.event_date, settings.answer_until,
      case when settings.answer_until <= ${toParameter(now)} then (
        select (move.changes -> 'event_date' ->> 'from')::timestamptz from history move
        where move.event_id = events.id and move.subject = 'event' and move.action = 'changed'
          and move.changes ? 'event_date' and move.id > coalesce((
            select max(decision.id) from history decision
            where decision.event_id = events.id and decision.subject = 'rsvp_settings'
              and decision.changes ? 'answer_until'
          ), 0)
        order by move.id limit 1
      ) end as former_date
    from events join rsvp_settings settings on settings.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  return rows[0];
}
