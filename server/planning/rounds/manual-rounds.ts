import { type Kysely, type RawBuilder, sql } from 'kysely';
import { pageOfRows } from '../../kernel/database/pages.ts';
import { assignColumns } from '../../kernel/database/rows.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Links } from '../answers/personal-links.ts';
import type { EventWrite } from '../events/write.ts';
import { whatsAppUrl } from '../guests/phone.ts';
import { guestNotFound } from '../guests/rows.ts';
import { leftOutReason } from './audience.ts';
import type { CallOutcome } from './call-fields.ts';
import { type ChannelName, isSentByServer } from './channels.ts';
import type { DueGuest, NextGuest, Round } from './contract.ts';
import { type RoundKind, rulesOfKind } from './kinds.ts';
import { textTo } from './letter.ts';
import { messages } from './messages.ts';
import type { RoundBasics } from './store.ts';
import {
  type BegunRound,
  findBegunRound,
  formerTimeAndPlaceFor,
  type WaitingGuest,
  waitingGuests,
} from './waiting-guests.ts';

// Manual rounds, in which people contact the guests: the next guest, the text for them, and the record of who was
// notified. The records are in `round_guests`, like those of messages that the server sends.

/**
 * Time for which the next guest of a manual round is reserved for the person who contacts them. A call that was
 * promised for later is due after the same time.
 */
const RESERVATION = { minutes: 15 };

interface TakenGuest extends WaitingGuest {
  tries: number;
  outcome: CallOutcome | null;
}

/** Guest of a manual round who is to be contacted next; without the message's text, which is made later. */
interface Turn {
  id: string;
}

/**
 * SQL for the guests of a manual round who are not notified yet, in order: guests with a promised call, then guests who
 * were never called, then guests who did not answer, the longest ago first. Guests reserved for another person are left
 * out.
 */
function dueGuests(round: BegunRound, callerId: string, now: Temporal.Instant): RawBuilder<Turn> {
  return sql`
    select guests.id, guests.name, guests.search, meant.tries, meant.outcome,
      case when meant.taken_by = ${callerId} then meant.taken_until end as at_hand_until,
      array[
        case when meant.outcome = 'call_again' then 0 when meant.tries = 0 then 1 else 2 end,
        coalesce(extract(epoch from meant.call_at), 0)
      ] as turn
    from round_guests meant
    join guests on guests.id = meant.guest_id and guests.event_id = ${round.eventId}
    where meant.round_id = ${round.id} and meant.status = 'waiting' and ${leftOutReason(round.kind, round)} is null
      and (meant.call_at is null or meant.call_at <= ${toParameter(now)})
      and (meant.taken_by is null or meant.taken_by = ${callerId} or meant.taken_until <= ${toParameter(now)})`;
}

