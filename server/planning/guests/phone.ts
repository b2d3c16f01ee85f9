import { parsePhoneNumberFromString, searchPhoneNumbersInText } from 'libphonenumber-js/min';
import { parsePhoneNumberFromString as parseMobile } from 'libphonenumber-js/mobile';
import { FieldProblem } from '../../kernel/fields.ts';

const LONGEST_PHONE = 40;

/**
 * Reads a phone number in any usual form into E.164 (`+972501234567`); without a country code it is Israeli. Numbers
 * are accepted because spreadsheets store phone numbers as numbers, without the leading zero.
 */
export function readPhone(field: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  const number = typeof text === 'string' ? numberOf(text) : undefined;
  if (!number) throw new FieldProblem(field, { kind: 'phone' });
  return number;
}

/** Phone number in the form that people read: `050-123-4567` in Israel, `+44 20 7946 0958` elsewhere. */
export function readablePhone(e164: string): string {
  const number = parse(e164);
  if (!number) return e164;
  return number.country === 'IL' ? number.formatNational() : number.formatInternational();
}

/** Limits of the search for phone numbers in one text: the search for numbers among words is slow. */
export const PHONE_LIMITS = { most: 10, longest: 500 } as const;

export interface Phones {
  numbers: readonly string[];
  /** True if the text has other words besides the phone numbers. */
  withWords: boolean;
}

/**
 * Finds the phone numbers in a text that may have several numbers and other words; undefined if the text exceeds the
 * limits.
 */
export function findPhones(text: string): Phones | undefined {
  const whole = numberOf(text);
  if (whole) return { numbers: [whole], withWords: /\p{L}/u.test(plain(text)) };
  if (text.length > PHONE_LIMITS.longest) return undefined;
  const numbers: string[] = [];
  let rest = '';
  for (const part of text.split(/[,;|/\n]|:::/)) {
    const own = numberOf(part);
    for (const found of own ? [own] : numbersAmongWords(part)) {
      if (typeof found === 'string') numbers.push(found);
      else rest += found.words;
      if (numbers.length > PHONE_LIMITS.most) return undefined;
    }
  }
  return { numbers: [...new Set(numbers)], withWords: /[\p{L}\p{N}]/u.test(rest) };
}

function* numbersAmongWords(part: string): Generator<string | { words: string }> {
  const text = plain(part);
  let end = 0;
  for (const { number, startsAt, endsAt } of searchPhoneNumbersInText(text, 'IL')) {
    yield { words: text.slice(end, startsAt) };
    yield number.number;
    end = endsAt;
  }
  yield { words: text.slice(end) };
}

/**
 * Pattern of Israeli mobile numbers, which begin with 05. Landlines and the numbers that begin with 1-700 or 07 do not
 * match.
 */
export const ISRAELI_MOBILE = '^\\+9725';
const israeliMobile = new RegExp(ISRAELI_MOBILE);

/**
 * True if a stored number (E.164) can receive SMS and WhatsApp messages. Numbers of countries whose plan does not
 * tell mobile phones from landlines count as mobile.
 */
export function isMobile(e164: string): boolean {
  if (e164.startsWith('+972')) return israeliMobile.test(e164);
  return parseMobile(e164)?.isValid() ?? false;
}

/**
 * WhatsApp link with the number in international form, digits alone (https://faq.whatsapp.com/5913398998672934); null
 * if the number is not a mobile one.
 */
export function whatsAppUrl(e164: string | null, text = ''): string | null {
  if (e164 === null || !isMobile(e164)) return null;
  return `https://wa.me/${e164.replace(/\D/g, '')}${text && `?text=${encodeURIComponent(text)}`}`;
}

function numberOf(text: string): string | undefined {
  const number = text.length <= LONGEST_PHONE ? parse(text) : undefined;
  return number?.isValid() && !number.ext ? number.number : undefined;
}

function parse(text: string) {
  return parsePhoneNumberFromString(plain(text), 'IL');
}

/**
 * Long phone number as a spreadsheet writes it, such as `9.72501234567E+11`. It can be read only if no digit was cut
 * off.
 */
const WHOLE_EXPONENTIAL = /^(\d)\.(\d{1,14})E\+?(\d{1,2})$/i;

/**
 * Cleans a phone number for the parser. One written or copied in Hebrew or Arabic may have invisible direction marks,
 * and the Hebrew hyphen (maqaf).
 */
function plain(text: string): string {
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll('־', '-')
    .replace(/^\s*tel:/i, '')
    .replace(WHOLE_EXPONENTIAL, (all, first: string, digits: string, exponent: string) =>
      digits.length === Number(exponent) ? first + digits : all,
    );
}
