import { FieldProblem, fieldsAmong, invalidField, isBlank } from '../../kernel/fields.ts';
import type { AnswerRequest, RsvpState } from './capacity/capacity.ts';
import { Guest } from './contract.ts';
import { type GuestDetails, guestBodyFields, NO_DETAILS } from './fields.ts';
import { type GuestBody, type RsvpInput, readGuestBody } from './guest-body.ts';
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
  const details = { ...NO_DETAILS, ...partyOf(given, NO_PARTY), name: given.name };
  return { details, answer: answerRequestOf(rsvp, undefined, details.party_size) };
}

/** Reads the changes of a guest: an absent field keeps its value, null or a blank text empties it. */
export function readGuestChanges(body: unknown, now: PartyOfGuest & RsvpState): GuestInput {
  const fields = fieldsAmong({ ...guestBodyFields, ...Guest.properties }, body);
  const { details: given, rsvp } = readGuestBody(fields);
  const details = partyOf(given, now);
  return { details, answer: answerRequestOf(rsvp, now, details.party_size ?? now.party_size) };
}

type PartyOfGuest = Pick<Guest, 'party_size' | 'party_children'>;
const NO_PARTY = { party_size: NO_DETAILS.party_size, party_children: 0 };

/**
 * Keeps the number of children within the size of the party. When a party gets smaller, its number of children
 * shrinks with it.
 */
export function partyOf(details: Partial<GuestDetails>, now: PartyOfGuest): Partial<GuestDetails> {
  const { party_size = now.party_size, party_children } = details;
  if (party_children !== undefined)
    return childrenWithin('party_children', party_children, party_size, details);
  return now.party_children > party_size ? { ...details, party_children: party_size } : details;
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
  now: RsvpState | undefined,
  partySize: number,
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
  if (status && !isYes) return { rsvp_status: status, coming: 0 };
  if (!isYes || (!status && coming === undefined && coming_children === undefined && !over_limit))
    return undefined;
  const asked = coming ?? ((saidYes && now?.coming) || partySize);
  return {
    rsvp_status: 'confirmed',
    coming: asked,
    ...(coming_children !== undefined &&
      childrenWithin('coming_children', coming_children, asked, { coming_children })),
    ...(over_limit && { over_limit }),
  };
}
