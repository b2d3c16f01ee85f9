import { Refusal } from '../../../kernel/refusal.ts';
import type { Answers, Question } from '../../questions/answers.ts';
import { FULL, type Room, without } from '../capacity/room.ts';
import {
  type Hall,
  type Seated,
  type Shortfall,
  settle,
  standingAnswer,
  UNANSWERED,
  upTo,
  wishToJudge,
} from '../capacity/standing.ts';
import type { Guest } from '../contract.ts';
import { type Details, guestFields } from '../fields.ts';
import { type GuestInput, newGuestOf, partyOf, wishOf } from '../input.ts';
import { messages } from '../messages.ts';
import { readablePhone } from '../phone.ts';
import { answersInCells } from '../question-columns.ts';
import type { AnswerColumns } from '../rows.ts';
import { areOthers, nameForm } from './names.ts';
import type { SheetGuest } from './read.ts';

/** Guest who is already on the list. */
export type Known = Guest & Seated;

export type Step =
  | ({ action: 'create'; row: number; details: Details } & Answered)
  | ({ action: 'update'; row: number; guest: Known; details: Partial<Details> } & Answered)
  | { action: 'keep'; row: number; guest: Known }
  | { action: 'skip'; row: number; name: string; looksLike: LooksLike };

/** Columns of a row's answer, and the part of it that could not be granted. */
interface Answered {
  answer: AnswerColumns;
  short?: Shortfall | undefined;
}

/** Guests whom a row names, by each of its values. */
export interface Named {
  byId?: Known | undefined;
  byPhone: Known | undefined;
  byEmail: Known | undefined;
  /** Guest with the same name, if phone and email name nobody. */
  byName?: Known | undefined;
}

/** Possible duplicate: a guest of the event, or a row above. */
export interface LooksLike {
  name: string;
  guest_id?: string;
  row?: number;
}

/** Decisions about a row that may be a duplicate. */
export const DECISIONS = ['skip', 'create', 'update'] as const;
export type Decision = (typeof DECISIONS)[number];

/** Refusal of a row about which the organizer has to decide. */
export class Asked extends Refusal {
  readonly looksLike: LooksLike;

  constructor(code: string, words: Refusal['words'], looksLike: LooksLike) {
    super(400, code, words);
    this.looksLike = looksLike;
  }
}

/** Maximum number of guests with the same name that are compared. */
export const MOST_OF_A_NAME = 20;

/** Values that only one row may have. */
type Keys = Partial<Record<'phone' | 'email' | 'id', string | null | undefined>>;

interface Above {
  row: number;
  name: string;
  form: string;
  isReachable: boolean;
}

/**
 * Plans, row by row, the changes to an event's guests: which guests are new, which exist already (by id, phone or
 * email), which may be duplicates, and the places for each yes. Capacity is used up row by row, as if the answers had
 * come in that order.
 */
