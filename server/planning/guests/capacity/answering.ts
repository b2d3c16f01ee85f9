import { Refusal } from '../../../kernel/refusal.ts';
import { changesBetween, type FieldChanges } from '../../../kernel/writes/history.ts';
import type { EventWrite } from '../../events/write.ts';
import { type Answers, answersAfter } from '../../questions/answers.ts';
import { listQuestions } from '../../questions/store.ts';
import type { Guest } from '../contract.ts';
import type { Details } from '../fields.ts';
import type { GuestInput } from '../input.ts';
import { messages } from '../messages.ts';
import { insertGuest, type StoredGuest, updateGuest } from '../rows.ts';
import { FULL, type Wish } from './room.ts';
import { moveUp, readHall } from './seating.ts';
import {
  type Hall,
  type Seated,
  type Shortfall,
  seatedOf,
  settle,
  UNANSWERED,
  upTo,
  wishToJudge,
} from './standing.ts';

/** Origin of an answer, and the action that the history notes. */
export interface Means {
  via: NonNullable<Guest['answered_via']>;
  noted: 'created' | 'changed' | 'answered' | 'accepted' | 'restored';
}

type Write = EventWrite<{ id: string }>;

/** Guest after an answer, and the part of the request that could not be granted. */
export interface AnsweredGuest extends StoredGuest {
  short: Shortfall | undefined;
  /** True if any field of the guest differs from its value before. */
  isChanged: boolean;
}

/**
 * Records an answer: of a guest by their personal link, of an organizer on their behalf, or of a stranger by the open
 * link. Writes the answer and the details that came with it, notes both in the history, and gives freed places to the
 * waiting list.
 * A yes without enough free places goes to the waiting list; if the places are enough for the invited people alone,
 * the guest gets these. A guest who already has places and asks for more than are free gets a 409. `was` is the guest
 * with which the history compares, unless it is the stored row.
 */
export async function answer(
  write: Write,
  stored: StoredGuest,
  input: GuestInput,
  { via, noted }: Means,
  was: Guest = stored.guest,
): Promise<AnsweredGuest> {
  const { transaction, event, now, note } = write;
  const guest = seatedOf(stored);
  const hall = wishToJudge(guest, input) && (await readHall(transaction, event.id));
  const settled = hall && settle(guest, input, via, hall, now);
  if (settled === FULL) throw noRoomForMore(guest, input, hall as Hall);
  const details = await withAnswers(write, input.details, stored.guest.answers, via);
  const columns = { ...details, ...settled?.columns };
  const after = changesBetween(guest, columns)
    ? await updateGuest(transaction, stored.guest.id, columns, now)
    : stored;
  const changed = changesBetween(was, after.guest);
  const changes = settled?.overLimit ? { ...changed, ...OVER_LIMIT } : changed;
  if (changes || noted === 'accepted' || noted === 'restored') note('guest', stored.guest.id, noted, changes);
  if (settled?.freed && hall && hall.waiting > 0) await moveUp(write);
  return { ...after, short: settled?.short, isChanged: changed !== undefined };
}

/**
 * Merges the given answers to the event's questions into the stored ones. Guests can answer the questions that are
 * currently asked; an organizer can answer any question. Answers of an accepted open-link request were checked when
 * the request came in.
 */
async function withAnswers<D extends Partial<Details>>(
  { transaction, event }: Write,
  details: D,
  before: Answers,
  via: Means['via'],
): Promise<D> {
  const { answers } = details;
  if (!answers || Object.keys(answers).length === 0)
    return { ...details, ...(answers && { answers: before }) };
  if (via === 'open_link') return { ...details, answers: { ...before, ...answers } };
  const questions = await listQuestions(transaction, event.id);
  const asked = via === 'organizer' ? questions : questions.filter((question) => question.asked);
  return { ...details, answers: answersAfter(asked, before, answers) };
}

/** History entry for places that were given beyond the event's limits. */
const OVER_LIMIT: FieldChanges = { over_limit: { from: false, to: true } };

/** Adds a guest to the list, with or without an answer. */
export async function addGuest(
  write: Write,
  given: Details,
  wish: Wish | undefined,
  { via, noted }: Means,
): Promise<AnsweredGuest> {
  const { transaction, event, now, note } = write;
  const details = await withAnswers(write, given, {}, via);
  const settled =
    wish && settle(UNANSWERED, { details, wish }, via, await readHall(transaction, event.id), now);
  // FULL is only for guests who already have places.
  if (settled === FULL) throw new Error('a new guest has places');
  const added = await insertGuest(transaction, event.id, details, settled?.columns ?? {}, now);
  note('guest', added.guest.id, noted, settled?.overLimit ? OVER_LIMIT : undefined);
  return { ...added, short: settled?.short, isChanged: true };
}

function noRoomForMore(guest: Seated, { details }: GuestInput, { room }: Hall): Refusal {
  const most = upTo(guest, room, details);
  return new Refusal(409, FULL, messages.full(most), { body: { up_to: most } });
}
