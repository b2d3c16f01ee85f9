import { Refusal } from '../../../kernel/refusal.ts';
import { changesBetween, type FieldChanges } from '../../../kernel/writes/history.ts';
import type { EventWrite } from '../../events/write.ts';
import { type Answers, applyAnswers } from '../../questions/answers.ts';
import { listQuestions } from '../../questions/store.ts';
import type { Guest } from '../contract.ts';
import { type Diet, type GuestDetails, type Member, NO_DETAILS } from '../fields.ts';
import type { GuestInput } from '../input.ts';
import { countAfter, countMembers, fitComing, mealsOfMembers, usualChildren } from '../members.ts';
import { messages } from '../messages.ts';
import { type AnswerColumns, insertGuest, type StoredGuest, updateGuest } from '../rows.ts';
import {
  type AnswerRequest,
  addPlaces,
  allocatePlaces,
  bindingPlusOnes,
  type EventCapacity,
  type FewerPeople,
  type FreePlaces,
  FULL,
  type InvitedParty,
  largestPartyThatFits,
  placesTaken,
  type RsvpAnswer,
  type RsvpState,
  subtractPlaces,
} from './capacity.ts';
import { promoteFromWaitingList, readCapacity } from './waiting-list.ts';

/** Numbers of children: in a guest's party as invited, and among the people who come with the guest. */
interface Children {
  party_children: number;
  coming_children: number;
}

/** Answer of a guest, with all the columns of the guest's row that belong to the answer. */
export interface GuestRsvp extends RsvpState, Children, Readonly<Record<Diet, number>> {
  /** True if the guest answered that they don't know yet whether they come. */
  maybe: boolean;
  members: readonly Member[];
  waiting_since: string | null;
  waiting_order: number | null;
}

export const UNANSWERED: GuestRsvp = {
  ...NO_DETAILS,
  rsvp_status: 'pending',
  waiting: false,
  maybe: false,
  party_size: 1,
  max_plus_ones: null,
  coming: 0,
  party_children: 0,
  coming_children: 0,
  members: [],
  waiting_since: null,
  waiting_order: null,
};

export function guestWithRsvp({
  guest,
  waiting_order,
}: Pick<StoredGuest, 'guest' | 'waiting_order'>): Guest & GuestRsvp {
  return { ...guest, waiting_order, waiting: waiting_order !== null };
}

/**
 * Answer for which free places have to be checked: the new answer, if the input has one; or the guest's current yes, if
 * the new details change the size of the party or its number of plus-ones; undefined if the input has neither.
 */
export function requestToDecide(guest: GuestRsvp, { details, answer }: Input): AnswerRequest | undefined {
  if (answer) return answer;
  const saidYes = guest.rsvp_status === 'confirmed' || guest.waiting;
  const { party_size, max_plus_ones } = invitedAfter(guest, details);
  const resized = party_size !== guest.party_size || max_plus_ones !== guest.max_plus_ones;
  return saidYes && resized ? { rsvp_status: 'confirmed', coming: guest.coming } : undefined;
}

type Input = Pick<GuestInput, 'answer'> & {
  details: Partial<Pick<GuestDetails, keyof InvitedParty | 'party_children' | 'members' | Diet>>;
};

/** Party of a guest as invited, after a change of the guest's details. */
function invitedAfter(
  guest: InvitedParty,
  { party_size, max_plus_ones }: Partial<InvitedParty>,
): InvitedParty {
  return {
    party_size: party_size ?? guest.party_size,
    max_plus_ones: max_plus_ones === undefined ? guest.max_plus_ones : max_plus_ones,
  };
}

/** Largest number of people for whom a guest can have places at the event now. */
export function largestPartyNow(
  guest: RsvpState,
  places: FreePlaces,
  details: Partial<InvitedParty> = {},
): number {
  const held = placesTaken(guest);
  return Math.max(held.people, largestPartyThatFits(addPlaces(places, held), invitedAfter(guest, details)));
}

/** Reason why a guest's yes was granted in part or not at all: the guest waits, or has fewer places than requested. */
export type Shortfall = { code: 'waits' } | FewerPeople;

export interface AppliedAnswer {
  columns: AnswerColumns;
  capacity: EventCapacity;
  short: Shortfall | undefined;
  /** True if the guest got places above the event's limits, because the organizer asked for it. */
  isOverLimit: boolean;
  /** True if the change freed places, which guests on the waiting list can get. */
  hasFreedPlaces: boolean;
}

/**
 * Computes a guest's columns after an answer, and the event's capacity after it. The rules are the same for guests,
 * organizers and strangers. Returns FULL if a guest who has places asks for more than are free.
 */
