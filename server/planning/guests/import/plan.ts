import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Answers, GuestQuestion } from '../../questions/answers.ts';
import {
  applyAnswer,
  currentAnswer,
  type GuestRsvp,
  largestPartyNow,
  requestToDecide,
  type Shortfall,
  UNANSWERED,
} from '../capacity/allocation.ts';
import { type EventCapacity, FULL, type PlaceCount, subtractPlaces } from '../capacity/capacity.ts';
import { contactsOf } from '../contacts.ts';
import type { Guest } from '../contract.ts';
import { type GuestDetails, guestFields, type Member, MOST_TAGS } from '../fields.ts';
import { answerRequestOf, detailsAfter, type GuestInput, newGuestOf, partyAfter } from '../input.ts';
import { messages } from '../messages.ts';
import { applyAnswerCells } from '../question-columns.ts';
import type { AnswerColumns } from '../rows.ts';
import {
  mergeContacts,
  readableContact,
  withoutContactsOfOthers,
  withoutSharedContacts,
} from './guest-contacts.ts';
import { membersWith } from './households.ts';
import { areDifferentPeople, normalizeName } from './names.ts';
import type { SheetGuest } from './read.ts';

export type ListedGuest = Guest & GuestRsvp;

export type ImportStep =
  | ({ action: 'create'; details: GuestDetails } & Answered)
  | ({ action: 'update'; guest: ListedGuest; details: Partial<GuestDetails> } & Answered)
  | { action: 'keep'; guest: ListedGuest }
  | { action: 'skip'; name: string; looksLike?: PossibleDuplicate };

/** Columns of the answer in a row of the file, and the part of the answer that could not be granted. */
interface Answered {
  answer: AnswerColumns;
  short?: Shortfall | undefined;
}

/** Existing guests whom a row of the file names, by each value of the row. */
export interface NamedGuests {
  byId?: ListedGuest | undefined;
  /** Existing guests by each phone number and email address of the row. */
  byContact?: ReadonlyMap<string, ListedGuest>;
  /** Guests with the same name as the row who may be its person: not `areDifferentPeople`. */
  byName?: readonly ListedGuest[] | undefined;
}

/** Guest whom a row of the file may repeat: a guest of the event, or a row above it. */
export interface PossibleDuplicate {
  name: string;
  guest_id?: string;
  /** Reference of the row above which the row may repeat. */
  ref?: string;
}

/** Decisions that the user can make about a row of the file that may repeat a guest. */
export const DUPLICATE_DECISIONS = ['skip', 'create', 'update'] as const;
export type DuplicateDecision = (typeof DUPLICATE_DECISIONS)[number];

/** Decisions of the organizer about rows of the file, by the references of the rows. */
export interface Decisions {
  duplicate(ref: string): DuplicateDecision | undefined;
  /** Number of people of a family, for a row of the file that gives no number. */
  familySize(ref: string): number | undefined;
}

/** Refusal of a row of the file about which the organizer has to decide. */
export class DecisionNeeded extends Refusal {
  readonly looksLike: PossibleDuplicate | undefined;

  constructor(code: string, words: Refusal['words'], looksLike?: PossibleDuplicate) {
    super(400, code, words);
    this.looksLike = looksLike;
  }
}

/** Maximum number of guests with the same name to whom a row of the file is compared. */
export const MOST_NAMESAKES = 20;

interface Above {
  ref: string;
  name: string;
  form: string;
  isReachable: boolean;
}

/**
 * Plans, row by row, the changes to an event's guests: which guests are new, which exist already (by id, phone or
 * email), which may be duplicates, and the places for each yes. Capacity is used up row by row, as if the answers had
 * come in that order.
 */
export class ImportPlan {
  readonly #start: EventCapacity;
  readonly #now: Temporal.Instant;
  readonly #decisions: Decisions;
  readonly #questions: readonly GuestQuestion[];
  #capacity: EventCapacity;
  #freed = false;
  #least: PlaceCount;
  #isTight = false;
  readonly #rowOf = new Map<string, { ref: string; name: string }>();
  readonly #above = new Map<string, Above[]>();

