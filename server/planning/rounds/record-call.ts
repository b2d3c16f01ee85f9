import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { assignColumns, insertInto } from '../../kernel/database/rows.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { EventWrite } from '../events/write.ts';
import { type AnsweredGuest, guestWithRsvp, saveAnswer } from '../guests/capacity/allocation.ts';
import { type FewerPeople, FULL } from '../guests/capacity/capacity.ts';
import { answerRequestOf, partyAfter } from '../guests/input.ts';
import { messages as guestMessages } from '../guests/messages.ts';
import { findGuest, guestNotFound, requireGuest } from '../guests/rows.ts';
import type { readCall } from './call-fields.ts';
import type { RoundCall } from './contract.ts';
import { type ManualRoundGuest, markNotified, NOT_RESERVED } from './manual-rounds.ts';
import { messages } from './messages.ts';

const MOST_CALLS = 50;
/** Minimum time between two calls to a guest who did not answer the phone. */
const PAUSE = { hours: 2 };

/**
 * Records a phone call, and the answer that the guest gave in it. A guest who was reached counts as notified; a wrong
 * number is not called again. An answer for more people than can come is a 409 that saves nothing, unless it says
 * `over_limit`. `answered` is the guest after the answer, if one was given.
 */
export async function recordCall(
  write: EventWrite<{ id: string }>,
  meant: ManualRoundGuest,
  { call, rsvp }: ReturnType<typeof readCall>,
): Promise<{ call: RoundCall; answered: AnsweredGuest | undefined }> {
  const { transaction, event, now, note } = write;
  const { round, guestId, tries } = meant;
  if (round.channel !== 'phone') throw new Refusal(409, 'not_by_phone', messages.notByPhone);
  if (tries >= MOST_CALLS) throw new Refusal(409, 'too_many_calls', messages.tooManyCalls);
  await insertInto('round_calls', { round_id: round.id, guest_id: guestId, at: now, ...call }).execute(
    transaction,
  );
  const { outcome, call_again_at } = call;
  const isWrong = outcome === 'wrong_number';
  const set = assignColumns({
    tries: tries + 1,
    outcome,
    call_at: outcome === 'no_answer' ? now.add(PAUSE) : call_again_at,
    ...NOT_RESERVED,
    // A wrong number leaves the guest out of the round only if they were not notified yet. A guest who was notified
    // before stays notified.
    ...(isWrong && meant.status === 'waiting' && { status: 'left_out', left_out: 'wrong_number' }),
  });
  await sql`update round_guests set ${set} where round_id = ${round.id} and guest_id = ${guestId}`.execute(
    transaction,
  );
  note('guest', guestId, 'called', { outcome: { from: null, to: outcome } });
  if (outcome === 'reached') await markNotified(write, meant);
  const stored = requireGuest(await findGuest(transaction, event.id, guestId));
  const answer = answerRequestOf(rsvp, guestWithRsvp(stored), partyAfter({}, {}, stored.guest));
  const origin = { via: 'organizer', action: 'changed' } as const;
  const answered = answer && (await saveAnswer(write, stored, { details: {}, answer }, origin));
  if (answered?.short?.code === 'fewer') throw tooManyPeople(answered.short);
  return { call: { at: toTimestamp(now), ...call }, answered };
}

/**
 * Refuses an answer for more people than can come: whoever is on the phone asks the guest, instead of learning of fewer
 * places after the call.
 */
function tooManyPeople(fewer: FewerPeople): Refusal {
  const { upTo: up_to, mayBring: may_bring } = fewer;
  return new Refusal(409, FULL, guestMessages.moreThanCanCome(fewer), { body: { up_to, may_bring } });
}

/** Phone calls to a guest in a round, the newest call first. Throws a 404 for a malformed guest id. */
export async function listCallsToGuest(
  db: Kysely<unknown>,
  roundId: string,
  guestId: string,
): Promise<RoundCall[]> {
  if (!isUuid(guestId)) throw guestNotFound();
  const { rows } = await sql<
    Omit<RoundCall, 'at' | 'call_again_at'> & { at: Date; call_again_at: Date | null }
  >`
    select at, outcome, note, call_again_at from round_calls
    where round_id = ${roundId} and guest_id = ${guestId} order by id desc`.execute(db);
  return rows.map(({ at, call_again_at, ...call }) => ({
    at: at.toISOString(),
    ...call,
    call_again_at: call_again_at?.toISOString() ?? null,
  }));
}
