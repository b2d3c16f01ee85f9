import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ByLanguage } from '../../kernel/field-types.ts';
import type { LinkOwner } from '../answers/personal-links.ts';
import {
  type AudienceCriteria,
  findTimeAndPlaceHistory,
  LAST_NOTIFIED_AT,
  type LeftOutReason,
  leftOutReason,
  type TimeAndPlaceHistory,
} from './audience.ts';
import { type Channel, type ChannelName, openChannel } from './channels.ts';
import { type RoundKind, rulesOfKind } from './kinds.ts';
import { type Addressee, addresseeColumns } from './letter.ts';
import { type FormerTimeAndPlace, formerTimeAndPlaceOf, timeAndPlaceAt } from './time-and-place.ts';

/** Round that has begun, with the criteria that decide which guests get its message. */
export interface BegunRound extends AudienceCriteria {
  id: string;
  eventId: string;
  kind: RoundKind;
  channel: Channel;
  organizerId: string;
}

/** Reads a round that has begun; undefined if the round no longer exists. */
export async function findBegunRound(db: Kysely<unknown>, id: string): Promise<BegunRound | undefined> {
  const { rows } = await sql<{
    event_id: string;
    kind: RoundKind;
    channel: ChannelName;
    also_answered: boolean;
    automatic: boolean;
    organizer_id: string;
  }>`
    select event_id, kind, channel, also_answered, automatic, organizer_id
    from rounds join events on events.id = event_id where rounds.id = ${id}`.execute(db);
  const [round] = rows;
  if (!round) return undefined;
  const story = await findTimeAndPlaceHistory(db, round.event_id);
  const channel = await openChannel(db, round.event_id, round.channel);
  const { kind, also_answered: alsoAnswered, automatic, organizer_id: organizerId } = round;
  const eventId = round.event_id;
  return { id, eventId, kind, channel, alsoAnswered, automatic, organizerId, story };
}

/** Guest of a round who was not notified yet. */
export interface WaitingGuest extends Addressee, LinkOwner {
  email: string | null;
  phone: string | null;
  other_phones: string[];
  subject: ByLanguage | null;
  message: ByLanguage | null;
  told_at: Date | null;
  /** Time of the event's last change of any kind. */
  as_of: Date;
  is_deleted: boolean;
  /** True if the guest got an earlier mail about the event. */
  had_mail: boolean;
  search: string;
  /**
   * Reason, found when the message is written, why the guest does not get it; null if they get it. Since the round's
   * creation things may have changed: a guest who has answered gets no reminder.
   */
  why: LeftOutReason | null;
}

const HAD_MAIL = sql<boolean>`exists (
  select from round_guests earlier join rounds on rounds.id = earlier.round_id
  where earlier.guest_id = guests.id and earlier.message_id is not null and rounds.channel = 'mail'
)`;

/**
 * SQL for the guests of a round who have not got its message yet, as rows of `WaitingGuest`; `among` limits them to
 * these ids. In the query `round_guests` has the alias `meant`.
 */
export function waitingGuests(round: BegunRound, among?: readonly string[]): RawBuilder<WaitingGuest> {
  return sql`
    select ${addresseeColumns}, guests.email, guests.phone, guests.other_phones, guests.search,
      round.subject, round.message, ${LAST_NOTIFIED_AT} as told_at, events.updated_at as as_of, events.deleted_at is not null as is_deleted, ${HAD_MAIL} as had_mail, ${leftOutReason(round.kind, round)} as why
    from round_guests meant
    join rounds round on round.id = meant.round_id
    join guests on guests.id = meant.guest_id
    join events on events.id = guests.event_id
    left join invitations invitation on invitation.event_id = events.id
    where meant.round_id = ${round.id} and meant.status = 'waiting'
      ${among ? sql`and meant.guest_id = any(${[...among]}::uuid[])` : sql``}`;
}

/**
 * Former time and place of the event that the guest was told and that have changed since; empty if it is not known what
 * they were told.
 */
export function formerTimeAndPlaceFor(
  { told_at }: Pick<WaitingGuest, 'told_at'>,
  { now, moves }: TimeAndPlaceHistory,
): FormerTimeAndPlace {
  return told_at ? formerTimeAndPlaceOf(timeAndPlaceAt(now, moves, told_at.getTime()), now) : {};
}

/**
 * Value of a message's column `told_as_of`: the time of the event's last change; null if messages of the kind don't say
 * when and where the event is.
 */
export function notifiedAsOf(kind: RoundKind, { as_of }: Pick<WaitingGuest, 'as_of'>): Date | null {
  return rulesOfKind(kind).tellsTimeAndPlace ? as_of : null;
}
