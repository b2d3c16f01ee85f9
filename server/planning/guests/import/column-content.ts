import { isMailAddress, pastedAddress } from '../../../kernel/mail/address.ts';
import { findPhones, PHONE_LIMITS } from '../phone.ts';
import { countPeople } from '../sheets/people.ts';
import type { Column } from './headings.ts';

/**
 * Part of a column's texts that must look like phone numbers, for example, so that the column counts as having these.
 */
const MOSTLY = 0.8;
/** Maximum number of texts of a column that are read to recognize the column. */
const MOST_TEXTS = 50;

const KINDS: readonly (readonly [Column, (text: string) => boolean])[] = [
  ['phone', (text) => text.length <= PHONE_LIMITS.longest && (findPhones(text)?.numbers.length ?? 0) > 0],
  ['email', (text) => isMailAddress(pastedAddress(text))],
  ['party_size', (text) => countPeople(text) !== undefined],
  ['name', (text) => /\p{L}{2}/u.test(text)],
];

/**
 * Finds the fields of the columns of a list without headings, by the texts in the columns. A list has guests only if it
 * has phone numbers or email addresses beside names; any other table could be of vendors or tasks.
 */
export function columnsByContent(contents: readonly (readonly string[])[]): (Column | undefined)[] {
  const taken = new Set<Column>();
  const found = contents.map((texts) => {
    const kind = kindOf(texts.slice(0, MOST_TEXTS));
    if (!kind || taken.has(kind)) return undefined;
    taken.add(kind);
    return kind;
  });
  const areGuests = taken.has('name') && (taken.has('phone') || taken.has('email'));
  return areGuests ? found : found.map(() => undefined);
}

function kindOf(texts: readonly string[]): Column | undefined {
  if (texts.length === 0) return undefined;
  return KINDS.find(([, isOf]) => texts.filter(isOf).length >= texts.length * MOSTLY)?.[0];
}
