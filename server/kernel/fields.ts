import type { Words } from './languages.ts';
import { isMailAddress } from './mail/address.ts';

/**
 * Readers for single fields of a body: the value in its right form, or a FieldProblem that says
 * which field, what was wrong and what is accepted. The sentence itself is made where the language is known.
 */
export type Complaint =
  | { kind: 'missing' }
  /** What an area has to say of its own. */
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
  /** Nothing of that name is read here. */
  | { kind: 'unknown'; names: readonly string[] }
  /** It stays as it was made. */
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

/** A problem with one field in an area's own words. */
export function invalidField(field: string, words: Words): FieldProblem {
  return new FieldProblem(field, { kind: 'own', words });
}

export type Fields = Readonly<Record<string, unknown>>;

export const LARGEST_INTEGER = 2 ** 31 - 1;

/** The fields of a JSON object; anything else is refused, as a field of that name. */
export function fieldsOf(object: unknown, name = 'body'): Fields {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw new FieldProblem(name, { kind: 'object' });
  }
  return object as Fields;
}

/** A name that nobody reads may be one misspelt: a filter would choose everything, a change be lost. */
export function refuseUnknown(names: readonly string[], given: Fields, place = ''): void {
  const stranger = Object.keys(given).find((name) => !names.includes(name));
  if (stranger !== undefined) throw new FieldProblem(place + stranger, { kind: 'unknown', names });
}

/** The fields of a JSON object that has no others than a table's. */
export function fieldsAmong(table: object, body: unknown): Fields {
  const fields = fieldsOf(body);
  refuseUnknown(Object.keys(table), fields);
  return fields;
}

/** Fields that stay as they were made may be said again, and are refused where they are said otherwise. */
export function refuseOther<K extends string>(
  names: readonly K[],
  given: Fields,
  made: Readonly<Record<K, string>>,
): void {
  const other = names.find((name) => given[name] !== undefined && given[name] !== made[name]);
  if (other !== undefined) throw new FieldProblem(other, { kind: 'fixed', value: made[other] });
}

/** JavaScript's falsy values, and text that is blank: what the contract calls falsy "after trimming". */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() === '' : !value;
}

/** Trimmed text of at most `most` UTF-16 units, free of NUL and of lone surrogates, which PostgreSQL can't keep. */
export function text(field: string, value: unknown, most: number): string {
  if (typeof value !== 'string') throw new FieldProblem(field, { kind: 'text' });
  const trimmed = value.trim();
  if (trimmed.length > most) throw new FieldProblem(field, { kind: 'too_long', most });
  if (trimmed.includes('\0') || !trimmed.isWellFormed())
    throw new FieldProblem(field, { kind: 'characters' });
  return trimmed;
}

export const LARGEST_AMOUNT = 9_999_999_999.99;

/** A JSON number of money, at most two decimals, that fits numeric(12,2). */
export function amount(field: string, value: unknown, most = LARGEST_AMOUNT): number {
  if (typeof value === 'number' && value >= 0 && value <= most && Number(value.toFixed(2)) === value) {
    return value + 0;
  }
  throw new FieldProblem(field, { kind: 'amount', most });
}

/** `HH:MM`, 00:00 to 23:59. */
export function timeOfDay(field: string, value: unknown): string {
  if (typeof value === 'string' && timeOfDayForm.test(value.trim())) return value.trim();
  throw new FieldProblem(field, { kind: 'time_of_day' });
}

export function choice<const T extends string>(field: string, value: unknown, choices: readonly T[]): T {
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined) throw new FieldProblem(field, { kind: 'choice', choices });
  return chosen;
}

const DAY = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const HOUR = '(?:[01]\\d|2[0-3])';
const TIME = `${HOUR}:[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?`;
/** The form of an ISO 8601 date-time, with or without an offset: date, time, offset. */
export const DATE_TIME = `^(${DAY})[Tt ](${TIME})([Zz]|[+-]${HOUR}:?[0-5]\\d)?$`;
const dateTimeForm = new RegExp(DATE_TIME);
/** The form of a time of day. */
export const TIME_OF_DAY = `^${HOUR}:[0-5]\\d$`;
const timeOfDayForm = new RegExp(TIME_OF_DAY);

/**
 * The instant of an ISO 8601 date-time: exact with an offset, wall time in `zone` without one.
 * Strict: no 31 February, no hour that the clock change skips; an hour it repeats is the first of the two.
 */
export function dateTime(field: string, value: unknown, zone: string): Temporal.Instant {
  const [, date, time, offset] = (typeof value === 'string' && dateTimeForm.exec(value.trim())) || [];
  try {
    const wall = Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: 'reject' });
    if (offset) return keepable(Temporal.Instant.from(`${date}T${time}${offset}`));
    const zoned = wall.toZonedDateTime(zone);
    if (!zoned.toPlainDateTime().equals(wall)) throw new RangeError('skipped by the clock change');
    return keepable(zoned.toInstant());
  } catch {
    throw new FieldProblem(field, { kind: 'date_time' });
  }
}

/** In UTC a year of four digits, and not the year 0, which PostgreSQL does not have. */
function keepable(instant: Temporal.Instant): Temporal.Instant {
  const { year } = instant.toZonedDateTimeISO('UTC');
  if (year < 1 || year > 9999) throw new RangeError('a year the database does not take');
  return instant;
}

/** A date of the calendar, `YYYY-MM-DD`, that exists. */
export function date(field: string, value: unknown): Temporal.PlainDate {
  try {
    if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim())) {
      const day = Temporal.PlainDate.from(value.trim(), { overflow: 'reject' });
      if (day.year > 0) return day;
    }
  } catch {
    // Falls through to the one complaint.
  }
  throw new FieldProblem(field, { kind: 'date' });
}

/** In UTF-16 units. */
export const LONGEST_EMAIL = 254;

/** An email address as mail servers take it, in small letters. */
export function email(field: string, value: unknown): string {
  const address = text(field, value, LONGEST_EMAIL).toLowerCase();
  if (!isMailAddress(address)) throw new FieldProblem(field, { kind: 'email' });
  return address;
}

/** `true` or `false` themselves, nothing that resembles them. */
export function yesOrNo(field: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new FieldProblem(field, { kind: 'yes_or_no' });
  return value;
}

export function list(field: string, value: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new FieldProblem(field, { kind: 'list', most });
  return value;
}
