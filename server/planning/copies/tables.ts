import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { ERASED_NAME } from '../retention/messages.ts';

/** Records to copy with an event, beyond the event's own fields. */
export interface Extent {
  /** True to copy the event's guests. */
  guests: boolean;
  /** True to copy progress: answers, statuses of bookings, payments, the checklist. */
  progress: boolean;
}

/** Duplication of an event: the id of the original event, the id of the new one, and the records to copy. */
export interface Copy extends Extent {
  /** Translations in the invitation that are not copied, because the copy changes the text that they translate. */
  leftOut: readonly TranslationField[];
  from: string;
  to: string;
}

/** Fields of the invitation that are translations, each with the event's field that it translates. */
export const TRANSLATION_FIELDS = {
  title: 'title',
  words: 'description',
  venue_name: 'venue_name',
  venue_address: 'venue_address',
} as const;
export type TranslationField = keyof typeof TRANSLATION_FIELDS;

type Column = RawBuilder<unknown>;

/** Table whose rows are copied with an event. Columns that are not mentioned are copied unchanged. */
interface CopiedTable {
  table: string;
  /** Condition for the rows of the table to copy; by default all rows of the event. */
  of?(copy: Copy): RawBuilder<unknown>;
  /** Columns of the table whose values are ids of copied rows, including the table's own id. */
  ids?: readonly string[];
  /** Columns of the table that get another value in the copy, each with the SQL for that value. */
  instead?(copy: Copy): Readonly<Record<string, Column>>;
  /** True if all rows of the table together are one thing and count as one, such as the sizes of a picture. */
  asOne?: true;
  /** True if the copy of the event gets the table's rows; absent for a table whose rows each copy gets. */
  isCopied?(copy: Copy): boolean;
}

const NOTHING = sql`null`;

/**
 * SQL for the time between the dates of the original event and of its copy, after `on` has converted each date; null if
 * one of the events has no date.
 */
const later = ({ from, to }: Copy, on: (date: Column) => Column) => sql`(
  select ${on(sql`copied.event_date`)} - ${on(sql`original.event_date`)}
  from events original, events copied where original.id = ${from} and copied.id = ${to}
)`;
const onTheWall = (time: Column) => sql`(${time} at time zone ${DEFAULT_ZONE})`;

/**
 * SQL for a time moved by the difference between the dates of the original event and of its copy, in wall time, so that
 * the hour stays the same.
 */
const moved = (copy: Copy, name: string) => {
  const column = sql.ref(name);
  return sql`coalesce((${onTheWall(column)} + ${later(copy, onTheWall)}) at time zone ${DEFAULT_ZONE}, ${column})`;
};

const movedDate = (copy: Copy, name: string) => {
  const column = sql.ref(name);
  return sql`coalesce(${column} + ${later(copy, (time) => sql`${onTheWall(time)}::date`)}, ${column})`;
};

/**
 * SQL for a deadline moved with the event's date; null if the new deadline is already past: nobody could pay or answer
 * by then.
 */
const unlessOver = (moved: Column, now: Column) => sql`case when ${moved} >= ${now} then ${moved} end`;
const NOW = sql`now()`;
const TODAY = sql`${onTheWall(NOW)}::date`;

/**
 * SQL for the id of a copied row, computed from the original id, so that all references to the row agree. The time part
 * of the id stays, so that copies sort like their originals.
 */
export function idInCopy({ to }: Copy, column: string): RawBuilder<unknown> {
  const id = sql.ref(column);
  const digest = sql`md5(${to}::text || ${id}::text)`;
  return sql`(left(${id}::text, 18) || '-8' || substr(${digest}, 1, 3) || '-' || substr(${digest}, 4, 12))::uuid`;
}

const bookingsOf = ({ from }: Copy) => sql`event_id = ${from} and deleted_at is null`;

/** Tables whose rows are copied with an event. Tables to which other tables refer come first. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  {
    table: 'invitations',
    instead: ({ leftOut }) => Object.fromEntries(leftOut.map((field) => [field, NOTHING])),
  },
  { table: 'agenda_items', ids: ['id'] },
  // The picture of the invitation gets new keys in all its sizes, so that the copy has addresses of its own.
  { table: 'pictures', asOne: true, instead: ({ to }) => ({ key: sql`md5(key || ${to}::text)` }) },
  { table: 'notices' },
  {
    table: 'rsvp_settings',
    instead: (copy) => ({
      // Open link of the copied event: closed, because the link's address stays with the original event.
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
    isCopied: ({ guests }) => guests,
    // Erased guests are not copied: without a name and address nobody can be invited.
    of: ({ from }) => sql`event_id = ${from} and name <> ${ERASED_NAME}`,
    ids: ['id'],
    instead: (copy) => ({
      link_version: sql`0`,
      ...(copy.progress && {
        // Questions get new ids in the copy, so the guests' answers must name the new ids.
        answers: sql`(
          select coalesce(jsonb_object_agg(${idInCopy(copy, 'key')}::text, value), '{}') from jsonb_each(guests.answers)
        )`,
      }),
      ...(!copy.progress && {
        rsvp_status: sql`'pending'`,
        coming: sql`0`,
        coming_children: sql`0`,
        members: sql`(
          select coalesce(jsonb_agg(member || '{"coming": true}' order by place), '[]')
          from jsonb_array_elements(members) with ordinality listed (member, place)
        )`,
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
