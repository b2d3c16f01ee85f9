import { Refusal } from '../../../kernel/refusal.ts';
import { changesBetween } from '../../../kernel/writes/history.ts';
import type { EventWrite } from '../../events/write.ts';
import type { Guest } from '../contract.ts';
import type { Details } from '../fields.ts';
import type { GuestInput } from '../input.ts';
import { messages } from '../messages.ts';
import { insertGuest, type StoredGuest, updateGuest } from '../rows.ts';
import { FULL, type Wish } from './room.ts';
import { moveUp, readHall } from './seating.ts';
import { seatedOf, settle, UNANSWERED, wishToJudge } from './standing.ts';

/** How an answer came, and the line of history it leaves. */
export interface Means {
  via: NonNullable<Guest['answered_via']>;
  noted: 'created' | 'changed' | 'answered' | 'accepted' | 'restored';
}

type Write = EventWrite<{ id: string }>;

/**
 * Somebody answers: a guest by their link, the organizer in their place, a stranger by the open link. Writes the answer
 * and the details that came with it, says so in the history, and gives places that came free to those who wait.
 * A yes without places left waits in line; a 409 for who has places and asks for more than there are.
 */
export async function answer(
  write: Write,
  stored: StoredGuest,
  input: GuestInput,
  { via, noted }: Means,
): Promise<StoredGuest> {
  const { transaction, event, now, note } = write;
  const guest = seatedOf(stored);
  const hall = wishToJudge(guest, input) && (await readHall(transaction, event.id));
  const settled = hall && settle(guest, input, via, hall, now);
  if (settled === FULL) throw noRoomForMore();
  const columns = { ...input.details, ...settled?.columns };
  const after = changesBetween(guest, columns)
    ? await updateGuest(transaction, stored.guest.id, columns, now)
    : stored;
  const changes = changesBetween(stored.guest, after.guest);
  if (changes || noted === 'accepted' || noted === 'restored') note('guest', stored.guest.id, noted, changes);
  if (settled?.freed && hall && hall.waiting > 0) await moveUp(write);
  return after;
}

/** Somebody is put on the list, with an answer or without. */
export async function addGuest(
  { transaction, event, now, note }: Write,
  details: Details,
  wish: Wish | undefined,
  { via, noted }: Means,
): Promise<StoredGuest> {
  const guest = { ...UNANSWERED, party_size: details.party_size };
  const settled = wish && settle(guest, { details, wish }, via, await readHall(transaction, event.id), now);
  if (settled === FULL) throw noRoomForMore();
  const added = await insertGuest(transaction, event.id, details, settled?.columns ?? {}, now);
  note('guest', added.guest.id, noted);
  return added;
}

function noRoomForMore(): Refusal {
  return new Refusal(409, FULL, messages.full);
}
