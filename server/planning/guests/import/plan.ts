import { Refusal } from '../../../kernel/refusal.ts';
import type { Guest } from '../contract.ts';
import type { Details } from '../fields.ts';
import { type GuestBody, type GuestInput, newGuestOf, wishOf } from '../input.ts';
import { messages } from '../messages.ts';
import { FULL, type Room, without } from '../places/room.ts';
import { type Hall, type Seated, settle, UNANSWERED, wishToJudge } from '../places/standing.ts';
import type { AnswerColumns } from '../rows.ts';

/** A guest who is there already. */
export type Known = Guest & Seated;

export type Step =
  | { action: 'create'; row: number; details: Details; answer: AnswerColumns }
  | { action: 'update'; row: number; guest: Known; details: Partial<Details>; answer: AnswerColumns }
  | { action: 'keep'; row: number; guest: Known };

/** Whom a row's phone and address name. */
export interface Named {
  byPhone: Known | undefined;
  byEmail: Known | undefined;
}

/**
 * Plans row after row what becomes of an event's guests: who is new, who is one already, by phone or email, and where
 * a yes in the file leads. The hall fills as the rows go by, as if each had been answered in its turn.
 */
export function createPlan(start: Hall, now: Temporal.Instant) {
  let hall = start;
  let freed = false;
  let least = start.room;
  let isTight = false;
  const rowOf = new Map<string, number>();

  const claim = (row: number, keys: (string | null | undefined)[]): void => {
    const own = keys.filter((key) => key !== null && key !== undefined);
    for (const key of own) {
      const other = rowOf.get(key);
      if (other !== undefined) throw new Refusal(400, 'same_as_row', messages.sameAsRow(other));
    }
    for (const key of own) rowOf.set(key, row);
  };

  const answerOf = (guest: Seated, input: GuestInput): AnswerColumns => {
    if (!wishToJudge(guest, input)) return {};
    const settled = settle(guest, input, 'import', hall, now);
    if (settled === FULL) {
      isTight = true;
      throw new Refusal(400, 'full', messages.full);
    }
    hall = settled.hall;
    freed ||= settled.freed;
    isTight ||= typeof settled.columns.waiting_order === 'number';
    least = lesser(least, hall.room);
    return settled.columns;
  };

  return {
    /** Throws a FieldProblem or a Refusal for a row that can't be taken. */
    step(row: number, body: GuestBody, { byPhone, byEmail }: Named): Step {
      const { phone, email } = body.details;
      if (byPhone && byEmail && byPhone.id !== byEmail.id)
        throw new Refusal(400, 'two_guests', messages.twoGuests);
      const guest = byPhone ?? byEmail;
      if (!guest) {
        const { details, wish } = newGuestOf(body);
        claim(row, [details.phone, details.email]);
        const answer = answerOf({ ...UNANSWERED, party_size: details.party_size }, { details, wish });
        return { action: 'create', row, details, answer };
      }
      claim(row, [guest.id, phone, email]);
      const changed = changesOf(guest, body);
      if (!changed) return { action: 'keep', row, guest };
      return { action: 'update', row, guest, details: changed.details, answer: answerOf(guest, changed) };
    },

    /** Whether places came free that somebody who waits may have. */
    get freed(): boolean {
      return freed;
    },

    /** Whether each answer would lead to where it did if the hall had been this one. */
    wouldSeat(other: Hall): boolean {
      if (hall === start) return !isTight;
      const used = without(start.room, least);
      return !isTight && holds(other.room.people, used.people) && holds(other.room.plusOnes, used.plusOnes);
    },
  };
}

/** What differs from the stored guest; undefined when nothing does. */
function changesOf(guest: Known, { details, said }: GuestBody): GuestInput | undefined {
  const differing = Object.entries(details).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(guest[field as keyof Guest]),
  );
  // That somebody has not answered, in an old list, does not undo the answer they gave since.
  const heard = said.status === 'pending' ? {} : said;
  const wish = wishOf(heard, guest, details.party_size ?? guest.party_size);
  const stands = guest.waiting ? 'confirmed' : guest.rsvp_status;
  const wished = wish && (wish.rsvp_status !== stands || wish.coming !== guest.coming) ? wish : undefined;
  if (differing.length === 0 && !wished) return undefined;
  return { details: Object.fromEntries(differing) as Partial<Details>, wish: wished };
}

function lesser(one: Room, other: Room): Room {
  return {
    people: Math.min(one.people, other.people),
    plusOnes: Math.min(one.plusOnes, other.plusOnes),
  };
}

/** Of places without a limit nobody knows how many were used. */
function holds(left: number, used: number): boolean {
  return left === Number.POSITIVE_INFINITY || used <= left;
}
