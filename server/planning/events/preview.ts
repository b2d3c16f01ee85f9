import { type Kysely, sql } from 'kysely';
import type { Language, Words } from '../../kernel/languages.ts';
import type { FieldChanges } from '../../kernel/writes/history.ts';
import type { ChangePreview, CountedEvent } from './contract.ts';
import type { Status } from './lifecycle.ts';
import { messages } from './messages.ts';

/** What waits for an event that a change may end. */
export interface Pending {
  /** Guests who wait for a place. */
  waiting: number;
  /** Rounds that are set for later. */
  rounds: number;
}

export async function pendingOf(db: Kysely<unknown>, eventId: string): Promise<Pending> {
  const { rows } = await sql<Pending>`
    select tally.waiting, (
      select count(*)::integer from rounds
      where event_id = ${eventId} and begun_at is null and called_off_at is null
    ) as rounds
    from event_tallies tally where tally.event_id = ${eventId}`.execute(db);
  return rows[0] ?? { waiting: 0, rounds: 0 };
}

/** What an organizer should know before a change is made that leads to `after`. */
export function previewOf(
  after: CountedEvent,
  changes: FieldChanges,
  { waiting, rounds }: Pending,
  now: Temporal.Instant,
  language: Language,
): ChangePreview {
  const say = messages.preview;
  const ends = changes.status?.to as Status | undefined;
  const guests = after.rsvp_confirmed + waiting;
  const isEarly = after.event_date !== null && Date.parse(after.event_date) > now.epochMilliseconds;
  const warnings: [ChangePreview['warnings'][number]['code'], Words | false][] = [
    ['final', (ends === 'cancelled' && say.cancelled) || (ends === 'completed' && say.completed)],
    ['before_its_day', ends === 'completed' && isEarly && say.beforeItsDay],
    ['guests_not_told', ends === 'cancelled' && guests > 0 && say.guestsNotTold(guests)],
    [
      'rounds_called_off',
      (ends === 'cancelled' || ends === 'completed') && rounds > 0 && say.roundsCalledOff(rounds),
    ],
  ];
  return {
    changes,
    warnings: warnings.flatMap(([code, words]) => (words ? [{ code, message: words[language] }] : [])),
  };
}