export function applyAnswer(
  guest: GuestRsvp,
  input: Input,
  via: NonNullable<Guest['answered_via']>,
  capacity: EventCapacity,
  now: Temporal.Instant,
): AppliedAnswer | typeof FULL {
  const request = requestToDecide(guest, input);
  if (!request) return { columns: {}, capacity, short: undefined, isOverLimit: false, hasFreedPlaces: false };
  const invited = invitedAfter(guest, input.details);
  const state = allocatePlaces(guest, request, invited, capacity.freePlaces);
  if (state === FULL) return FULL;
  const { rsvp_status, coming, waiting } = state;
  // A guest on the waiting list keeps their position when the number of people in their party changes.
  const waiting_order = waiting ? (guest.waiting_order ?? capacity.lastWaitingOrder + 1) : null;
  const held = placesTaken(guest);
  const holds = placesTaken(state);
  const members = membersAfter(guest, request, state, input.details.members);
  return {
    columns: {
      rsvp_status,
      maybe: request.rsvp_status === 'maybe',
      coming,
      coming_children: countComingChildren(
        guest,
        request,
        { ...state, members },
        input.details.party_children,
      ),
      ...(members !== (input.details.members ?? guest.members) && {
        members,
        ...mealsOfMembers(members, { ...guest, ...input.details }),
      }),
      waiting_since: waiting ? (guest.waiting_since ?? now) : null,
      waiting_order,
      ...(input.answer && answerTimeAndOrigin(guest, input.answer, via, now)),
    },
    capacity: {
      freePlaces: subtractPlaces(addPlaces(capacity.freePlaces, held), holds),
      waiting: capacity.waiting,
      lastWaitingOrder: Math.max(capacity.lastWaitingOrder, waiting_order ?? 0),
    },
    short: shortfall(request, state, largestPartyNow(guest, capacity.freePlaces, input.details), capacity),
    isOverLimit:
      request.over_limit === true &&
      !isWithinLimits(
        allocatePlaces(guest, { ...request, over_limit: false }, invited, capacity.freePlaces),
        request,
      ),
    hasFreedPlaces: holds.people < held.people || holds.plusOnes < held.plusOnes,
  };
}

/** Current answer of a guest. `pending` means none; a guest on the waiting list answered yes. */
export function currentAnswer({
  rsvp_status,
  waiting,
  maybe,
}: Pick<GuestRsvp, 'rsvp_status' | 'waiting' | 'maybe'>): RsvpAnswer {
  if (waiting) return 'confirmed';
  return maybe ? 'maybe' : rsvp_status;
}

/**
 * Members of the party after an answer, each marked as coming or not. If nobody comes, or the marks already fit the
 * answer's numbers, the members stay as they are.
 */
export function membersAfter(
  guest: GuestRsvp,
  request: AnswerRequest,
  { coming }: Pick<RsvpState, 'coming'>,
  given: readonly Member[] | undefined,
): readonly Member[] {
  const members = given ?? guest.members;
  if (coming === 0) return members;
  const isRaised = !given && coming > guest.coming;
  return fitComing(members, { coming, children: request.coming_children, isRaised });
}

/**
 * Number of children who come with a guest, if possible as the request gives it. Without a number in the request: if
 * the number of people changed, the adults of the party are counted first, and the other people are children; if only
 * the members changed, their changes are added to the present number.
 */
export function countComingChildren(
  guest: GuestRsvp,
  request: AnswerRequest,
  { coming, party_size, members }: Pick<RsvpState, 'coming' | 'party_size'> & { members: readonly Member[] },
  party_children = guest.party_children,
): number {
  if (coming === 0) return 0;
  if (request.coming_children !== undefined) return Math.min(request.coming_children, coming);
  if (coming !== guest.coming) return usualChildren(coming, { party_size, party_children, members });
  if (members === guest.members) return guest.coming_children;
  const children = countAfter('coming_children', guest.coming_children, guest.members, members);
  const adults = countMembers(members, 'coming') - countMembers(members, 'coming_children');
  return Math.min(children, coming - adults);
}

function isWithinLimits(state: RsvpState | typeof FULL, { coming }: AnswerRequest): boolean {
  return state !== FULL && !state.waiting && state.coming === coming;
}

function shortfall(
  request: AnswerRequest,
  state: RsvpState,
  upTo: number,
  { freePlaces }: EventCapacity,
): Shortfall | undefined {
  if (state.waiting) return { code: 'waits' };
  const { coming, party_size } = state;
  if (coming >= request.coming) return undefined;
  const mayBring = bindingPlusOnes(upTo, state, freePlaces.plusOnesEach);
  return { code: 'fewer', asked: request.coming, coming, upTo, party_size, mayBring };
}

function answerTimeAndOrigin(
  guest: GuestRsvp,
  request: AnswerRequest,
  via: Guest['answered_via'],
  now: Temporal.Instant,
): Pick<AnswerColumns, 'answered_at' | 'answered_via'> | undefined {
  const stood = currentAnswer(guest);
  // Sending the same answer again counts as a new answer by a guest, but not by an organizer, who may have saved an
  // unchanged form.
  const { coming_children: children = guest.coming_children } = request;
  const isSame = stood === request.rsvp_status && guest.coming === request.coming;
  if (via === 'organizer' && isSame && guest.coming_children === children) return undefined;
  return request.rsvp_status === 'pending'
    ? { answered_at: null, answered_via: null }
    : { answered_at: now, answered_via: via };
}

/**
 * Way in which an answer was given (personal link, organizer, open link), and the action that the history notes for it.
 */
