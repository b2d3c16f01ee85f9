import { needs, taken, withMore, without } from '../../answers/room.ts';
import { type Hall, type Seat, type Seated, seatFor, UNANSWERED } from '../../answers/seating.ts';
import type { Guest } from '../contract.ts';
import { type Details, type GuestInput, readGuestChanges, readNewGuest } from '../input.ts';

/** A guest who is there already. */
export type Known = Guest & Seated;

export type Step =
  | { action: 'create'; row: number; details: Details; seat: Seat | undefined; answered: boolean }
  | {
      action: 'update';
      row: number;
      guest: Known;
      details: Partial<Details>;
      seat: Seat | undefined;
      answered: boolean;
    }
  | { action: 'keep'; row: number; guest: Known };

export type RowProblem = 'same_as_row' | 'two_guests' | 'full';

export class RowRefused extends Error {
  readonly problem: RowProblem;
  /** The other row, with `same_as_row`. */
  readonly row: number;

  constructor(problem: RowProblem, row = 0) {
    super(problem);
    this.problem = problem;
    this.row = row;
  }
}

export interface Matches {
  byPhone: ReadonlyMap<string, Known>;
  byEmail: ReadonlyMap<string, Known>;
}

/**
 * Plans row after row what becomes of an event's guests: who is new, who is one already, by phone or email, and where
 * a yes in the file leads. The hall fills as the rows go by, as if each had been answered in its turn.
 */
export function createPlan(start: Hall, now: Temporal.Instant) {
  let hall = start;
  let freed = false;
  const rowOf = new Map<string, number>();

  const claim = (row: number, keys: (string | null | undefined)[]): void => {
    const own = keys.filter((key) => key !== null && key !== undefined);
    for (const key of own) {
      const other = rowOf.get(key);
      if (other !== undefined) throw new RowRefused('same_as_row', other);
    }
    for (const key of own) rowOf.set(key, row);
  };

  const seatOf = (guest: Seated, { details, wish }: GuestInput, partySize: number): Seat | undefined => {
    const saidYes = guest.rsvp_status === 'confirmed' || guest.waiting;
    const resized = details.party_size !== undefined && details.party_size !== guest.party_size;
    const judged =
      wish ?? (saidYes && resized ? { rsvp_status: 'confirmed' as const, coming: guest.coming } : undefined);
    if (!judged) return undefined;
    const seat = seatFor(guest, judged, partySize, hall, now);
    if (!seat) throw new RowRefused('full');
    const held = taken(guest);
    const holds =
      seat.rsvp_status === 'confirmed'
        ? needs({ party_size: partySize, coming: seat.coming })
        : { people: 0, plusOnes: 0 };
    freed ||= holds.people < held.people || holds.plusOnes < held.plusOnes;
    hall = {
      room: without(withMore(hall.room, held), holds),
      waiting: hall.waiting,
      lastInLine: Math.max(hall.lastInLine, seat.waiting_order ?? 0),
    };
    return seat;
  };

  return {
    /** Throws a FieldProblem, a Refusal or a RowRefused for a row that can't be taken. */
    step(row: number, record: Record<string, unknown>, { byPhone, byEmail }: Matches): Step {
      const fresh = readNewGuestOrChanges(record);
      const { phone, email } = fresh.details;
      const byNumber = phone ? byPhone.get(phone) : undefined;
      const byAddress = email ? byEmail.get(email) : undefined;
      if (byNumber && byAddress && byNumber.id !== byAddress.id) throw new RowRefused('two_guests');
      const guest = byNumber ?? byAddress;
      if (!guest) {
        const { details, wish } = readNewGuest(record);
        claim(row, [details.phone, details.email]);
        const seat = seatOf(
          { ...UNANSWERED, party_size: details.party_size },
          { details, wish },
          details.party_size,
        );
        return {
          action: 'create',
          row,
          details,
          seat,
          answered: wish !== undefined && wish.rsvp_status !== 'pending',
        };
      }
      claim(row, [guest.id, phone, email]);
      const input = readGuestChanges(withoutSilence(record), guest);
      const changed = changesOf(guest, input);
      if (!changed) return { action: 'keep', row, guest };
      const seat = seatOf(guest, changed, changed.details.party_size ?? guest.party_size);
      return {
        action: 'update',
        row,
        guest,
        details: changed.details,
        seat,
        answered: changed.wish !== undefined,
      };
    },

    /** Whether places came free that somebody who waits may have. */
    get freed(): boolean {
      return freed;
    },
  };
}

/** Phone and email alone, read as they will be; a row without a name may still name a guest. */
function readNewGuestOrChanges(record: Record<string, unknown>): { details: Partial<Details> } {
  const { phone, email } = record;
  return readGuestChanges(
    { ...(phone !== undefined && { phone }), ...(email !== undefined && { email }) },
    {
      ...UNANSWERED,
    },
  );
}

/** That somebody has not answered, in an old list, does not undo the answer they gave since. */
function withoutSilence(record: Record<string, unknown>): Record<string, unknown> {
  const { rsvp_status, coming, ...rest } = record;
  if (rsvp_status === 'pending' || (rsvp_status === undefined && coming === 0)) return rest;
  return record;
}

/** What differs from the stored guest; undefined when nothing does. */
function changesOf(guest: Known, { details, wish }: GuestInput): GuestInput | undefined {
  const differing = Object.entries(details).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(guest[field as keyof Guest]),
  );
  const stands = guest.waiting ? 'confirmed' : guest.rsvp_status;
  const wished = wish && (wish.rsvp_status !== stands || wish.coming !== guest.coming) ? wish : undefined;
  if (differing.length === 0 && !wished) return undefined;
  return { details: Object.fromEntries(differing) as Partial<Details>, wish: wished };
}
