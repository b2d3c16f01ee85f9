import { FieldProblem, fieldsAmong, invalidField, isBlank } from '../../kernel/fields.ts';
import type { AnswerRequest, RsvpState } from './capacity/capacity.ts';
import { type Contacts, withMainContacts } from './contacts.ts';
import { Guest } from './contract.ts';
import { DIETS, type Diet, type GuestDetails, guestBodyFields, type Member, NO_DETAILS } from './fields.ts';
import { type GuestBody, type RsvpInput, readGuestBody } from './guest-body.ts';
import {
  countAfter,
  fitMeals,
  identifyMembers,
  refuseFewerThanMembers,
  refuseMoreMembers,
  usualPeople,
} from './members.ts';
import { messages } from './messages.ts';

export interface GuestInput {
  details: Partial<GuestDetails>;
  /** Answer of the guest in the request body; undefined if the body has none. */
  answer: AnswerRequest | undefined;
}

/** Reads a new guest from a request body. The name is required; all other fields have defaults. */
export function readNewGuest(body: unknown): { details: GuestDetails; answer: AnswerRequest | undefined } {
  const fields = fieldsAmong(guestBodyFields, body);
  if (isBlank(fields.name)) throw nameMissing();
  return newGuestOf(readGuestBody(fields));
}

export function newGuestOf({ details: given, rsvp }: GuestBody): {
  details: GuestDetails;
  answer: AnswerRequest | undefined;
} {
  if (!given.name) throw nameMissing();
  const details = { ...NO_DETAILS, ...detailsAfter(given, NO_DETAILS), name: given.name };
  return { details, answer: answerRequestOf(rsvp, undefined, partyAfter(given, details, NO_DETAILS)) };
}

/** Reads the changes of a guest: an absent field keeps its value, null or a blank text empties it. */
export function readGuestChanges(body: unknown, now: PartyOfGuest & Contacts & RsvpState): GuestInput {
  const fields = fieldsAmong({ ...guestBodyFields, ...Guest.properties }, body);
  const { details: given, rsvp } = readGuestBody(fields);
  const details = detailsAfter(given, now);
  return { details, answer: answerRequestOf(rsvp, now, partyAfter(given, details, now)) };
}

/** Numbers of people and of meals of a guest's party, and its members, who are included in these numbers. */
export type PartyOfGuest = Pick<GuestDetails, 'party_size' | 'party_children' | 'members' | Diet>;

/** Details from a change of a guest, made consistent with each other and with the stored guest. */
export function detailsAfter(
  details: Partial<GuestDetails>,
  now: PartyOfGuest & Contacts,
): Partial<GuestDetails> {
  return withMainContacts(partyOf(details, now), now);
}

/**
 * Keeps the number of children within the size of the party, and meals and members consistent. When a party gets
 * smaller, its number of children shrinks with it.
 */
export function partyOf(given: Partial<GuestDetails>, now: PartyOfGuest): Partial<GuestDetails> {
  const { party_size = now.party_size, party_children } = given;
  const details = { ...given, ...mealsAndMembersOf(given, now) };
  if (party_children !== undefined)
    return childrenWithin('party_children', party_children, party_size, details);
  return now.party_children > party_size ? { ...details, party_children: party_size } : details;
}

/**
 * Members with their ids, and the numbers of meals that result from the members. If a change gives only numbers of
 * meals, the members' meals are adapted to these numbers.
 */
function mealsAndMembersOf(given: Partial<GuestDetails>, now: PartyOfGuest): Partial<GuestDetails> {
  if (!given.members) {
    const members = fitMeals(now.members, given);
    return members === now.members ? {} : { members };
  }
  const members = identifyMembers(given.members, now.members);
  const meals = DIETS.flatMap((diet): [Diet, number][] => {
    const number = given[diet];
    if (number !== undefined) refuseFewerThanMembers(members, diet, number);
    const after = number ?? countAfter(diet, now[diet], now.members, members);
    return after === now[diet] && number === undefined ? [] : [[diet, after]];
  });
  return { members, ...Object.fromEntries(meals) };
}

