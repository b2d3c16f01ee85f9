import type { Words } from './languages.ts';
import { isMailAddress, pastedAddress } from './mail/address.ts';

/**
 * Complaints of the functions that read single fields of a body. Each function returns the value in its normal form, or
 * throws a FieldProblem that says which field it is, what is wrong and what is accepted. The sentences are made later,
 * where the client's language is known.
 */
export type Complaint =
  | { kind: 'missing' }
  /** Complaint about a field in the own words of one area of the API. */
  | { kind: 'own'; words: Words }
  | { kind: 'object' }
  | { kind: 'text' }
  | { kind: 'characters' }
  | { kind: 'unseen' }
  | { kind: 'too_long'; most: number }
  | { kind: 'integer'; least: number; most: number }
  | { kind: 'amount'; most: number }
  | { kind: 'time_of_day' }
  | { kind: 'date_time' }
  | { kind: 'past' }
  | { kind: 'choice'; choices: readonly string[] }
  /** Complaint that the request has fields that it may not have. */
  | { kind: 'unknown'; names: readonly string[] }
  /** Complaint that the field can't be changed after the resource was created. */
  | { kind: 'fixed'; value: string }
  | { kind: 'id' }
  | { kind: 'phone' }
  | { kind: 'texts'; most: number; longest: number }
  | { kind: 'list'; most: number }
  | { kind: 'yes_or_no' }
  | { kind: 'date' }
  | { kind: 'email' }
  | { kind: 'entity_tag' }
  | { kind: 'key'; most: number };

export class FieldProblem extends Error {
  readonly field: string;
  readonly complaint: Complaint;

  constructor(field: string, complaint: Complaint) {
    super(`${field}: ${complaint.kind === 'own' ? complaint.words.en : complaint.kind}`);
    this.field = field;
    this.complaint = complaint;
  }
}

/** Makes the error for an invalid field that an area of the API describes in its own words. */
export function invalidField(field: string, words: Words): FieldProblem {
  return new FieldProblem(field, { kind: 'own', words });
}

export type Fields = Readonly<Record<string, unknown>>;

export const LARGEST_INTEGER = 2 ** 31 - 1;

/** Reads the fields of a JSON object. Any other value is refused, as a problem with the field `name`. */
export function fieldsOf(object: unknown, name = 'body'): Fields {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw new FieldProblem(name, { kind: 'object' });
  }
  return object as Fields;
}

/**
 * Refuses fields with unknown names. An unknown name may be misspelt: if its field were ignored, a filter would match
 * everything, or a change would be lost.
 */
export function refuseUnknown(names: readonly string[], given: Fields, place = ''): void {
  const stranger = Object.keys(given).find((name) => !names.includes(name));
  if (stranger !== undefined) throw new FieldProblem(place + stranger, { kind: 'unknown', names });
}

/** Reads a JSON object. It may have only the fields that `table` lists. */
export function fieldsAmong(table: object, body: unknown): Fields {
  const fields = fieldsOf(body);
  refuseUnknown(Object.keys(table), fields);
  return fields;
}

/**
 * Refuses changes of fields that can't be changed after the resource's creation. Their current value may be sent again.
 */
export function refuseOther<K extends string>(
  names: readonly K[],
  given: Fields,
  made: Readonly<Record<K, string>>,
): void {
  const other = names.find((name) => given[name] !== undefined && given[name] !== made[name]);
  if (other !== undefined) throw new FieldProblem(other, { kind: 'fixed', value: made[other] });
}

/**
 * True for JavaScript's falsy values and for blank text: the API's contract calls a text falsy if it is empty after
 * trimming.
 */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() === '' : !value;
}

/**
 * Reads a text of at most `most` UTF-16 code units. The text is trimmed, and without NUL and lone surrogates, which
 * PostgreSQL can't store.
 */
export function readText(field: string, value: unknown, most: number): string {
  if (typeof value !== 'string') throw new FieldProblem(field, { kind: 'text' });
  const trimmed = value.trim();
  if (trimmed.length > most) throw new FieldProblem(field, { kind: 'too_long', most });
  if (trimmed.includes('\0') || !trimmed.isWellFormed())
    throw new FieldProblem(field, { kind: 'characters' });
  return trimmed;
}

