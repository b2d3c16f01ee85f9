import type { FieldType } from '../../../kernel/field-types.ts';
import { FieldProblem, invalidField, readChoice } from '../../../kernel/fields.ts';
import type { Words } from '../../../kernel/languages.ts';
import { LARGEST_PARTY } from '../fields.ts';
import { messages } from '../messages.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import type { Corrections } from './corrections.ts';
import { MAPPED } from './headings.ts';
import type { Mapping } from './mapping.ts';
import { DUPLICATE_DECISIONS, type DuplicateDecision } from './plan.ts';
import { TAG_SOURCES, type TagSource } from './read.ts';

/** Options of an import besides its file, sent as text in the query or in form fields. */

/** Maximum length of one option of an import, in UTF-16 code units. */
export const LONGEST_OPTION = 100_000;

/** Option of an import that assigns fields to columns; it names columns by heading, letters or number. */
export const mappingOption: FieldType<Mapping> = {
  read: (name, value) =>
    value === undefined
      ? {}
      : objectOf(name, value, SHEET_LIMITS.columns, messages.malformedMapping, (place, field) =>
          readChoice(place, field, MAPPED),
        ),
  schema: {
    type: 'string',
    contentMediaType: 'application/json',
    maxLength: LONGEST_OPTION,
    description:
      'Fields of columns: a JSON object from a heading, or a column’s letters or number, to a field or `ignore`, such as ' +
      '`{"Tel. 2":"phone","C":"ignore"}`. Other columns are recognized by their headings. The report proposes a mapping; its ' +
      '`field` lists the fields.',
  },
};

export interface DuplicateDecisions {
  decide(ref: string): DuplicateDecision | undefined;
  /** True if the user decided for this row of the file that it is not imported. */
  skips(ref: string): boolean;
  /** References of the rows of the file for which the user made a decision. */
  named: readonly string[];
}

/** Throws if there are decisions on rows that the file does not have: they are probably meant for another row. */
export function refuseUnknownRows(option: string, named: readonly string[], refs: readonly string[]): void {
  if (named.length === 0) return;
  const there = new Set(refs);
  const stranger = named.find((ref) => !there.has(ref));
  if (stranger !== undefined) throw invalidField(`${option}.${stranger}`, messages.noSuchRow);
}

/**
 * Option of an import that decides about possible duplicates: one decision for all such rows, or one for each row
 * number.
 */
export const duplicatesOption: FieldType<DuplicateDecisions> = {
  read(name, value) {
    if (value === undefined) return { decide: () => undefined, skips: () => false, named: [] };
    const forAll = DUPLICATE_DECISIONS.find((decision) => decision === value);
    if (forAll) return { decide: () => forAll, skips: () => false, named: [] };
    const byRow = objectOf(name, value, SHEET_LIMITS.rows, messages.malformedDoubles, (place, decision) =>
      readChoice(place, decision, DUPLICATE_DECISIONS),
    );
    return {
      decide: (ref) => byRow[ref],
      skips: (ref) => byRow[ref] === 'skip',
      named: Object.keys(byRow),
    };
  },
  schema: {
    type: 'string',
    maxLength: LONGEST_OPTION,
    description:
      'Decision about possible duplicates: `skip`, `create` or `update` for all, or a JSON object from the `ref` of a row to ' +
      'one of these, such as `{"12":"create","15":"skip"}`. `skip` also leaves out a refused row.',
  },
};

const COLUMN = /^[A-Z]{1,3}$/;

/** Option of an import with cells that the user corrected, which replace the cells of the file. */
export const correctionsOption: FieldType<Corrections> = {
  read: (name, value) =>
    value === undefined
      ? {}
      : objectOf(name, value, SHEET_LIMITS.rows, messages.malformedMends, (place, cells) =>
          objectOf(place, cells, SHEET_LIMITS.columns, messages.malformedMends, (at, text, column) => {
            if (!COLUMN.test(column) || typeof text !== 'string')
              throw invalidField(at, messages.malformedMends);
            if (text.length > SHEET_LIMITS.cellCharacters)
              throw new FieldProblem(at, { kind: 'too_long', most: SHEET_LIMITS.cellCharacters });
            return text;
          }),
        ),
  schema: {
    type: 'string',
    contentMediaType: 'application/json',
    maxLength: LONGEST_OPTION,
    description:
      'Corrected cells: a JSON object from the `ref` of a row to an object from column letters to the text, such as ' +
      '`{"5":{"C":"052-765-4321"}}`. An empty text empties the cell.',
  },
};

