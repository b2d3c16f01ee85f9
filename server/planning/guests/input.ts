import {
  choice,
  email,
  FieldProblem,
  type Fields,
  fieldsOf,
  isBlank,
  orNothing,
  text,
  textOrNothing,
  yesOrNo,
} from '../../kernel/fields.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { RsvpStatus, Standing, Wish } from '../answers/room.ts';
import { KASHRUT_LEVELS } from '../events/contract.ts';
import { DIETS, type Guest, LARGEST_PARTY, LENGTHS, ORDERS, RSVP_STATUSES, TAGS } from './contract.ts';
import { messages } from './messages.ts';
import { phone } from './phone.ts';

/** What is known of a guest besides their answer. */
export interface Details {
  name: string;
  phone: string | null;
  email: string | null;
  tags: string[];
  language: string | null;
  party_size: number;
  kashrut_level: string | null;
  vegetarian: boolean;
  vegan: boolean;
  allergies: string | null;
  note: string | null;
  message: string | null;
}

export const NO_DETAILS: Omit<Details, 'name'> = {
  phone: null,
  email: null,
  tags: [],
  language: null,
  party_size: 1,
  kashrut_level: null,
  vegetarian: false,
  vegan: false,
  allergies: null,
  note: null,
  message: null,
};

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
  return { details: readDetails(fields), said: readSaid(fields) };
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

const READERS: { [K in keyof Details]: (value: unknown) => Details[K] } = {
  name: (value) => text('name', value, LENGTHS.name),
  phone: (value) => orNothing('phone', value, phone),
  email: (value) => orNothing('email', value, email),
  tags: readTags,
  language: (value) => orNothing('language', value, (field, some) => choice(field, some, LANGUAGE_NAMES)),
  party_size: (value) => (value === null ? 1 : people('party_size', value)),
  kashrut_level: (value) =>
    orNothing('kashrut_level', value, (field, some) => choice(field, some, KASHRUT_LEVELS)),
  vegetarian: (value) => flag('vegetarian', value),
  vegan: (value) => flag('vegan', value),
  allergies: (value) => textOrNothing('allergies', value, LENGTHS.allergies),
  note: (value) => textOrNothing('note', value, LENGTHS.note),
  message: (value) => textOrNothing('message', value, LENGTHS.message),
};

function readDetails(fields: Fields): Partial<Details> {
  const given = Object.entries(READERS).filter(([field]) => fields[field] !== undefined);
  return Object.fromEntries(given.map(([field, read]) => [field, read(fields[field])]));
}

function readSaid({ rsvp_status, coming }: Fields): Said {
  const status = isBlank(rsvp_status) ? undefined : choice('rsvp_status', rsvp_status, RSVP_STATUSES);
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
    throw new Refusal(400, 'coming_without_yes', messages.comingWithoutYes);
  }
  return { rsvp_status: 'confirmed', coming };
}

export function people(field: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LARGEST_PARTY) {
    return value;
  }
  throw new FieldProblem(field, { kind: 'integer', least: 1, most: LARGEST_PARTY });
}

export function flag(field: string, value: unknown): boolean {
  return value === null ? false : yesOrNo(field, value);
}

function readTags(value: unknown): string[] {
  if (value === null) return [];
  const problem = new FieldProblem('tags', { kind: 'texts', ...TAGS });
  if (!Array.isArray(value)) throw problem;
  const tags = value.map((tag) => text('tags', tag, TAGS.longest)).filter((tag) => tag !== '');
  const distinct = [...new Set(tags)];
  if (distinct.length > TAGS.most) throw problem;
  return distinct;
}

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