export function createPlan(
  start: Hall,
  now: Temporal.Instant,
  decide: (row: number) => Decision | undefined = () => undefined,
  questions: readonly Question[] = [],
) {
  let hall = start;
  let freed = false;
  let least = start.room;
  let isTight = false;
  const rowOf = new Map<string, { row: number; name: string }>();
  const above = new Map<string, Above[]>();

  const claim = (row: number, name: string, keys: Keys) => {
    const own = Object.values(keys).filter((key) => key !== null && key !== undefined);
    for (const key of own) {
      const other = rowOf.get(key);
      if (!other) continue;
      if (key === keys.id) throw new Refusal(400, 'same_as_row', messages.sameGuestAsRow(other));
      const shared = key === keys.phone ? readablePhone(key) : key;
      throw new Refusal(400, 'same_as_row', messages.sameAsRow(shared, other));
    }
    for (const key of own) rowOf.set(key, { row, name });
  };

  /** Row above that may be the same person: the same name, and at least one of the two without phone and email. */
  const likeAbove = (one: Above): LooksLike | undefined => {
    const like = above.get(one.form)?.find((other) => !(one.isReachable && other.isReachable));
    return like && { name: like.name, row: like.row };
  };

  const remember = (one: Above): void => {
    const others = above.get(one.form) ?? [];
    if (others.length < MOST_OF_A_NAME) above.set(one.form, [...others, one]);
  };

  const answerOf = (guest: Seated, input: GuestInput): Answered => {
    if (!wishToJudge(guest, input)) return { answer: {} };
    const settled = settle(guest, input, 'import', hall, now);
    if (settled === FULL) {
      isTight = true;
      throw new Refusal(400, 'full', messages.full(upTo(guest, hall.room, input.details)));
    }
    hall = settled.hall;
    freed ||= settled.freed;
    isTight ||= settled.short !== undefined;
    least = lesser(least, hall.room);
    return { answer: settled.columns, short: settled.short };
  };

  /** Adds the answers in the row's cells to the answers the guest has already given. */
  const answering = (body: SheetGuest, before: Answers): SheetGuest =>
    body.answers
      ? { ...body, details: { ...body.details, answers: answersInCells(questions, body.answers, before) } }
      : body;

  const change = (row: number, guest: Known, body: SheetGuest): Step => {
    const { phone, email } = body.details;
    claim(row, body.details.name ?? guest.name, { phone, email, id: guest.id });
    const changed = changesOf(guest, answering(body, guest.answers));
    if (!changed) return { action: 'keep', row, guest };
    return { action: 'update', row, guest, details: changed.details, ...answerOf(guest, changed) };
  };

  return {
    /**
     * Plans one row. Throws a FieldProblem or a Refusal if the row can't be imported, a `DecisionNeeded` if the
     * organizer has to decide about it.
     */
    step(row: number, body: SheetGuest, { byId, byPhone, byEmail, byName }: Named): Step {
      const named = [byId, byPhone, byEmail].filter((guest) => guest !== undefined);
      if (body.id !== undefined && !byId) throw new Refusal(400, 'unknown_id', messages.unknownId);
      const [guest] = named;
      const other = named.find(({ id }) => id !== guest?.id);
      if (guest && other) throw new Refusal(400, 'two_guests', messages.twoGuests(guest.name, other.name));
      const decision = decide(row);
      const { name = '', phone, email } = body.details;
      const one: Above = { row, name, form: body.form, isReachable: Boolean(phone || email) };
      if (guest) {
        if (!byId && areOthers(name, guest.name) && decision !== 'update') {
          const looksLike = { name: guest.name, guest_id: guest.id };
          if (decision === 'skip') return { action: 'skip', row, name, looksLike };
          throw new Asked('other_name', messages.otherName(guest.name), looksLike);
        }
        const step = change(row, guest, body);
        const form = body.form || nameForm(guest.name);
        remember({
          ...one,
          form,
          name: name || guest.name,
          isReachable: isReachable(guest) || one.isReachable,
        });
        return step;
      }
      const { details, wish } = newGuestOf({
        ...body,
        details: withAddenda(answering(body, {}).details, null, body.addenda),
      });
      const looksLike = byName ? { name: byName.name, guest_id: byName.id } : likeAbove(one);
      if (looksLike && decision !== 'create') {
        if (decision === 'skip') return { action: 'skip', row, name, looksLike };
        if (decision === 'update' && byName) return change(row, byName, body);
        const words = looksLike.row ? messages.likeRow(looksLike.row) : messages.likeGuest(looksLike.name);
        throw new Asked('likely_double', words, looksLike);
      }
      claim(row, name, { phone: details.phone, email: details.email });
      const answered = answerOf(UNANSWERED, { details, wish });
      remember(one);
      return { action: 'create', row, details, ...answered };
    },

    /** True if places became free for the waiting list. */
    get freed(): boolean {
      return freed;
    },

    /** True if each answer would have the same result with the given capacity. */
    wouldSeat(other: Hall): boolean {
      if (hall === start) return !isTight;
      const used = without(start.room, least);
      return !isTight && holds(other.room.people, used.people) && holds(other.room.plusOnes, used.plusOnes);
    },
  };
}

export function isReachable({ phone, email }: Pick<Guest, 'phone' | 'email'>): boolean {
  return phone !== null || email !== null;
}

/** Fields that differ from the stored guest; undefined if there are none. */
function changesOf(guest: Known, { details: given, addenda, said }: SheetGuest): GuestInput | undefined {
  const details = withAddenda(partyOf(given, guest), guest.note, addenda);
  const differing = Object.entries(details).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(guest[field as keyof Guest]),
  );
  // `pending` or `maybe` in an older list does not undo a later answer of the guest.
  const stands = standingAnswer(guest);
  const isOlder = said.status === 'pending' || (said.status === 'maybe' && stands !== 'pending');
  const heard = isOlder ? {} : said;
  const wish = wishOf(heard, guest, details.party_size ?? guest.party_size);
  const children = wish?.coming_children ?? guest.coming_children;
  const isSame =
    wish?.rsvp_status === stands && wish.coming === guest.coming && children === guest.coming_children;
  const wished = isSame ? undefined : wish;
  if (differing.length === 0 && !wished) return undefined;
  return { details: Object.fromEntries(differing) as Partial<Details>, wish: wished };
}

/** Appends texts to the note, except those it already contains. */
function withAddenda(
  details: Partial<Details>,
  stored: string | null,
  addenda: readonly string[],
): Partial<Details> {
  const note = details.note ?? stored ?? '';
  const more = addenda.filter((one) => !note.includes(one));
  if (more.length === 0) return details;
  const lines = [note, ...more].filter((line) => line !== '').join('\n');
  return { ...details, note: guestFields.note.type.read('note', lines) };
}

function lesser(one: Room, other: Room): Room {
  return {
    people: Math.min(one.people, other.people),
    plusOnes: Math.min(one.plusOnes, other.plusOnes),
  };
}

/** Without a limit the number of used places is unknown. */
function holds(left: number, used: number): boolean {
  return left === Number.POSITIVE_INFINITY || used <= left;
}