/** Numbers of people, given by the user, for families whose rows in the file give no number. */
export interface FamilySizes {
  sizeOf(ref: string): number | undefined;
  /** References of those rows of the file for which the user gave a separate number of people. */
  named: readonly string[];
}

/** Key of the number of people that applies to each row of the file without a separate number. */
const OTHER_ROWS = '*';

/**
 * Option of an import with the number of people of families whose rows give none: one number for all, or one for each
 * row.
 */
export const familySizeOption: FieldType<FamilySizes> = {
  read(name, value) {
    if (value === undefined) return { sizeOf: () => undefined, named: [] };
    const forAll =
      typeof value === 'string' && /^\d{1,4}$/.test(value) ? sizeIn(name, Number(value)) : undefined;
    if (forAll !== undefined) return { sizeOf: () => forAll, named: [] };
    const byRow = objectOf(name, value, SHEET_LIMITS.rows, messages.malformedFamilySize, sizeIn);
    return {
      sizeOf: (ref) => byRow[ref] ?? byRow[OTHER_ROWS],
      named: Object.keys(byRow).filter((ref) => ref !== OTHER_ROWS),
    };
  },
  schema: {
    type: 'string',
    maxLength: LONGEST_OPTION,
    description:
      'People in families (`Cohen family`) whose row has no number: a number for all, or a JSON object from the `ref` of a ' +
      'row to a number, such as `{"12":4}`; `*` is for the other rows.',
  },
};

const sizeIn = (place: string, value: unknown): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > LARGEST_PARTY)
    throw new FieldProblem(place, { kind: 'integer', least: 1, most: LARGEST_PARTY });
  return value;
};

/** Option of an import that chooses which sheets of the file to read. */
export const sheetsOption: FieldType<readonly string[] | undefined> = {
  read(name, value) {
    if (value === undefined) return undefined;
    const parsed = typeof value === 'string' ? parsedJson(value) : value;
    if (!Array.isArray(parsed) || parsed.length === 0 || !parsed.every((one) => typeof one === 'string'))
      throw invalidField(name, messages.malformedSheets);
    if (parsed.length > SHEET_LIMITS.sheets)
      throw new FieldProblem(name, { kind: 'list', most: SHEET_LIMITS.sheets });
    return parsed;
  },
  schema: {
    type: 'string',
    contentMediaType: 'application/json',
    maxLength: LONGEST_OPTION,
    description:
      'Sheets to read: a JSON list of names, such as `["Bride","Groom"]`. Without it all visible sheets with a column of names ' +
      'are read, except those named for something else, such as a budget.',
  },
};

/** Option of an import that makes tags for guests from their place in the file (sheet, list, section). */
export const tagsFromOption: FieldType<readonly TagSource[]> = {
  read(name, value) {
    if (value === undefined || value === '') return [];
    return String(value)
      .split(',')
      .map((source) => readChoice(name, source.trim(), TAG_SOURCES));
  },
  schema: {
    type: 'string',
    maxLength: 100,
    description:
      'Tags for guests by their place in the file, separated by commas: `sheet` is the name of the sheet, `list` the title of a list ' +
      'beside others, `section` the title above the row.',
  },
};

function objectOf<T>(
  name: string,
  input: unknown,
  most: number,
  malformed: Words,
  read: (place: string, value: unknown, key: string) => T,
): Readonly<Record<string, T>> {
  // Fields of the upload form that have a JSON content type arrive parsed.
  const parsed = typeof input === 'string' ? parsedJson(input) : input;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw invalidField(name, malformed);
  const entries = Object.entries(parsed);
  if (entries.length > most) throw new FieldProblem(name, { kind: 'list', most });
  return Object.assign(
    Object.create(null),
    Object.fromEntries(entries.map(([key, value]) => [key, read(`${name}.${key}`, value, key)])),
  );
}

function parsedJson(text: string): unknown {
  if (text.length > LONGEST_OPTION) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
