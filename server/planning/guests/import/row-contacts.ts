import type { Fields } from '../../../kernel/fields.ts';
import { MOST_OTHERS } from '../fields.ts';
import { readablePhone } from '../phone.ts';
import { addressesIn, choosePhone, isOneNumber, phonesIn } from '../sheets/contact-cells.ts';
import type { Filled, FilledCells } from './filled-cells.ts';
import type { Column } from './headings.ts';

/** Phone numbers and email addresses of a row as fields, and those beyond their limit, which go into the note. */
export interface RowContacts {
  fields: Fields;
  beyond: Filled[];
}

interface ContactKind {
  main: 'phone' | 'email';
  others: 'other_phones' | 'other_emails';
  valuesIn(texts: readonly string[]): string[];
  /** Chooses the main one among a guest's phone numbers or email addresses, to which messages are sent. */
  choose(values: readonly string[]): string | undefined;
  /**
   * True if the cells' texts are certain to have no more than one phone number or email address, so that no search for
   * more is needed.
   */
  isOne(texts: readonly string[]): boolean;
  readable(value: string): string;
}

const PHONES: ContactKind = {
  main: 'phone',
  others: 'other_phones',
  valuesIn: (texts) => phonesIn(texts),
  choose: choosePhone,
  isOne: isOneNumber,
  readable: readablePhone,
};

const EMAILS: ContactKind = {
  main: 'email',
  others: 'other_emails',
  valuesIn: (texts) => addressesIn(texts).map((address) => address.toLowerCase()),
  choose: ([first]) => first,
  isOne: (texts) => texts.length === 0,
  readable: (value) => value,
};

/**
 * Contacts in all columns of a row. If the cells for the main phone number have several numbers, the further ones
 * become other numbers. A row without a main number takes one of the others as the main one, unless the row names its
 * guest by id: that guest keeps the stored main number.
 */
export function contactsIn(given: FilledCells, read: Partial<Record<Column, unknown>>): RowContacts {
  const kinds = [PHONES, EMAILS].map((kind) => contactsOfKind(kind, given, read));
  return {
    fields: Object.assign({}, ...kinds.map(({ fields }) => fields)),
    beyond: kinds.flatMap(({ beyond }) => beyond),
  };
}

function contactsOfKind(
  { main, others, valuesIn, choose, isOne, readable }: ContactKind,
  given: FilledCells,
  read: Partial<Record<Column, unknown>>,
): RowContacts {
  const texts = (column: Column) => (given.get(column) ?? []).map(({ text }) => text);
  if (!given.has(others) && isOne(texts(main))) return { fields: {}, beyond: [] };
  const values = valuesIn([...texts(main), ...texts(others)]);
  const written = read[main];
  const own = typeof written === 'string' ? (valuesIn([written])[0] ?? written) : undefined;
  const chosen = own ?? (read.id === undefined ? choose(values) : undefined);
  const rest = [...new Set(values)].filter((value) => value !== chosen);
  const beyond = rest.slice(MOST_OTHERS).map(readable).join(', ');
  const [{ heading = '' } = {}] = given.get(main) ?? given.get(others) ?? [];
  return {
    fields: {
      ...(chosen !== undefined && { [main]: chosen }),
      ...(rest.length > 0 && { [others]: rest.slice(0, MOST_OTHERS) }),
    },
    beyond: beyond ? [{ heading, text: beyond }] : [],
  };
}
