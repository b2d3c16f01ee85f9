import { invalidField } from '../../../kernel/fields.ts';
import { isMailAddress, pastedAddress } from '../../../kernel/mail/address.ts';
import { messages } from '../messages.ts';
import { findPhones, isMobile, PHONE_LIMITS, type Phones, readablePhone } from '../phone.ts';
import { type Cell, isNone, type Texts } from './cells.ts';

/**
 * True for a single text that can't hold two phone numbers or any word. It is taken as one number, which saves a slow
 * search.
 */
export const isOneNumber = ([text, ...more]: readonly string[]): boolean =>
  text !== undefined && more.length === 0 && /^[\d\s()+.-]{6,18}$/.test(text);

/** First number that can be a mobile one, among all numbers in the cells; else the first number. */
export const phoneCell: Cell<string | null> = {
  read(field, texts) {
    if (isOneNumber(texts)) return texts[0];
    return choosePhone(phonesIn(texts, field)) ?? texts.find((text) => !isNone(text));
  },
  rest: (texts) => (isOneNumber(texts) ? [] : textsWithWords(texts, phonesIn(texts).length > 0)),
  write: (value) => (value ? writtenPhone(value) : ''),
};

/** Cell for a guest's other phone numbers: all numbers in the texts. Texts with other words go into the note. */
export const otherPhonesCell: Cell<readonly string[]> = {
  read: (field, texts) => phonesIn(texts, field),
  rest: (texts) => (isOneNumber(texts) && phonesIn(texts).length > 0 ? [] : textsWithWords(texts, true)),
  write: (value) => value.map(writtenPhone).join(', '),
};

/**
 * All phone numbers in some cells, each once. With a field, a cell with more numbers or characters than are searched is
 * a FieldProblem.
 */
export function phonesIn(texts: readonly string[], field?: string): string[] {
  const found = texts.filter((text) => !isNone(text)).map(phonesLately);
  if (field !== undefined && found.includes(undefined))
    throw invalidField(field, messages.tooManyPhones(PHONE_LIMITS));
  return [...new Set(found.flatMap((phones) => phones?.numbers ?? []))];
}

/** Chooses the main phone number: the first one that can be a mobile one, else the first one. */
export function choosePhone(numbers: readonly string[]): string | undefined {
  return numbers.find(isMobile) ?? numbers[0];
}

/** Texts that have other words besides phone numbers, such as whose numbers they are. */
function textsWithWords(texts: Texts, isRead: boolean): string[] {
  return texts.map((text) => (isRead && !isNone(text) && phonesLately(text)?.withWords ? text : ''));
}

/** Number as a sheet has it. One from abroad begins with 00: a spreadsheet takes a plus for the start of a formula. */
function writtenPhone(value: string): string {
  const readable = readablePhone(value).replace(/^\+/, '00');
  return findPhones(readable)?.numbers[0] === value ? readable : value;
}

const MOST_LATELY = 100;
/** Cache of recent results: each cell is read more than once, and often all rows have the same text. */
const lately = new Map<string, Phones | undefined>();

function phonesLately(text: string): Phones | undefined {
  if (!lately.has(text)) {
    if (lately.size === MOST_LATELY) lately.clear();
    lately.set(text, findPhones(text));
  }
  return lately.get(text);
}

/** First email address among the texts of the cells. */
export const emailCell: Cell<string | null> = {
  read(_field, texts) {
    const given = texts.filter((text) => !isNone(text));
    return addressesIn(given)[0] ?? given[0];
  },
  rest: (texts) => (addressesIn(texts).length > 0 ? textsWithoutAddress(texts) : []),
  write: (value) => value ?? '',
};

/** All email addresses in the cells. Texts without an address go into the note. */
export const otherEmailsCell: Cell<readonly string[]> = {
  read: (_field, texts) => addressesIn(texts),
  rest: (texts) => textsWithoutAddress(texts),
  write: (value) => value.join(', '),
};

/** All email addresses in some cells, as they are written. */
export function addressesIn(texts: readonly string[]): string[] {
  return texts.filter((text) => !isNone(text)).flatMap(addressesInText);
}

function textsWithoutAddress(texts: Texts): string[] {
  return texts.map((text) => (isNone(text) || addressesInText(text).length > 0 ? '' : text));
}

function addressesInText(text: string): string[] {
  if (isMailAddress(text)) return [text];
  return text
    .split(/[\s,;|<>]+|:::/)
    .map(pastedAddress)
    .filter((part) => isMailAddress(part));
}
