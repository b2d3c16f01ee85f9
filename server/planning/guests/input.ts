import { FieldProblem, fieldsAmong, invalidField, isBlank } from '../../kernel/fields.ts';
import type { Standing, Wish } from './capacity/room.ts';
import { Guest } from './contract.ts';
import { type Details, guestBodyFields, NO_DETAILS } from './fields.ts';
import { messages } from './messages.ts';
import { type GuestBody, readGuestBody, type Said } from './said.ts';

export interface GuestInput {
  details: Partial<Details>;
  /** undefined: the body says nothing of an answer. */
  wish: Wish | undefined;
}

/** The guest a body describes; a name is needed, everything else has its default. */
export function readNewGuest(body: unknown): { details: Details; wish: Wish | undefined } {
  const fields = fieldsAmong(guestBodyFields, body);
  if (isBlank(fields.name)) throw nameMissing();
  return newGuestOf(readGuestBody(fields));
}

export function newGuestOf({ details: given, said }: GuestBody): {
  details: Details;
  wish: Wish | undefined;
} {
  if (!given.name) throw nameMissing();
  const details = { ...NO_DETAILS, ...partyOf(given, NO_PARTY), name: given.name };
  return { details, wish: wishOf(said, undefined, details.party_size) };
}

/** What a body changes of a guest: absent keeps, null or blank empties. */
export function readGuestChanges(body: unknown, now: PartyOfGuest & Standing): GuestInput {
  const fields = fieldsAmong({ ...guestBodyFields, ...Guest.properties }, body);
  const { details: given, said } = readGuestBody(fields);
  const details = partyOf(given, now);
  return { details, wish: wishOf(said, now, details.party_size ?? now.party_size) };
}

type PartyOfGuest = Pick<Guest, 'party_size' | 'party_children'>;
const NO_PARTY = { party_size: NO_DETAILS.party_size, party_children: 0 };

/** Nobody has more children than people. Those of a party that becomes smaller become fewer with it. */
export function partyOf(details: Partial<Details>, now: PartyOfGuest): Partial<Details> {
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
 * What is asked for by what was said. `coming`, `coming_children` and `over_limit` go with a yes: one said with them, or
 * one that stands already (a place or a turn in the waiting list).
 */
export function wishOf(
  { status, coming, coming_children, over_limit }: Said,
  now: Standing | undefined,
  partySize: number,
): Wish | undefined {
  const saidYes = now?.rsvp_status === 'confirmed' || now?.waiting === true;
  // Who waits is shown as pending, with the people who would come: a body that says so again changes nothing.
  const isAsShown = now?.waiting === true && status === 'pending' && coming !== undefined;
  const isYes = isAsShown || (status ?? (saidYes ? 'confirmed' : 'pending')) === 'confirmed';
  if (coming !== undefined && !isYes) throw invalidField('coming', messages.withYesOnly);
  // Of nobody who comes, none is a child: that is as good as nothing said.
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
