import { FieldProblem, type Fields, fieldsOf, invalidField, isBlank } from '../../kernel/fields.ts';
import { readGiven, readWhole } from '../../kernel/takes.ts';
import type { Guest } from './contract.ts';
import { type Details, guestFields, NO_DETAILS, people, saidFields } from './fields.ts';
import { messages } from './messages.ts';
import type { RsvpStatus, Standing, Wish } from './places/room.ts';

export interface GuestInput {
  details: Partial<Details>;
  /** undefined: the body says nothing of an answer. */
  wish: Wish | undefined;
}

/** What a body says of a guest. What its answer means is for who knows where the guest stands to say: `wishOf`. */
export interface GuestBody {
  details: Partial<Details>;
  said: Said;
}

export interface Said {
  status?: RsvpStatus;
  coming?: number;
}

export function readGuestBody(fields: Fields): GuestBody {
  return { details: readGiven(guestFields, fields), said: readSaid(fields) };
}

/** The guest a body describes; a name is needed, everything else has its default. */
export function readNewGuest(body: unknown): { details: Details; wish: Wish | undefined } {
  const fields = fieldsOf(body);
  if (isBlank(fields.name)) throw nameMissing();
  return newGuestOf(readGuestBody(fields));
}

export function newGuestOf({ details: given, said }: GuestBody): {
  details: Details;
  wish: Wish | undefined;
} {
  if (!given.name) throw nameMissing();
  const details = { ...NO_DETAILS, ...given, name: given.name };
  return { details, wish: wishOf(said, undefined, details.party_size) };
}

/** What a body changes of a guest: absent keeps, null or blank empties. */
export function readGuestChanges(body: unknown, now: Pick<Guest, 'party_size'> & Standing): GuestInput {
  const fields = fieldsOf(body);
  const { details, said } = readGuestBody(fields);
  return { details, wish: wishOf(said, now, details.party_size ?? now.party_size) };
}

function nameMissing(): FieldProblem {
  return new FieldProblem('name', { kind: 'missing' });
}

/** What a body says of a guest's answer. */
export function readSaid(fields: Fields): Said {
  const { rsvp_status: status, coming } = readWhole(saidFields, fields);
  if (status === 'confirmed' && fields.coming === 0) people.read('coming', 0);
  return { ...(status && { status }), ...(coming && { coming }) };
}

/**
 * What is asked for by what was said. `coming` goes with a yes: one said with it, or one that stands already (a place
 * or a turn in the waiting list).
 */
export function wishOf(
  { status, coming }: Said,
  now: Standing | undefined,
  partySize: number,
): Wish | undefined {
  const saidYes = now?.rsvp_status === 'confirmed' || now?.waiting === true;
  if (coming === undefined) {
    if (!status) return undefined;
    return {
      rsvp_status: status,
      coming: status === 'confirmed' ? (saidYes && now?.coming) || partySize : 0,
    };
  }
  // Who waits is shown as pending, with the people who would come: a body that says so again changes nothing.
  const isAsShown = now?.waiting === true && status === 'pending';
  if (!isAsShown && (status ?? (saidYes ? 'confirmed' : 'pending')) !== 'confirmed') {
    throw invalidField('coming', messages.comingWithoutYes);
  }
  return { rsvp_status: 'confirmed', coming };
}
