import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import type { Logger } from '../../kernel/log.ts';
import type { FieldChanges } from '../../kernel/writes/history.ts';
import type { EventWrite, EventWriter, Follower } from '../events/write.ts';
import type { Guest } from '../guests/contract.ts';
import { DIETS } from '../guests/fields.ts';
import { mealWords } from '../guests/meal-words.ts';
import { membersText } from '../guests/member-words.ts';
import { findGuest } from '../guests/rows.ts';
import { isNoticeOn } from '../notices/store.ts';
import { findTimeAndPlaceHistory } from './audience.ts';
import { hindranceOf } from './kinds.ts';
import { mailReply, type ReplyParts } from './replies.ts';
import { answerDetailWords } from './reply-words.ts';
import { lockRoundEvent } from './round-event.ts';
import { formerTimeAndPlaceFor } from './waiting-guests.ts';

/** Minutes after a guest's last answer until it is confirmed by mail, so that quick corrections cause one mail. */
const DELAY_MINUTES = 5;
const AT_ONCE = 200;
/** Number of tries to confirm an answer: some hours, because each try waits twice as long as the one before. */
const MOST_TRIES = 9;

/**
 * Fields of a guest's answer whose changes are confirmed by mail; others, such as the message to the hosts, are not.
 */
const ANSWER_FIELDS = [
  'rsvp_status',
  'maybe',
  'waiting_since',
  'coming',
  'coming_children',
  ...DIETS,
  'allergies',
  'members',
] as const satisfies readonly (keyof Guest)[];

/** SQL condition: an answer waits whose time to be confirmed has come. */
export const hasAnswersToConfirm = sql<boolean>`
  exists (select from answer_confirmations where due_at <= now())`;

type AnswerFields = Partial<Pick<Guest, (typeof ANSWER_FIELDS)[number]>>;

/**
 * Makes the follower that stores each answer given by a guest on their page, so that a mail confirms it some minutes
 * after the last one. If there are several answers, the values before the first of them are kept.
 */
export function noteAnswersToConfirm(): Follower {
  return async ({ transaction, event, now, sendAlong }, lines) => {
    for (const { by, subject, subject_id, action, changes } of lines) {
      if (by.kind !== 'guest' || subject !== 'guest' || action !== 'answered' || !changes) continue;
      const before = valuesBefore(changes);
      if (Object.keys(before).length === 0) continue;
      const noted = sql`
        insert into answer_confirmations as noted (guest_id, event_id, before, due_at)
        select guests.id, guests.event_id, ${JSON.stringify(before)}::jsonb,
          ${toParameter(now.add({ minutes: DELAY_MINUTES }))}
        from guests left join notices on notices.event_id = guests.event_id
        where guests.id = ${subject_id} and guests.event_id = ${event.id} and ${canBeConfirmed}
        on conflict (guest_id) do update set before = excluded.before || noted.before, due_at = excluded.due_at,
          tries = 0`;
      sendAlong(noted.execute(transaction));
    }
  };
}

/**
 * SQL condition: the event has confirmations of answers switched on, and the guest (row of `guests`) has a mail address
 * and has not unsubscribed.
 */
const canBeConfirmed = sql<boolean>`
  ${isNoticeOn('answered')} and guests.email is not null and guests.unsubscribed_at is null`;

function valuesBefore(changes: FieldChanges): Record<string, unknown> {
  const changed = ANSWER_FIELDS.filter((field) => field in changes);
  return Object.fromEntries(changed.map((field) => [field, changes[field]?.from ?? null]));
}

/** True if an answer differs from the values before it. When a guest began to wait does not matter, only whether. */
export function isAnswerChanged(before: AnswerFields, now: AnswerFields): boolean {
  return ANSWER_FIELDS.some((field) => {
    if (!(field in before)) return false;
    if (field === 'waiting_since') return !before.waiting_since !== !now.waiting_since;
    return !isDeepStrictEqual(before[field], now[field]);
  });
}

export interface AnswerConfirmationParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  replies: ReplyParts;
  log: Logger;
}