export const LARGEST_AMOUNT = 9_999_999_999.99;

/** Reads an amount of money: a JSON number with at most two decimals that fits the SQL type numeric(12,2). */
export function readAmount(field: string, value: unknown, most = LARGEST_AMOUNT): number {
  if (typeof value === 'number' && value >= 0 && value <= most && Number(value.toFixed(2)) === value) {
    return value + 0;
  }
  throw new FieldProblem(field, { kind: 'amount', most });
}

/** Reads a time of day, written `HH:MM`, from 00:00 to 23:59. */
export function readTimeOfDay(field: string, value: unknown): string {
  if (typeof value === 'string' && timeOfDayForm.test(value.trim())) return value.trim();
  throw new FieldProblem(field, { kind: 'time_of_day' });
}

export function readChoice<const T extends string>(field: string, value: unknown, choices: readonly T[]): T {
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined) throw new FieldProblem(field, { kind: 'choice', choices });
  return chosen;
}

const DAY = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const HOUR = '(?:[01]\\d|2[0-3])';
const TIME = `${HOUR}:[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?`;
/** Pattern of an ISO 8601 date-time, with or without an offset from UTC. Groups: date, time, offset. */
export const DATE_TIME = `^(${DAY})[Tt ](${TIME})([Zz]|[+-]${HOUR}:?[0-5]\\d)?$`;
const dateTimeForm = new RegExp(DATE_TIME);
/** Pattern of a time of day, written `HH:MM`. */
export const TIME_OF_DAY = `^${HOUR}:[0-5]\\d$`;
const timeOfDayForm = new RegExp(TIME_OF_DAY);

/**
 * Reads an ISO 8601 date-time as an instant: exact with an offset, wall time in `zone` without one. Strict: no 31
 * February, no hour that the clock change skips; an hour that it repeats means the first of the two.
 */
export function readDateTime(field: string, value: unknown, zone: string): Temporal.Instant {
  const [, date, time, offset] = (typeof value === 'string' && dateTimeForm.exec(value.trim())) || [];
  try {
    const wall = Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: 'reject' });
    if (offset) return storableInstant(Temporal.Instant.from(`${date}T${time}${offset}`));
    const zoned = wall.toZonedDateTime(zone);
    if (!zoned.toPlainDateTime().equals(wall)) throw new RangeError('skipped by the clock change');
    return storableInstant(zoned.toInstant());
  } catch {
    throw new FieldProblem(field, { kind: 'date_time' });
  }
}

const FIRST_STORABLE = Date.parse('0001-01-01T00:00:00Z');
const FIRST_BEYOND = Date.parse('+010000-01-01T00:00:00Z');

/**
 * Checks that PostgreSQL can store an instant and the API can write it: in UTC its year has four digits and is not 0.
 */
function storableInstant(instant: Temporal.Instant): Temporal.Instant {
  const ms = instant.epochMilliseconds;
  if (ms < FIRST_STORABLE || ms >= FIRST_BEYOND) throw new RangeError('a year the database does not take');
  return instant;
}

/** Reads a calendar date, written `YYYY-MM-DD`, that exists. */
export function readDate(field: string, value: unknown): Temporal.PlainDate {
  try {
    if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim())) {
      const day = Temporal.PlainDate.from(value.trim(), { overflow: 'reject' });
      if (day.year > 0) return day;
    }
  } catch {
    // An invalid date, such as 31 February, gets the same error as a text that is no date.
  }
  throw new FieldProblem(field, { kind: 'date' });
}

/** Maximum length of a mail address, in UTF-16 code units. */
export const LONGEST_EMAIL = 254;

/** Reads a mail address that mail servers accept, in lower case. */
export function readEmail(field: string, value: unknown): string {
  const address = pastedAddress(readText(field, value, LONGEST_EMAIL)).toLowerCase();
  if (!isMailAddress(address)) throw new FieldProblem(field, { kind: 'email' });
  return address;
}

/** Reads the boolean `true` or `false`; values that only resemble them are refused. */
export function readYesOrNo(field: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new FieldProblem(field, { kind: 'yes_or_no' });
  return value;
}

export function readList(field: string, value: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new FieldProblem(field, { kind: 'list', most });
  return value;
}
