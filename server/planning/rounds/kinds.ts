import type { Status } from '../events/lifecycle.ts';

/** Rules of a kind of round. */
interface Manner {
  /** Guests of the audience who get it, by their answers. */
  to: 'unanswered' | 'not_declined' | 'coming' | 'all';
  /** True to apply `to` even if the filter chooses guests by answers: the kind makes no sense for others. */
  always?: true;
  /** Statuses of the event in which it can go out. */
  statuses: readonly Status[];
  /** Period in which it can go out: before the event begins, or after it. */
  when?: 'before' | 'after';
  /** True if the message tells time and place. */
  tells?: true;
  /** True if the message answers a request of its reader. */
  requested?: true;
}

const SENT = {
  save_the_date: { to: 'unanswered', statuses: ['published'], when: 'before', tells: true },
  invitation: { to: 'unanswered', statuses: ['published'], when: 'before', tells: true },
  reminder: { to: 'unanswered', always: true, statuses: ['published'], when: 'before', tells: true },
  change: { to: 'not_declined', statuses: ['published'], when: 'before', tells: true },
  cancellation: { to: 'not_declined', statuses: ['cancelled'] },
  see_you: { to: 'coming', always: true, statuses: ['published'], when: 'before', tells: true },
  thanks: { to: 'coming', statuses: ['published', 'completed'], when: 'after' },
  message: { to: 'all', statuses: ['published', 'completed', 'cancelled'] },
} as const satisfies Readonly<Record<string, Manner>>;

/** Kinds sent automatically. An organizer can send them to guests whom the automatic message did not reach. */
const BY_ITSELF = {
  moved_up: { to: 'coming', always: true, statuses: ['published'], when: 'before', tells: true },
  accepted: {
    to: 'not_declined',
    always: true,
    statuses: ['published'],
    when: 'before',
    tells: true,
    requested: true,
  },
} as const satisfies Readonly<Record<string, Manner>>;

/** Kind of a round: its purpose. */
export type Kind = keyof typeof SENT | keyof typeof BY_ITSELF;
const MANNERS: Readonly<Record<Kind, Manner>> = { ...SENT, ...BY_ITSELF };
export const KINDS = Object.keys(MANNERS) as Kind[];

export const KINDS_BY_ITSELF = Object.keys(BY_ITSELF) as (keyof typeof BY_ITSELF)[];
/** Kinds that are suggested to the organizer. */
export const SUGGESTED_KINDS = ['change', 'cancellation', ...KINDS_BY_ITSELF] as const;

export function goesByItself(kind: Kind): boolean {
  return kind in BY_ITSELF;
}

/** Time after which a mail of the kind is useless; undefined if it stays useful. */
export function endOf(
  kind: Kind,
  { event_date }: Pick<Occasion, 'event_date'>,
): Temporal.Instant | undefined {
  return mannerOf(kind).when === 'before' ? event_date?.toTemporalInstant() : undefined;
}

export function mannerOf(kind: Kind): Manner {
  return MANNERS[kind];
}

/** Reasons why a round can't go out. */
export const HINDRANCES = ['draft', 'cancelled', 'completed', 'not_cancelled', 'begun', 'not_yet'] as const;
export type Hindrance = (typeof HINDRANCES)[number];

export interface Occasion {
  status: Status;
  event_date: Date | null;
}

/** Reason why a round of the kind can't go out now; undefined if it can. */
export function hindranceOf(
  kind: Kind,
  { status, event_date }: Occasion,
  now: Temporal.Instant,
): Hindrance | undefined {
  const { statuses, when } = mannerOf(kind);
  if (!statuses.includes(status))
    return status === 'published' || kind === 'cancellation' ? 'not_cancelled' : status;
  const begun = event_date !== null && event_date.getTime() <= now.epochMilliseconds;
  if (when === 'before' && begun) return 'begun';
  // For an event without a date only its status says that it took place.
  const was = begun || (event_date === null && status === 'completed');
  return when === 'after' && !was ? 'not_yet' : undefined;
}

/** True if a message of the kind can go out now. Guests of a deleted event can only be notified of its cancellation. */
export function isTimely(
  kind: Kind,
  { is_deleted, ...occasion }: Occasion & { is_deleted: boolean },
  now: Temporal.Instant,
): boolean {
  return (!is_deleted || kind === 'cancellation') && hindranceOf(kind, occasion, now) === undefined;
}
