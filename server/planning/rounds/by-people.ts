import { type Kysely, type RawBuilder, sql } from 'kysely';
import { pageOfRows } from '../../kernel/database/pages.ts';
import { assign } from '../../kernel/database/rows.ts';
import { parameter } from '../../kernel/database/transaction.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Links } from '../answers/personal-links.ts';
import type { EventWrite } from '../events/write.ts';
import { whatsAppUrl } from '../guests/phone.ts';
import { noSuchGuest } from '../guests/rows.ts';
import { leftOut } from './audience.ts';
import type { CallOutcome } from './call-fields.ts';
import { type ChannelName, isOurs } from './channels.ts';
import type { NextGuest, Round } from './contract.ts';
import { type Kind, mannerOf } from './kinds.ts';
import { textTo } from './letter.ts';
import { messages } from './messages.ts';
import type { KnownRound } from './store.ts';
import { type BegunRound, begunRound, toldBefore, type Waiting, waitingGuests } from './waiting.ts';

// Rounds that people carry out: who is next, with what words, and who was told. What they say of a guest stands in
// `round_guests`, beside what our own mail says.

/** Nobody else is given a guest whom somebody has just taken, and whoever leaves one for later has a promise put off so far. */
const HELD = { minutes: 15 };

interface Due extends Waiting {
  tries: number;
  outcome: CallOutcome | null;
}

/** Whose turn it is, before anything is written to them. */
interface Turn {
  id: string;
}

/**
 * SQL for the turns of those still to be told: whom we promised to call again comes first, then who was never called, and
 * those not reached, the longest ago first. Not those whom somebody else has at hand.
 */
function due(round: BegunRound, callerId: string, now: Temporal.Instant): RawBuilder<Turn> {
  return sql`
    select guests.id, guests.search,
      case when meant.taken_by = ${callerId} then meant.taken_until end as at_hand_until,
      array[
        case when meant.outcome = 'call_again' then 0 when meant.tries = 0 then 1 else 2 end,
        coalesce(extract(epoch from meant.call_at), 0)
      ] as turn
    from round_guests meant
    join guests on guests.id = meant.guest_id and guests.event_id = ${round.eventId}
    where meant.round_id = ${round.id} and meant.status = 'waiting' and ${leftOut(round.kind, round)} is null
      and (meant.call_at is null or meant.call_at <= ${parameter(now)})
      and (meant.taken_by is null or meant.taken_by = ${callerId} or meant.taken_until <= ${parameter(now)})`;
}

