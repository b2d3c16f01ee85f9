import { type Kysely, sql } from 'kysely';
import type { Language, Words } from '../../kernel/languages.ts';
import type { FieldChanges } from '../../kernel/writes/history.ts';
import type { ChangePreview, CountedEvent, DAY_CODES } from './contract.ts';
import type { EventStatus } from './lifecycle.ts';
import { messages } from './messages.ts';
import { VENUE_FIELD_NAMES, type VenueField } from './place.ts';

/** Facts about an event that determine which warnings an organizer gets before a change of it. */
export interface ChangeFacts {
  /** Number of people who come: guests who said yes, with their parties. */
  people: number;
  /** Number of guests on the event's waiting list. */
  waiting: number;
  /** Number of rounds (messages to many guests) that are scheduled and not yet begun. */
  rounds: number;
  /** Fields of the event's invitation that describe the venue and have a value. */
  venue_fields: VenueField[];
}

export async function findChangeFacts(db: Kysely<unknown>, eventId: string): Promise<ChangeFacts> {
  const { rows } = await sql<ChangeFacts>`
    select tally.people, tally.waiting, (
      select count(*)::integer from rounds
      where event_id = ${eventId} and begun_at is null and called_off_at is null
    ) as rounds, coalesce((
      select array_remove(array[${sql.join(VENUE_FIELD_NAMES.map((what) => sql`case when ${sql.ref(what)} is not null then ${sql.lit(what)} end`))}], null)
      from invitations where event_id = ${eventId}
    ), '{}') as venue_fields
    from event_tallies tally where tally.event_id = ${eventId}`.execute(db);
  return rows[0] ?? { people: 0, waiting: 0, rounds: 0, venue_fields: [] };
}

/** Advice about the day of an event, from the calendar. */
export interface DayAdvice {
  strength: (typeof DAY_CODES)[number];
  name: string;
  message: string;
}

/**
 * Preview of a change of an event, with the warnings about it. `after` is the event with the change, `day` the
 * calendar's advice about a new day.
 */
export function previewChange(
  after: CountedEvent,
  changes: FieldChanges,
  { people, waiting, rounds, venue_fields }: ChangeFacts,
  day: readonly DayAdvice[],
  now: Temporal.Instant,
  language: Language,
): ChangePreview {
  const say = messages.preview;
  const ends = changes.status?.to as EventStatus | undefined;
  const guests = after.rsvp_confirmed + waiting;
  const isEarly = after.event_date !== null && Date.parse(after.event_date) > now.epochMilliseconds;
  const moves = after.status === 'published' && NOTABLE_FIELDS.some((field) => changes[field]);
  const renamed = changes.venue_name !== undefined;
  const limits = [after.max_guests, after.venue_capacity].filter((limit) => limit !== null);
  const places = Math.min(...limits);
  const shrinks = (changes.max_guests ?? changes.venue_capacity) !== undefined && places < people;
  const warnings: [ChangePreview['warnings'][number]['code'], Words | false][] = [
    ['final', (ends === 'cancelled' && say.cancelled) || (ends === 'completed' && say.completed)],
    ['before_its_day', ends === 'completed' && isEarly && say.beforeItsDay],
    [
      'guests_not_told',
      guests > 0 &&
        ((ends === 'cancelled' && say.guestsNotTold(guests)) || (moves && say.guestsNotToldOfMove(guests))),
    ],
    [
      'former_address',
      renamed && !changes.venue_address && after.venue_address !== null && say.formerAddress,
    ],
    ['former_coordinates', renamed && venue_fields.includes('coordinates') && say.formerCoordinates],
    [
      'former_translation',
      TRANSLATED_FIELDS.some((what) => changes[what] && venue_fields.includes(what)) && say.formerTranslation,
    ],
    ['fewer_places', shrinks && say.fewerPlaces(people, places)],
    [
      'rounds_called_off',
      (ends === 'cancelled' || ends === 'completed') && rounds > 0 && say.roundsCalledOff(rounds),
    ],
  ];
  return {
    changes,
    warnings: [
      ...warnings.flatMap(([code, words]) => (words ? [{ code, message: words[language] }] : [])),
      ...day.map(({ strength: code, name, message }) => ({ code, message: `${name}: ${message}` })),
    ],
  };
}

const TRANSLATED_FIELDS = ['venue_name', 'venue_address'] as const satisfies readonly VenueField[];

/** Fields of an event whose changes the organizer must tell the guests. */
const NOTABLE_FIELDS = ['event_date', 'venue_name', 'venue_address'] as const;
