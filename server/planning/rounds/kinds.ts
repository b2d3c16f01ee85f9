import type { EventStatus } from '../events/lifecycle.ts';

/** Rules for the rounds of one kind (invitation, reminder and so on). */
interface KindRules {
  /** Guests who get a round of this kind, by their answers to the invitation. */
  to: 'unanswered' | 'not_declined' | 'coming' | 'all';
  /**
   * True if a round of this kind goes only to guests that `to` names, even if the organizer selects guests by their
   * answers.
   */
  always?: true;
  /** Statuses of the event in which a round of this kind can be sent. */
  statuses: readonly EventStatus[];
  /** Period in which a round of this kind can be sent: before the event begins, or after it. */
  when?: 'before' | 'after';
  /** True if the round's message says when and where the event is. */
  tellsTimeAndPlace?: true;
  /** True if a message of this kind replies to a request that the guest made. */
  requested?: true;
}

const BY_ORGANIZER = {
  save_the_date: { to: 'unanswered', statuses: ['published'], when: 'before', tellsTimeAndPlace: true },
  invitation: { to: 'unanswered', statuses: ['published'], when: 'before', tellsTimeAndPlace: true },
  reminder: {
    to: 'unanswered',
    always: true,
    statuses: ['published'],
    when: 'before',
    tellsTimeAndPlace: true,
  },
  change: { to: 'not_declined', statuses: ['published'], when: 'before', tellsTimeAndPlace: true },
  cancellation: { to: 'not_declined', statuses: ['cancelled'] },
  see_you: { to: 'coming', always: true, statuses: ['published'], when: 'before', tellsTimeAndPlace: true },
  thanks: { to: 'coming', statuses: ['published', 'completed'], when: 'after' },
  message: { to: 'all', statuses: ['published', 'completed', 'cancelled'] },
} as const satisfies Readonly<Record<string, KindRules>>;

/**
 * Kinds of rounds that the server sends automatically. An organizer can send them to guests whom the automatic message
 * did not reach.
 */
const AUTOMATIC = {
  moved_up: { to: 'coming', always: true, statuses: ['published'], when: 'before', tellsTimeAndPlace: true },
  accepted: {
    to: 'not_declined',
    always: true,
    statuses: ['published'],
    when: 'before',
    tellsTimeAndPlace: true,
    requested: true,
  },
} as const satisfies Readonly<Record<string, KindRules>>;

/** Kind of a round, by its purpose: an invitation, a reminder and so on. */
export type RoundKind = keyof typeof BY_ORGANIZER | keyof typeof AUTOMATIC;

/** Letters to one guest that belong to no round, because they reply to what the guest did on a page. */
const REPLIES = {
  answered: { to: 'all', statuses: ['published'], when: 'before', tellsTimeAndPlace: true, requested: true },
  link_again: {
    to: 'all',
    statuses: ['published'],
    when: 'before',
    tellsTimeAndPlace: true,
    requested: true,
  },
} as const satisfies Readonly<Record<string, KindRules>>;
export type ReplyKind = keyof typeof REPLIES;

export type LetterKind = RoundKind | ReplyKind;

export const ROUND_KINDS = Object.keys({ ...BY_ORGANIZER, ...AUTOMATIC }) as RoundKind[];
const RULES_OF_KINDS: Readonly<Record<LetterKind, KindRules>> = { ...BY_ORGANIZER, ...AUTOMATIC, ...REPLIES };

export const AUTOMATIC_KINDS = Object.keys(AUTOMATIC) as (keyof typeof AUTOMATIC)[];
/** Kinds of rounds that the organizer gets as suggestions. */
export const SUGGESTED_KINDS = ['change', 'cancellation', ...AUTOMATIC_KINDS] as const;

export function isAutomaticKind(kind: RoundKind): boolean {
  return kind in AUTOMATIC;
}

/** Time after which a mail of this kind of round is useless; undefined for kinds that stay useful. */
export function usefulUntil(
  kind: LetterKind,
  { event_date }: Pick<EventTiming, 'event_date'>,
): Temporal.Instant | undefined {
  return rulesOfKind(kind).when === 'before' ? event_date?.toTemporalInstant() : undefined;
}

export function rulesOfKind(kind: LetterKind): KindRules {
  return RULES_OF_KINDS[kind];
}

/** Reasons why a round of messages can't be sent. */
export const HINDRANCES = ['draft', 'cancelled', 'completed', 'not_cancelled', 'begun', 'not_yet'] as const;
export type Hindrance = (typeof HINDRANCES)[number];

export interface EventTiming {
  status: EventStatus;
  event_date: Date | null;
}

/** Reason why a round of this kind can't be sent now; undefined if it can be sent. */
export function hindranceOf(
  kind: LetterKind,
  { status, event_date }: EventTiming,
  now: Temporal.Instant,
): Hindrance | undefined {
  const { statuses, when } = rulesOfKind(kind);
  if (!statuses.includes(status))
    return status === 'published' || kind === 'cancellation' ? 'not_cancelled' : status;
  const begun = event_date !== null && event_date.getTime() <= now.epochMilliseconds;
  if (when === 'before' && begun) return 'begun';
  // An event without a date has taken place if its status is `completed`.
  const was = begun || (event_date === null && status === 'completed');
  return when === 'after' && !was ? 'not_yet' : undefined;
}

/**
 * True if a message of the kind can be sent now. Guests of a deleted event can only be notified of its cancellation.
 */
export function isTimely(
  kind: RoundKind,
  { is_deleted, ...occasion }: EventTiming & { is_deleted: boolean },
  now: Temporal.Instant,
): boolean {
  return (!is_deleted || kind === 'cancellation') && hindranceOf(kind, occasion, now) === undefined;
}