  constructor(
    start: EventCapacity,
    now: Temporal.Instant,
    decisions: Decisions = { duplicate: () => undefined, familySize: () => undefined },
    questions: readonly GuestQuestion[] = [],
  ) {
    this.#start = start;
    this.#now = now;
    this.#decisions = decisions;
    this.#questions = questions;
    this.#capacity = this.#start;
    this.#least = this.#start.freePlaces;
  }

  /**
   * Plans the import of one row of the file. Throws a FieldProblem or a Refusal if the row can't be imported, a
   * `DecisionNeeded` if the organizer has to decide about it.
   */
  step(ref: string, row: SheetGuest, { byId, byContact = new Map(), byName = [] }: NamedGuests): ImportStep {
    const [own] = [
      byId,
      byContact.get(row.details.phone ?? ''),
      byContact.get(row.details.email ?? ''),
    ].filter((guest) => guest !== undefined);
    const unshared = withoutSharedContacts(row, (contact) => {
      const owner = byContact.get(contact);
      return owner?.id === own?.id ? this.#rowOf.get(contact) : owner;
    });
    // A guest with the row's name is a better match than a guest with its phone and quite another name, as after a
    // shared phone was corrected in the list.
    const isOfOther =
      !byId && own && byName.length > 0 && areDifferentPeople(row.details.name ?? '', own.name);
    const body = isOfOther
      ? withoutContactsOfOthers(unshared, (contact) => byContact.get(contact))
      : unshared;
    const matched = contactsOf(body.details).map((contact) => byContact.get(contact));
    const named = [byId, ...matched].filter((guest) => guest !== undefined);
    if (body.id !== undefined && !byId) throw new Refusal(400, 'unknown_id', messages.unknownId);
    const [guest] = named;
    const other = named.find(({ id }) => id !== guest?.id);
    if (guest && other) throw new Refusal(400, 'two_guests', messages.twoGuests(guest.name, other.name));
    const decision = this.#decisions.duplicate(ref);
    const { name = '' } = body.details;
    const one: Above = { ref, name, form: body.form, isReachable: isReachable(body.details) };
    if (guest) {
      if (!byId && areDifferentPeople(name, guest.name) && decision !== 'update') {
        const looksLike = { name: guest.name, guest_id: guest.id };
        if (decision === 'skip') return { action: 'skip', name, looksLike };
        throw new DecisionNeeded('other_name', messages.otherName(guest.name), looksLike);
      }
      const step = this.#change(ref, guest, body);
      const form = body.form || normalizeName(guest.name);
      this.#remember({
        ...one,
        form,
        name: name || guest.name,
        isReachable: isReachable(guest) || one.isReachable,
      });
      return step;
    }
    // A row that says nothing new about a guest with the same name raises no question about duplicates.
    const bare = { ...body, addenda: unshared.addenda };
    const same = byName.find(
      (other) => !this.#rowOf.has(other.id) && !changesOf(other, this.#answering(bare, other.answers)),
    );
    if (same && decision !== 'create') return this.#change(ref, same, bare);
    const hasOtherContact = (other: ListedGuest) => one.isReachable && isReachable(other);
    const [namesake] = byName.filter((other) => !(hasOtherContact(other) && this.#rowOf.has(other.id)));
    const looksLike = namesake ? { name: namesake.name, guest_id: namesake.id } : this.#likeAbove(one);
    if (looksLike && decision !== 'create') {
      if (decision === 'skip') return { action: 'skip', name, looksLike };
      if (decision === 'update' && namesake) return this.#change(ref, namesake, body);
      if (namesake && hasOtherContact(namesake)) {
        const former = readableContact(namesake.phone ?? namesake.email ?? '');
        throw new DecisionNeeded('other_contact', messages.otherContact(namesake.name, former), looksLike);
      }
      const words = looksLike.ref ? messages.likeRow(looksLike.ref) : messages.likeGuest(looksLike.name);
      throw new DecisionNeeded('likely_double', words, looksLike);
    }
    if (decision === 'skip' && body.isUncounted) return { action: 'skip', name };
    const { details, answer } = newGuestOf(this.#newBody(ref, body));
    this.#claim(ref, name, contactsOf(details));
    const answered = this.#answerOf(UNANSWERED, { details, answer });
    this.#remember(one);
    return { action: 'create', details, ...answered };
  }

  /**
   * Values of a new guest from a row of the file. Throws a DecisionNeeded for a family whose number of people is not
   * known.
   */
  #newBody(ref: string, body: SheetGuest): SheetGuest {
    const size = body.isUncounted ? this.#decisions.familySize(ref) : undefined;
    if (body.isUncounted && size === undefined) throw new DecisionNeeded('how_many', messages.howMany);
    const { details: given } = namingMembers(this.#answering(body, {}), []);
    const details = withAddenda(
      { ...given, ...(size !== undefined && { party_size: size }) },
      null,
      body.addenda,
    );
    return { ...body, details: withTags(details, [], body.placeTags) };
  }

  /** True if the import frees places for guests on the waiting list. */
  get freed(): boolean {
    return this.#freed;
  }

  /**
   * True if an answer in the file did not get all the places that it asks for. Places that others give up would change
   * its result.
   */
  get isTight(): boolean {
    return this.#isTight;
  }

  /**
   * True if each answer in the file has the same result as in the plan, also after what others changed since. `after` is
   * the event's capacity once the plan is written.
   */
  hasSameResultWith(after: EventCapacity): boolean {
    if (this.#capacity === this.#start) return true;
    const freedAgain = subtractPlaces(this.#capacity.freePlaces, this.#least);
    return (
      after.freePlaces.plusOnesEach === this.#start.freePlaces.plusOnesEach &&
      holds(after.freePlaces.people, freedAgain.people) &&
      holds(after.freePlaces.plusOnes, freedAgain.plusOnes)
    );
  }

  /**
   * Records that a row of the file is about this guest and these contacts. Throws a Refusal if a row above has one of
   * them.
   */
  #claim(ref: string, name: string, contacts: readonly string[], guestId?: string): void {
    for (const contact of contacts) {
      const other = this.#rowOf.get(contact);
      if (other) throw new Refusal(400, 'same_as_row', messages.sameAsRow(readableContact(contact), other));
    }
    const other = guestId === undefined ? undefined : this.#rowOf.get(guestId);
    if (other) throw new Refusal(400, 'same_as_row', messages.sameGuestAsRow(other));
    for (const key of guestId === undefined ? contacts : [...contacts, guestId])
      this.#rowOf.set(key, { ref, name });
  }

  /**
   * Finds a row above in the file that may be the same person: it has the same name, and at least one of the two rows
   * has no phone and email.
   */
  #likeAbove(one: Above): PossibleDuplicate | undefined {
    const like = this.#above.get(one.form)?.find((other) => !(one.isReachable && other.isReachable));
    return like && { name: like.name, ref: like.ref };
  }

  #remember(one: Above): void {
    const others = this.#above.get(one.form) ?? [];
    if (others.length < MOST_NAMESAKES) this.#above.set(one.form, [...others, one]);
  }

  #answerOf(guest: GuestRsvp, input: GuestInput): Answered {
    if (!requestToDecide(guest, input)) return { answer: {} };
    const applied = applyAnswer(guest, input, 'import', this.#capacity, this.#now);
    if (applied === FULL) {
      this.#isTight = true;
      throw new Refusal(
        400,
        'full',
        messages.full(largestPartyNow(guest, this.#capacity.freePlaces, input.details)),
      );
    }
    this.#capacity = applied.capacity;
    this.#freed ||= applied.hasFreedPlaces;
    this.#isTight ||= applied.short !== undefined;
    this.#least = lesser(this.#least, this.#capacity.freePlaces);
    return { answer: applied.columns, short: applied.short };
  }

  /** Adds the answers to questions in a row's cells to the answers that the guest has already given. */
  #answering(body: SheetGuest, before: Answers): SheetGuest {
    return body.answers
      ? {
          ...body,
          details: { ...body.details, answers: applyAnswerCells(this.#questions, body.answers, before) },
        }
      : body;
  }

  #change(ref: string, guest: ListedGuest, body: SheetGuest): ImportStep {
    this.#claim(ref, body.details.name ?? guest.name, contactsOf(body.details), guest.id);
    const changed = changesOf(guest, this.#answering(body, guest.answers));
    if (!changed) return { action: 'keep', guest };
    return { action: 'update', guest, details: changed.details, ...this.#answerOf(guest, changed) };
  }
}

export function isReachable({ phone, email }: Partial<Pick<Guest, 'phone' | 'email'>>): boolean {
  return Boolean(phone || email);
}

/** Fields of a row of the file that differ from the stored guest; undefined if there are none. */
function changesOf(guest: ListedGuest, row: SheetGuest): GuestInput | undefined {
  const { rsvp, placeTags } = row;
  const { details: given, addenda } = mergeContacts(namingMembers(row, guest.members), guest);
  const changed = detailsAfter(given, guest);
  const details = withTags(withAddenda(changed, guest.note, addenda), guest.tags, placeTags);
  const differing = Object.entries(details).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(guest[field as keyof Guest]),
  );
  // A `pending` or `maybe` in an older list does not undo an answer that the guest gave later.
  const stands = currentAnswer(guest);
  const isOlder = rsvp.status === 'pending' || (rsvp.status === 'maybe' && stands !== 'pending');
  const newRsvp = isOlder ? {} : rsvp;
  const answer = answerRequestOf(newRsvp, guest, partyAfter(given, changed, guest));
  const children = answer?.coming_children ?? guest.coming_children;
  const isSame =
    answer?.rsvp_status === stands && answer.coming === guest.coming && children === guest.coming_children;
  const changedAnswer = isSame ? undefined : answer;
  if (differing.length === 0 && !changedAnswer) return undefined;
  return { details: Object.fromEntries(differing) as Partial<GuestDetails>, answer: changedAnswer };
}

/** Row of the file, with the party's members added if the file has anything new about them. */
function namingMembers(body: SheetGuest, stored: readonly Member[]): SheetGuest {
  if (!body.persons) return body;
  const members = membersWith(stored, body.persons);
  return isDeepStrictEqual(members, stored) ? body : { ...body, details: { ...body.details, members } };
}

/** Adds tags to the tags given in the row of the file or, if it has none, to the stored guest's tags. */
function withTags(
  details: Partial<GuestDetails>,
  stored: readonly string[],
  added: readonly string[] = [],
): Partial<GuestDetails> {
  if (added.length === 0) return details;
  const own = details.tags ?? stored;
  // A guest who has the maximum number of tags gets no more tags.
  const tags = [...new Set([...own, ...added])].slice(0, Math.max(own.length, MOST_TAGS));
  return { ...details, tags: guestFields.tags.type.read('tags', tags) };
}

/** Appends texts to a guest's note, except texts that the note already contains. */
function withAddenda(
  details: Partial<GuestDetails>,
  stored: string | null,
  addenda: readonly string[],
): Partial<GuestDetails> {
  const note = details.note ?? stored ?? '';
  const more = addenda.filter((one) => !note.includes(one));
  if (more.length === 0) return details;
  const lines = [note, ...more].filter((line) => line !== '').join('\n');
  return { ...details, note: guestFields.note.type.read('note', lines) };
}

function lesser(one: PlaceCount, other: PlaceCount): PlaceCount {
  return {
    people: Math.min(one.people, other.people),
    plusOnes: Math.min(one.plusOnes, other.plusOnes),
  };
}

/**
 * True if as many places are free after an import as it frees after its rows that need most (`freedAgain`), or if the
 * number of places is unlimited.
 */
function holds(left: number, freedAgain: number): boolean {
  return left === Number.POSITIVE_INFINITY || freedAgain <= left;
}
