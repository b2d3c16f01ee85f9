import { FieldProblem, type Fields, fieldsOf, invalidField, isBlank } from '../../kernel/fields.ts';
import { oneOf, orNull, readGiven, wholeNumber } from '../../kernel/takes.ts';
import { DIETS, type Guest, ORDERS } from './contract.ts';
import { type Details, guestFields, LARGEST_PARTY, NO_DETAILS, RSVP_STATUSES } from './fields.ts';
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
  if ('name' in fields && isBlank(fields.name)) throw nameMissing();
  const { details, said } = readGuestBody(fields);
  return { details, wish: wishOf(said, now, details.party_size ?? now.party_size) };
}

function nameMissing(): FieldProblem {
  return new FieldProblem('name', { kind: 'missing' });
}

function readSaid({ rsvp_status, coming }: Fields): Said {
  const status = STATUS.read('rsvp_status', rsvp_status ?? null) ?? undefined;
  const nobody = coming === undefined || coming === null || (coming === 0 && status !== 'confirmed');
  return { ...(status && { status }), ...(!nobody && { coming: people('coming', coming) }) };
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
  if ((status ?? (saidYes ? 'confirmed' : 'pending')) !== 'confirmed') {
    throw invalidField('coming', messages.comingWithoutYes);
  }
  return { rsvp_status: 'confirmed', coming };
}

/** How many people come with a guest. */
export function people(field: string, value: unknown): number {
  return PEOPLE.read(field, value);
}

const PEOPLE = wholeNumber(1, LARGEST_PARTY);
const STATUS = orNull(oneOf(RSVP_STATUSES));

/** Which of an event's guests are meant. */
export interface GuestFilter {
  search: string | undefined;
  status: RsvpStatus | 'waiting' | undefined;
  tag: string | undefined;
  diet: (typeof DIETS)[number] | undefined;
}

/** The filter of a query. What is not among a filter's values is ignored, as with the events' status. */
export function readFilter(fields: Fields): GuestFilter {
  const searched = wellFormed(fields.search);
  return {
    search: searched && searchTerm(searched),
    status: [...RSVP_STATUSES, 'waiting' as const].find((one) => one === fields.status),
    tag: wellFormed(fields.tag),
    diet: DIETS.find((one) => one === fields.diet),
  };
}

export type GuestOrder = (typeof ORDERS)[number];

export function readOrder({ order }: Fields): GuestOrder {
  return ORDERS.find((one) => one === order) ?? 'name';
}

const LONGEST_SEARCH = 100;

/** A part of a phone number is searched for as it is kept: digits alone, without the zero that stands for +972. */
export function searchTerm(typed: string): string {
  const term = typed.trim().slice(0, LONGEST_SEARCH).toWellFormed();
  if (!/^[\d\s\-+().]*\d[\d\s\-+().]*$/.test(term)) return term;
  return term.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
}

function wellFormed(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.includes('\0') || isBlank(value)) return undefined;
  return value.trim().toWellFormed();
}
