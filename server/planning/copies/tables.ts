import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { ERASED_NAME } from '../retention/messages.ts';

/** What a copy is to be, beside the fields of the event itself. */
export interface Extent {
  /** The guests, too. */
  guests: boolean;
  /** How far things are: answers, bookings, payments, the checklist. */
  progress: boolean;
}

/** One copy under way. */
export interface Copy extends Extent {
  /** What of the invitation is of the original alone: translations of what the copy says otherwise. */
  leftOut: readonly LeftOut[];
  from: string;
  to: string;
}

/** Fields of the invitation that translate one of the event’s, which is after the colon. */
export const TRANSLATED = {
  title: 'title',
  words: 'description',
  venue_name: 'venue_name',
  venue_address: 'venue_address',
} as const;
export type LeftOut = keyof typeof TRANSLATED;

type Column = RawBuilder<unknown>;

/** A table of which an event's rows are copied. Columns that nothing is said of are copied as they are. */
interface CopiedTable {
  table: string;
  /** Which of its rows; those of the event unless said otherwise. */
  of?(copy: Copy): RawBuilder<unknown>;
  /** Columns that name rows which are copied as well, its own id among them. */
  ids?: readonly string[];
  /** What stands in a copy instead. */
  instead?(copy: Copy): Readonly<Record<string, Column>>;
  /** Its rows are one thing in several forms, and count as one. */
  asOne?: true;
  /** Whether it is copied at all. */
  wanted?(copy: Copy): boolean;
}

const NOTHING = sql`null`;

/** What the date of the copy, as `on` makes it of one, is after that of the original; null where one has none. */
const later = ({ from, to }: Copy, on: (date: Column) => Column) => sql`(
  select ${on(sql`copied.event_date`)} - ${on(sql`original.event_date`)}
  from events original, events copied where original.id = ${from} and copied.id = ${to}
)`;
const onTheWall = (time: Column) => sql`(${time} at time zone ${DEFAULT_ZONE})`;

/** A time as much later as the copy is, by the clock on the wall. */
const moved = (copy: Copy, name: string) => {
  const column = sql.ref(name);
  return sql`coalesce((${onTheWall(column)} + ${later(copy, onTheWall)}) at time zone ${DEFAULT_ZONE}, ${column})`;
};

const movedDate = (copy: Copy, name: string) => {
  const column = sql.ref(name);
  return sql`coalesce(${column} + ${later(copy, (time) => sql`${onTheWall(time)}::date`)}, ${column})`;
};

/** What would be over on the day it is copied is left open: nobody can pay, or answer, until a day that has been. */
const unlessOver = (moved: Column, now: Column) => sql`case when ${moved} >= ${now} then ${moved} end`;
const NOW = sql`now()`;
const TODAY = sql`${onTheWall(NOW)}::date`;

/**
 * The id that a row has in the copy: the same wherever it is named, and in the order of the original ones, whose time it
 * keeps.
 */
export function idInCopy({ to }: Copy, column: string): RawBuilder<unknown> {
  const id = sql.ref(column);
  const digest = sql`md5(${to}::text || ${id}::text)`;
  return sql`(left(${id}::text, 18) || '-8' || substr(${digest}, 1, 3) || '-' || substr(${digest}, 4, 12))::uuid`;
}

const bookingsOf = ({ from }: Copy) => sql`event_id = ${from} and deleted_at is null`;

/** What belongs to an event and is copied with it, those that others refer to first. */
export const COPIED: readonly CopiedTable[] = [
  {
    table: 'invitations',
    instead: ({ leftOut }) => Object.fromEntries(leftOut.map((field) => [field, NOTHING])),
  },
  { table: 'agenda_items', ids: ['id'] },
  // The same picture in all its sizes, at an address of the copy's own.
  { table: 'pictures', asOne: true, instead: ({ to }) => ({ key: sql`md5(key || ${to}::text)` }) },
  { table: 'notices' },
  {
    table: 'rsvp_settings',
    instead: (copy) => ({
      // The open link is the other event's.
      open: sql`false`,
      slug: NOTHING,
      answer_until: copy.progress
        ? moved(copy, 'answer_until')
        : unlessOver(moved(copy, 'answer_until'), NOW),
    }),
  },
  { table: 'questions', ids: ['id'] },
  { table: 'event_facts' },
  {
    table: 'checklist_items',
    instead: ({ progress }) => (progress ? {} : { state: sql`'open'` }),
  },
  {
    table: 'bookings',
    of: bookingsOf,
    ids: ['id'],
    instead: (copy) => ({
      starts_at: moved(copy, 'starts_at'),
      ends_at: moved(copy, 'ends_at'),
      ...(!copy.progress && { status: sql`'pending'` }),
    }),
  },
  {
    table: 'booking_payments',
    of: (copy) => sql`booking_id in (select id from bookings where ${bookingsOf(copy)})`,
    ids: ['id', 'booking_id'],
    instead: (copy) =>
      copy.progress
        ? {}
        : { due_date: unlessOver(movedDate(copy, 'due_date'), TODAY), paid_date: sql`null::date` },
  },
  {
    table: 'guests',
    wanted: ({ guests }) => guests,
    // Of who was erased there is nothing to invite.
    of: ({ from }) => sql`event_id = ${from} and name <> ${ERASED_NAME}`,
    ids: ['id'],
    instead: (copy) => ({
      link_version: sql`0`,
      ...(copy.progress && {
        // The questions are copies, too.
        answers: sql`(
          select coalesce(jsonb_object_agg(${idInCopy(copy, 'key')}::text, value), '{}') from jsonb_each(guests.answers)
        )`,
      }),
      ...(!copy.progress && {
        rsvp_status: sql`'pending'`,
        coming: sql`0`,
        coming_children: sql`0`,
        maybe: sql`false`,
        answers: sql`'{}'`,
        answered_at: NOTHING,
        answered_via: NOTHING,
        waiting_since: NOTHING,
        waiting_order: NOTHING,
        message: NOTHING,
      }),
    }),
  },
];
