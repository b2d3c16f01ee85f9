import { FieldProblem, invalidField } from '../../../kernel/fields.ts';
import { messages } from '../messages.ts';
import { columnIndexOf, columnLetters } from '../sheets/sheet.ts';
import type { GuestList } from './guest-list.ts';
import { type Column, headingForm, type Mapped } from './headings.ts';

/** Fields that an organizer assigned to columns of the file, named by heading, letters or number. */
export type Mapping = Readonly<Record<string, Mapped>>;

/** Fields of a guest whose value may be spread over several columns, which are read together. */
export const TOGETHER: readonly Column[] = [
  'phone',
  'other_phones',
  'email',
  'other_emails',
  'tags',
  'table',
  'labels',
  'note',
  'allergies',
  'adults',
  'partner',
  'party_children',
];

/** Maximum number of columns that the error about an unknown column lists. */
const MOST_LISTED = 50;
const LONGEST_LISTED = 40;

/** Throws if a key of the mapping names no column of any sheet. */
export function refuseUnmatched(
  mapping: Mapping,
  matched: ReadonlySet<string>,
  lists: readonly GuestList[],
): void {
  const stranger = Object.keys(mapping).find((key) => !matched.has(key));
  if (stranger !== undefined) throw unknownColumn(stranger, lists);
}

export interface MappedKey {
  /** Key as written in the mapping of columns to fields, such as `צד כלה!B`. */
  written: string;
  /** Key of the mapping without the name of the sheet, such as `B`. */
  key: string;
  field: Mapped;
}

/**
 * Part of the mapping of columns to fields that concerns one sheet. The key `צד כלה!B` is for the sheet `צד כלה`, `B`
 * for all sheets.
 */
export function mappingOf(sheet: string, mapping: Mapping): MappedKey[] {
  const keys = Object.entries(mapping).map(([written, field]) => {
    const isOwn = sheet !== '' && written.startsWith(`${sheet}!`);
    return { written, key: isOwn ? written.slice(sheet.length + 1) : written, field, isOwn };
  });
  // Keys of the mapping that name this sheet come last, so that they take precedence over keys for all sheets.
  return [...keys.filter(({ isOwn }) => !isOwn), ...keys.filter(({ isOwn }) => isOwn)];
}

/** Fields that the mapping assigns to each column. Keys that name a column are added to `matched`. */
export function mappedColumns(
  headings: readonly string[],
  mapping: readonly MappedKey[],
  matched: Set<string> = new Set(),
): (Mapped | undefined)[] {
  const mapped: (Mapped | undefined)[] = headings.map(() => undefined);
  const forms = headings.map(headingForm);
  for (const { written, key, field } of mapping) {
    const form = headingForm(key);
    const named = [...forms.keys()].filter((at) => form !== '' && forms[at] === form);
    for (const at of named.length > 0 ? named : [placeNamed(key)]) {
      if (at === undefined || at >= headings.length) continue;
      mapped[at] = field;
      matched.add(written);
    }
  }
  return mapped;
}

/** Index of the column that a key of the mapping names by letters or by number. */
function placeNamed(key: string): number | undefined {
  return /^[1-9]\d{0,2}$/.test(key) ? Number(key) - 1 : columnIndexOf(key.trim().toUpperCase());
}

export function refuseTwice(mapped: readonly (Mapped | undefined)[], first: number): void {
  for (const [at, field] of mapped.entries()) {
    const before = mapped.indexOf(field);
    if (!field || field === 'ignore' || TOGETHER.includes(field) || before === at) continue;
    const letters = [before, at].map((index) => columnLetters(first + index)) as [string, string];
    throw invalidField('mapping', messages.mappedTwice(field, ...letters));
  }
}

function unknownColumn(key: string, lists: readonly GuestList[]): FieldProblem {
  const names = lists.flatMap(({ columns }) =>
    columns.map(({ letters, heading }) =>
      heading === '' ? letters : `${letters} (${heading.slice(0, LONGEST_LISTED)})`,
    ),
  );
  return new FieldProblem(`mapping.${key}`, {
    kind: 'unknown',
    names: [...new Set(names)].slice(0, MOST_LISTED),
  });
}