/** Party of a guest after a change of the details. An answer in the same request is an answer for this party. */
export interface PartyAfter {
  party_size: number;
  members: readonly Member[];
  /** True if the request itself names the members. */
  isNamed: boolean;
}

export function partyAfter(
  given: Partial<GuestDetails>,
  details: Partial<GuestDetails>,
  now: PartyOfGuest,
): PartyAfter {
  return {
    party_size: details.party_size ?? now.party_size,
    members: details.members ?? now.members,
    isNamed: given.members !== undefined,
  };
}

function childrenWithin<T>(field: string, children: number, people: number, given: T): T {
  if (children > people) throw new FieldProblem(field, { kind: 'integer', least: 0, most: people });
  return given;
}

function nameMissing(): FieldProblem {
  return new FieldProblem('name', { kind: 'missing' });
}

/**
 * Makes a request for places from the fields of a body about a guest's answer. `coming`, `coming_children` and
 * `over_limit` need a yes: in the same body, or given by the guest before (with a place or a position on the waiting
 * list).
 */
export function answerRequestOf(
  { status, coming, coming_children, over_limit }: RsvpInput,
  now: GuestNow | undefined,
  party: PartyAfter,
): AnswerRequest | undefined {
  const saidYes = now?.rsvp_status === 'confirmed' || now?.waiting === true;
  // A guest on the waiting list is shown as pending, with the number of people who would come. A body that repeats
  // this changes nothing.
  const isAsShown = now?.waiting === true && status === 'pending' && coming !== undefined;
  const isYes = isAsShown || (status ?? (saidYes ? 'confirmed' : 'pending')) === 'confirmed';
  if (coming !== undefined && !isYes) throw invalidField('coming', messages.withYesOnly);
  // `coming_children: 0` is accepted even if the answer is not yes, as it changes nothing.
  if (coming_children && !isYes) throw invalidField('coming_children', messages.withYesOnly);
  if (over_limit && !isYes) throw invalidField('over_limit', messages.withYesOnly);
  if (!isYes) refuseExcessMembers(party, now, 0);
  if (status && !isYes) return { rsvp_status: status, coming: 0 };
  const isUnasked = !status && coming === undefined && coming_children === undefined && !over_limit;
  if (!isYes || (isUnasked && !changesPeople(party, now))) return undefined;
  const asked = coming ?? peopleOf(saidYes ? now : undefined, party);
  refuseExcessMembers(party, now, asked);
  if (party.isNamed) refuseFewerThanMembers(party.members, 'coming', asked);
  if (party.isNamed && coming_children !== undefined)
    refuseFewerThanMembers(party.members, 'coming_children', coming_children);
  return {
    rsvp_status: 'confirmed',
    coming: asked,
    ...(coming_children !== undefined &&
      childrenWithin('coming_children', coming_children, asked, { coming_children })),
    ...(over_limit && { over_limit }),
  };
}

type GuestNow = RsvpState & Pick<GuestDetails, 'members'>;

/** Number of people who come with a yes that gives no number. `now` is the guest's present yes, if any. */
function peopleOf(now: GuestNow | undefined, { party_size, members }: PartyAfter): number {
  return now?.coming
    ? Math.max(countAfter('coming', now.coming, now.members, members), 1)
    : usualPeople(party_size, members);
}

/** True if the request changes who of the members comes, or who of them is a child. */
function changesPeople({ members, isNamed }: PartyAfter, now: GuestNow | undefined): boolean {
  const people = (list: readonly Member[]) =>
    JSON.stringify(list.map(({ id, child, coming }) => [id, child, coming]));
  return isNamed && people(members) !== people(now?.members ?? []);
}

/** Refuses more members than people of the party. Members that the guest already has may be sent back. */
function refuseExcessMembers(
  { party_size, members, isNamed }: PartyAfter,
  now: GuestNow | undefined,
  coming: number,
): void {
  const stored = now?.members ?? [];
  if (isNamed && members.length > stored.length) refuseMoreMembers(members, Math.max(party_size, coming));
}
