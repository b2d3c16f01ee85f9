import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { FieldProblem } from '../../kernel/fields.ts';

const LONGEST_PHONE = 40;

/**
 * The number in E.164 (`+972501234567`), whatever usual form it has; without a country code it is Israeli.
 * A number will do as well: spreadsheets make one of it and drop the leading zero.
 */
export function phone(field: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  const number = typeof text === 'string' && text.length <= LONGEST_PHONE ? parse(text) : undefined;
  if (!number?.isValid() || number.ext) throw new FieldProblem(field, { kind: 'phone' });
  return number.number;
}

/** `050-123-4567` at home, `+44 20 7946 0958` abroad: as people write it. */
export function readablePhone(e164: string): string {
  const number = parse(e164);
  if (!number) return e164;
  return number.country === 'IL' ? number.formatNational() : number.formatInternational();
}

function parse(text: string) {
  // Marks of direction come along when a number is copied out of Hebrew or Arabic text.
  return parsePhoneNumberFromString(text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''), 'IL');
}