/** All of those, in their order. */
async function inTheirTurn(db: Kysely<unknown>, round: BegunRound, turns: readonly Turn[]): Promise<Due[]> {
  const ids = turns.map(({ id }) => id);
  const { rows } = await sql<Due>`
    select waiting.*, meant.tries, meant.outcome
    from (${waitingGuests(round, ids)}) waiting
    join round_guests meant on meant.round_id = ${round.id} and meant.guest_id = waiting.id`.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export interface NextParts {
  db: Kysely<unknown>;
  links: Links;
  callerId: string;
  now: Temporal.Instant;
}

/** A page of whom to tell next, each with the words. */
export async function findNext(
  { db, links, callerId, now }: NextParts,
  { id, channel }: Pick<Round, 'id' | 'channel'>,
  page: Page,
): Promise<{ next: NextGuest[]; total: number }> {
  refuseOurs(channel);
  const round = await begunRound(db, id);
  if (!round) return { next: [], total: 0 };
  const source = {
    columns: sql`due.id, turn, search`,
    from: sql`(${due(round, callerId, now)}) due`,
    order: sql`turn, search, id`,
  };
  const { rows, total } = await pageOfRows<Turn>(db, source, page);
  return { next: await shown(db, links, round, await inTheirTurn(db, round, rows), now), total };
}

/** Takes the next guest for whoever asks, until they say what came of it: the last they have at hand, or another. */
export async function takeNext(
  { links, callerId }: Pick<NextParts, 'links' | 'callerId'>,
  { transaction, now }: Pick<EventWrite, 'transaction' | 'now'>,
  { id, channel }: Pick<Round, 'id' | 'channel'>,
): Promise<NextGuest | null> {
  refuseOurs(channel);
  const round = await begunRound(transaction, id);
  if (!round) return null;
  const { rows } = await sql<Turn>`
    select id from (${due(round, callerId, now)}) due order by at_hand_until desc nulls last, turn, search, id limit 1`.execute(
    transaction,
  );
  const [first] = rows;
  if (!first) return null;
  await sql`
    update round_guests set ${assign(atHandOf(callerId, now))}
    where round_id = ${id} and guest_id = ${first.id}`.execute(transaction);
  const [next] = await shown(transaction, links, round, await inTheirTurn(transaction, round, rows), now);
  return next ?? null;
}

async function shown(
  db: Kysely<unknown>,
  links: Links,
  { kind, story }: BegunRound,
  guests: Due[],
  now: Temporal.Instant,
): Promise<NextGuest[]> {
  const urls = await links.open(db, guests);
  return guests.map((guest, index) => {
    const circumstances = { url: urls[index] ?? '', before: toldBefore(guest, story), now };
    const text = textTo(guest, { ...guest, kind }, circumstances);
    const { id: guest_id, name, phone, tries, outcome } = guest;
    return { guest_id, name, phone, text, whatsapp_url: whatsAppUrl(phone, text), tries, outcome };
  });
}

/** A guest of a round that people carry out, locked. */
export interface Meant {
  round: KnownRound;
  guestId: string;
  status: 'waiting' | 'written' | 'left_out';
  tries: number;
  outcome: CallOutcome | null;
}

/** Throws a 404 for who is not in it at all, and a 409 for who is left out of it. */
export async function lockMeant(
  transaction: Kysely<unknown>,
  round: Meant['round'],
  guestId: string,
): Promise<Meant> {
  refuseOurs(round.channel);
  const { rows } = isUuid(guestId)
    ? await sql<Pick<Meant, 'status' | 'tries' | 'outcome'>>`
        select status, tries, outcome from round_guests
        where round_id = ${round.id} and guest_id = ${guestId} for update`.execute(transaction)
    : { rows: [] };
  const [meant] = rows;
  if (!meant) throw noSuchGuest();
  if (meant.status === 'left_out') throw new Refusal(409, 'not_meant', messages.notMeant);
  return { ...meant, round, guestId };
}

/** Takes down that a guest was told. Doing it twice is doing it once. */
export async function markTold(
  { transaction, event, now, note }: EventWrite<{ id: string }>,
  { round, guestId, status }: Meant,
): Promise<void> {
  if (status === 'written') return;
  await sql`
    update round_guests set ${assign({ status: 'written', sent_at: now, ...NOBODYS })},
      told_as_of = case when ${tells(round.kind)} then (select updated_at from events where id = ${event.id}) end
    where round_id = ${round.id} and guest_id = ${guestId}`.execute(transaction);
  note('guest', guestId, 'told');
}

/** Takes down that a guest was not told after all: whoever says so has them at hand again. */
export async function markNotTold(
  { transaction, now, note }: EventWrite<{ id: string }>,
  { round, guestId, status }: Meant,
  callerId: string,
): Promise<void> {
  if (status !== 'written') return;
  const set = assign({ status: 'waiting', sent_at: null, told_as_of: null, ...atHandOf(callerId, now) });
  await setOf(transaction, { round, guestId }, set);
  note('guest', guestId, 'not_told');
}

/** Puts a guest who is still to be told behind the others, for whoever comes to them. */
export async function leaveForLater(
  { transaction, now }: EventWrite<{ id: string }>,
  { round, guestId, status, outcome }: Meant,
): Promise<void> {
  if (status !== 'waiting') return;
  // Who was promised a call is first of all whenever it is time, and would be back at once.
  const until = parameter(outcome === 'call_again' ? now.add(HELD) : now);
  const set = sql`call_at = greatest(call_at, ${until}), ${assign(NOBODYS)}`;
  await setOf(transaction, { round, guestId }, set);
}

async function setOf(
  transaction: Kysely<unknown>,
  { round, guestId }: Pick<Meant, 'round' | 'guestId'>,
  set: RawBuilder<unknown>,
): Promise<void> {
  await sql`update round_guests set ${set} where round_id = ${round.id} and guest_id = ${guestId}`.execute(
    transaction,
  );
}

const atHandOf = (callerId: string, now: Temporal.Instant) => ({
  taken_by: callerId,
  taken_until: now.add(HELD),
});

/** Nobody has them at hand any more. */
export const NOBODYS = { taken_by: null, taken_until: null };

function tells(kind: Kind): boolean {
  return mannerOf(kind).tells === true;
}

function refuseOurs(channel: ChannelName): void {
  if (isOurs(channel)) throw new Refusal(409, 'not_by_hand', messages.notByHand);
}