/** Reads the guests of a manual round whom `turns` names, in the order of `turns`. */
async function readInOrder(
  db: Kysely<unknown>,
  round: BegunRound,
  turns: readonly Turn[],
): Promise<TakenGuest[]> {
  const ids = turns.map(({ id }) => id);
  const { rows } = await sql<TakenGuest>`
    select waiting.*, meant.tries, meant.outcome
    from (${waitingGuests(round, ids)}) waiting
    join round_guests meant on meant.round_id = ${round.id} and meant.guest_id = waiting.id`.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export interface NextGuestParts {
  db: Kysely<unknown>;
  links: Links;
  callerId: string;
  now: Temporal.Instant;
}

/**
 * Page of the guests of a manual round to contact next. The message to a guest comes only with their reservation
 * (`takeNextGuest`), so that two people never write to the same guest.
 */
export async function findNextGuests(
  { db, callerId, now }: Omit<NextGuestParts, 'links'>,
  { id, channel }: Pick<Round, 'id' | 'channel'>,
  page: Page,
): Promise<{ next: DueGuest[]; total: number }> {
  refuseServerChannel(channel);
  const round = await findBegunRound(db, id);
  if (!round) return { next: [], total: 0 };
  const source = {
    columns: sql`due.id as guest_id, name, tries, outcome, turn, search`,
    from: sql`(${dueGuests(round, callerId, now)}) due`,
    order: sql`turn, search, guest_id`,
  };
  const { rows, total } = await pageOfRows<DueGuest & Turn>(db, source, page);
  return {
    next: rows.map(({ guest_id, name, tries, outcome }) => ({ guest_id, name, tries, outcome })),
    total,
  };
}

/**
 * Reserves the next guest for the caller until they report the outcome. A guest who is still reserved for the caller is
 * returned again.
 */
export async function takeNextGuest(
  { links, callerId }: Pick<NextGuestParts, 'links' | 'callerId'>,
  { transaction, now }: Pick<EventWrite, 'transaction' | 'now'>,
  { id, channel }: Pick<Round, 'id' | 'channel'>,
): Promise<NextGuest | null> {
  refuseServerChannel(channel);
  const round = await findBegunRound(transaction, id);
  if (!round) return null;
  const { rows } = await sql<Turn>`
    select id from (${dueGuests(round, callerId, now)}) due order by at_hand_until desc nulls last, turn, search, id limit 1`.execute(
    transaction,
  );
  const [first] = rows;
  if (!first) return null;
  await sql`
    update round_guests set ${assignColumns(reservationFor(callerId, now))}
    where round_id = ${id} and guest_id = ${first.id}`.execute(transaction);
  const [next] = await withTexts(transaction, links, round, await readInOrder(transaction, round, rows), now);
  return next ?? null;
}

async function withTexts(
  db: Kysely<unknown>,
  links: Links,
  { kind, story }: BegunRound,
  guests: TakenGuest[],
  now: Temporal.Instant,
): Promise<NextGuest[]> {
  const urls = await links.open(db, guests);
  return guests.map((guest, index) => {
    const circumstances = { url: urls[index] ?? '', before: formerTimeAndPlaceFor(guest, story), now };
    const text = textTo(guest, { ...guest, kind }, circumstances);
    const { id: guest_id, name, phone, other_phones, tries, outcome } = guest;
    return {
      guest_id,
      name,
      phone,
      other_phones,
      text,
      whatsapp_url: whatsAppUrl(phone, text),
      tries,
      outcome,
    };
  });
}

/** Guest of a manual round whose row is locked. */
export interface ManualRoundGuest {
  round: RoundBasics;
  guestId: string;
  status: 'waiting' | 'written' | 'left_out';
  tries: number;
  outcome: CallOutcome | null;
}

/** Finds and locks a guest of a manual round. Throws a 404 if the guest is not in it, a 409 if they are left out. */
export async function lockManualRoundGuest(
  transaction: Kysely<unknown>,
  round: ManualRoundGuest['round'],
  guestId: string,
): Promise<ManualRoundGuest> {
  refuseServerChannel(round.channel);
  const { rows } = isUuid(guestId)
    ? await sql<Pick<ManualRoundGuest, 'status' | 'tries' | 'outcome'>>`
        select status, tries, outcome from round_guests
        where round_id = ${round.id} and guest_id = ${guestId} for update`.execute(transaction)
    : { rows: [] };
  const [meant] = rows;
  if (!meant) throw guestNotFound();
  if (meant.status === 'left_out') throw new Refusal(409, 'not_meant', messages.notMeant);
  return { ...meant, round, guestId };
}

/** Records that a guest of a manual round was contacted. Doing so again changes nothing. */
export async function markNotified(
  { transaction, event, now, note }: EventWrite<{ id: string }>,
  { round, guestId, status }: ManualRoundGuest,
): Promise<void> {
  if (status === 'written') return;
  await sql`
    update round_guests set ${assignColumns({ status: 'written', sent_at: now, ...NOT_RESERVED })},
      told_as_of = case when ${tellsTimeAndPlace(round.kind)} then (select updated_at from events where id = ${event.id}) end
    where round_id = ${round.id} and guest_id = ${guestId}`.execute(transaction);
  note('guest', guestId, 'told');
}

/** Records that a guest was not notified after all; the guest is reserved for the caller again. */
export async function unmarkNotified(
  { transaction, now, note }: EventWrite<{ id: string }>,
  { round, guestId, status }: ManualRoundGuest,
  callerId: string,
): Promise<void> {
  if (status !== 'written') return;
  const set = assignColumns({
    status: 'waiting',
    sent_at: null,
    told_as_of: null,
    ...reservationFor(callerId, now),
  });
  await updateRoundGuest(transaction, { round, guestId }, set);
  note('guest', guestId, 'not_told');
}

/** Moves a guest who is not notified yet to the end of a manual round's list, where anybody can take them. */
export async function leaveForLater(
  { transaction, now }: EventWrite<{ id: string }>,
  { round, guestId, status, outcome }: ManualRoundGuest,
): Promise<void> {
  if (status !== 'waiting') return;
  // A promised call comes first on the list as soon as it is due. Without the delay set here, it would be the next call
  // again at once.
  const until = toParameter(outcome === 'call_again' ? now.add(RESERVATION) : now);
  const set = sql`call_at = greatest(call_at, ${until}), ${assignColumns(NOT_RESERVED)}`;
  await updateRoundGuest(transaction, { round, guestId }, set);
}

async function updateRoundGuest(
  transaction: Kysely<unknown>,
  { round, guestId }: Pick<ManualRoundGuest, 'round' | 'guestId'>,
  set: RawBuilder<unknown>,
): Promise<void> {
  await sql`update round_guests set ${set} where round_id = ${round.id} and guest_id = ${guestId}`.execute(
    transaction,
  );
}

const reservationFor = (callerId: string, now: Temporal.Instant) => ({
  taken_by: callerId,
  taken_until: now.add(RESERVATION),
});

/** Values of the columns in which a guest of a manual round is reserved for nobody. */
export const NOT_RESERVED = { taken_by: null, taken_until: null };

function tellsTimeAndPlace(kind: RoundKind): boolean {
  return rulesOfKind(kind).tellsTimeAndPlace === true;
}

function refuseServerChannel(channel: ChannelName): void {
  if (isSentByServer(channel)) throw new Refusal(409, 'not_by_hand', messages.notByHand);
}
