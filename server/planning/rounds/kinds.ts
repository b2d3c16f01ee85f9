import type { Status } from '../events/lifecycle.ts';

/** What there is to know of a kind of round. */
interface Manner {
  /** Who gets it, of those it is meant for. */
  to: 'unanswered' | 'not_declined' | 'coming' | 'all';
  /** Also when a filter asks for others by their answers: it makes no sense to those. */
  always?: true;
  /** Of the event, as it goes out. */
  statuses: readonly Status[];
  /** Before the event begins, or after it. */
  when?: 'before' | 'after';
  /** Its mail tells when and where. */
  tells?: true;
  /** Its mail answers what its reader asked for. */
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

/** What goes out by itself; from an organizer, to those whom nothing reached then. */
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

/** What a round can be about. */
export type Kind = keyof typeof SENT | keyof typeof BY_ITSELF;
const MANNERS: Readonly<Record<Kind, Manner>> = { ...SENT, ...BY_ITSELF };
export const KINDS = Object.keys(MANNERS) as Kind[];

export const KINDS_BY_ITSELF = Object.keys(BY_ITSELF) as (keyof typeof BY_ITSELF)[];
/** What an organizer is told that guests should be told. */
export const SUGGESTED_KINDS = ['change', 'cancellation', ...KINDS_BY_ITSELF] as const;

export function goesByItself(kind: Kind): boolean {
  return kind in BY_ITSELF;
}

/** When a mail of the kind is worth nothing more; undefined: it stays true. */
export function endOf(
  kind: Kind,
  { event_date }: Pick<Occasion, 'event_date'>,
): Temporal.Instant | undefined {
  return mannerOf(kind).when === 'before' ? event_date?.toTemporalInstant() : undefined;
}

export function mannerOf(kind: Kind): Manner {
  return MANNERS[kind];
}

/** Why a round can't go out. */
export const HINDRANCES = ['draft', 'cancelled', 'completed', 'not_cancelled', 'begun', 'not_yet'] as const;
export type Hindrance = (typeof HINDRANCES)[number];

export interface Occasion {
  status: Status;
  event_date: Date | null;
}

/** undefined: it can go out now. */
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
  // Of one without a date, its end alone is known.
  const was = begun || (event_date === null && status === 'completed');
  return when === 'after' && !was ? 'not_yet' : undefined;
}

/** Whether a message goes out as it stands; guests of a deleted event may hear that it is off, and nothing else. */
export function isTimely(
  kind: Kind,
  { is_deleted, ...occasion }: Occasion & { is_deleted: boolean },
  now: Temporal.Instant,
): boolean {
  return (!is_deleted || kind === 'cancellation') && hindranceOf(kind, occasion, now) === undefined;
}