/** Mails guests the answers that they gave some minutes ago and that differ from what they answered before. */
export async function confirmAnswers(parts: AnswerConfirmationParts, now: Temporal.Instant): Promise<void> {
  const { rows } = await sql<{ guest_id: string; event_id: string; tries: number }>`
    select guest_id, event_id, tries from answer_confirmations where due_at <= ${toParameter(now)}
    order by due_at limit ${AT_ONCE}`.execute(parts.db);
  for (const { guest_id, event_id: eventId, tries } of rows) {
    const enter = (transaction: Kysely<unknown>) => lockRoundEvent(transaction, eventId);
    const work = parts.writer.enter({ eventId, by: { kind: 'system' }, enter }, (write) =>
      confirmAnswer(parts.replies, write, guest_id),
    );
    // An answer whose confirmation fails is tried again later, and does not hold up the mails to other guests.
    await work.catch(async (error) => {
      const next = nextTry(tries + 1, now);
      parts.log.warn({ err: error, guest: guest_id, isLastTry: !next }, 'an answer can’t be confirmed');
      await postpone(parts.db, guest_id, next, now);
    });
  }
}

/** Time of the next try after so many failed ones; undefined if there is none. */
export function nextTry(failed: number, now: Temporal.Instant): Temporal.Instant | undefined {
  return failed >= MOST_TRIES ? undefined : now.add({ minutes: 2 ** failed });
}

/** Postpones the confirmation of an answer, or gives it up, unless the guest answered again meanwhile. */
async function postpone(
  db: Kysely<unknown>,
  guestId: string,
  next: Temporal.Instant | undefined,
  now: Temporal.Instant,
): Promise<void> {
  const due = sql`guest_id = ${guestId} and due_at <= ${toParameter(now)}`;
  await (next
    ? sql`update answer_confirmations set due_at = ${toParameter(next)}, tries = tries + 1 where ${due}`
    : sql`delete from answer_confirmations where ${due}`
  ).execute(db);
}

type Locked = Awaited<ReturnType<typeof lockRoundEvent>>;

/** Confirms a guest's answer, unless another server did it meanwhile or the guest answered again. */
async function confirmAnswer(replies: ReplyParts, write: EventWrite<Locked>, guestId: string): Promise<void> {
  const { transaction, event, now } = write;
  const { rows } = await sql<{ before: AnswerFields; language: LanguageName; is_possible: boolean }>`
    delete from answer_confirmations noted
    using guests join events on events.id = guests.event_id left join notices on notices.event_id = events.id
    where noted.guest_id = ${guestId} and noted.due_at <= ${toParameter(now)} and guests.id = noted.guest_id
    returning noted.before, coalesce(guests.language, events.language_pref) as language,
      ${canBeConfirmed} as is_possible`.execute(transaction);
  const [noted] = rows;
  if (!noted?.is_possible || event.is_deleted || hindranceOf('answered', event, now)) return;
  const found = await findGuest(transaction, event.id, guestId);
  if (!found || !isAnswerChanged(noted.before, found.guest)) return;
  const { answered_at: answeredAt } = found.guest;
  const told_at = answeredAt === null ? null : new Date(answeredAt);
  await mailReply(replies, write, { id: guestId }, 'answered', {
    meals: answerDetails(found.guest, noted.language),
    before: formerTimeAndPlaceFor({ told_at }, await findTimeAndPlaceHistory(transaction, event.id)),
  });
}

/** Lines about children, members and meals in the answer of a guest who comes or waits; without any, none. */
export function answerDetails(guest: Guest, language: LanguageName): string[] {
  if (guest.rsvp_status !== 'confirmed' && guest.waiting_since === null) return [];
  const say = answerDetailWords[language];
  const meals = DIETS.filter((diet) => guest[diet] > 0).map(
    (diet) => `${mealWords[language][diet]}: ${guest[diet]}`,
  );
  return [
    ...(guest.coming_children > 0 ? [`${say.children}: ${guest.coming_children}`] : []),
    ...(guest.members.length > 0 ? [`${say.members}: ${membersText(guest, language)}`] : []),
    ...(meals.length > 0 ? [`${say.meals}: ${meals.join(say.comma)}`] : []),
    ...(guest.allergies ? [`${say.allergies}: ${guest.allergies}`] : []),
  ];
}