export interface AnswerOrigin {
  via: NonNullable<Guest['answered_via']>;
  action: 'created' | 'changed' | 'answered' | 'accepted' | 'restored';
}

/** Change of an event's guests; `capacity` is there if it was read together with the lock of the event. */
type Write = EventWrite<{ id: string; capacity?: EventCapacity | undefined }>;

/** Guest after their answer, with the part of the answer's request that could not be granted. */
export interface AnsweredGuest extends StoredGuest {
  short: Shortfall | undefined;
  /** True if any of a guest's fields differs from its value before the change. */
  isChanged: boolean;
  /** Free places after the answer; undefined if they were not counted, or the waiting list got some of them. */
  freePlaces: FreePlaces | undefined;
}

/**
 * Records an answer: of a guest by their personal link, of an organizer on a guest's behalf, or of a stranger by the
 * open link. Writes the answer and the guest's details that came with it, notes both in the history, and gives freed
 * places to the waiting list. A yes without enough free places goes to the waiting list; if the places are enough for
 * the invited people alone, the guest gets these. A guest who already has places and asks for more than are free gets a
 * 409. The history records how the new guest differs from `was`, by default the stored guest.
 */
export async function saveAnswer(
  write: Write,
  stored: StoredGuest,
  input: GuestInput,
  { via, action }: AnswerOrigin,
  was: Guest = stored.guest,
): Promise<AnsweredGuest> {
  const { transaction, event, now, note } = write;
  const guest = guestWithRsvp(stored);
  const capacity =
    requestToDecide(guest, input) && (event.capacity ?? (await readCapacity(transaction, event.id)));
  const applied = capacity && applyAnswer(guest, input, via, capacity, now);
  if (applied === FULL) throw noRoomForMore(guest, input, capacity as EventCapacity);
  const details = await mergeAnswers(write, input.details, stored.guest.answers, via);
  const columns = { ...details, ...applied?.columns };
  const after = changesBetween(guest, columns) ? await updateGuest(write, stored, columns) : stored;
  const changed = changesBetween(was, after.guest);
  const changes = applied?.isOverLimit ? { ...changed, ...OVER_LIMIT } : changed;
  if (changes || action === 'accepted' || action === 'restored')
    note('guest', stored.guest.id, action, changes);
  const isPromoting = applied?.hasFreedPlaces && applied.capacity.waiting > 0;
  if (isPromoting) await promoteFromWaitingList(write);
  return {
    ...after,
    short: applied?.short,
    isChanged: changed !== undefined,
    freePlaces: isPromoting ? undefined : applied?.capacity.freePlaces,
  };
}

/**
 * Merges new answers to the event's questions into a guest's stored answers. Guests can answer the questions that are
 * asked at present; an organizer can answer any question. Answers of an accepted open-link request were checked when
 * the request came in.
 */
async function mergeAnswers<D extends Partial<GuestDetails>>(
  { transaction, event }: Write,
  details: D,
  before: Answers,
  via: AnswerOrigin['via'],
): Promise<D> {
  const { answers } = details;
  if (!answers || Object.keys(answers).length === 0)
    return { ...details, ...(answers && { answers: before }) };
  if (via === 'open_link') return { ...details, answers: { ...before, ...answers } };
  const questions = await listQuestions(transaction, event.id);
  const asked = via === 'organizer' ? questions : questions.filter((question) => question.asked);
  return { ...details, answers: applyAnswers(asked, before, answers) };
}

/** History entry for places that an organizer gave beyond the event's limits. */
const OVER_LIMIT: FieldChanges = { over_limit: { from: false, to: true } };

/**
 * Adds a guest to an event's guest list, with or without an answer. `before` is the guest's answer so far, if places
 * are already held for it; by default no places are held.
 */
export async function addGuest(
  write: Write,
  given: GuestDetails,
  answer: AnswerRequest | undefined,
  { via, action }: AnswerOrigin,
  before: GuestRsvp = UNANSWERED,
): Promise<AnsweredGuest> {
  const { transaction, event, now, note } = write;
  const details = await mergeAnswers(write, given, {}, via);
  const applied =
    answer && applyAnswer(before, { details, answer }, via, await readCapacity(transaction, event.id), now);
  // A new guest always gets a result: `applyAnswer` returns FULL only for guests who ask for more places than they
  // have.
  if (applied === FULL) throw new Error('a new guest asks for more places than were held');
  const added = await insertGuest(transaction, event.id, details, applied?.columns ?? {}, now);
  note('guest', added.guest.id, action, applied?.isOverLimit ? OVER_LIMIT : undefined);
  return { ...added, short: applied?.short, isChanged: true, freePlaces: applied?.capacity.freePlaces };
}

function noRoomForMore(guest: GuestRsvp, { details }: GuestInput, { freePlaces }: EventCapacity): Refusal {
  const up_to = largestPartyNow(guest, freePlaces, details);
  const invited = invitedAfter(guest, details);
  const may_bring = bindingPlusOnes(up_to, invited, freePlaces.plusOnesEach);
  const words =
    may_bring === null ? messages.full(up_to) : messages.beyondParty(invited.party_size, may_bring);
  return new Refusal(409, FULL, words, { body: { up_to, may_bring } });
}
