import type { FieldType } from '../../../kernel/field-types.ts';
import { FieldProblem, invalidField, readChoice } from '../../../kernel/fields.ts';
import type { Words } from '../../../kernel/languages.ts';
import { messages } from '../messages.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import type { Corrections } from './corrections.ts';
import { MAPPED } from './headings.ts';
import type { Mapping } from './layout.ts';
import { DUPLICATE_DECISIONS, type DuplicateDecision } from './plan.ts';

/** Options of an import besides its file, sent as text in the query or in form fields. */

/** Maximum length of one option, in UTF-16 code units. */
export const LONGEST_OPTION = 100_000;

/** Option that assigns fields to columns, by heading, letters or number. */
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
      '`{"Tel. 2":"phone","C":"ignore"}`. Other columns are recognized by their headings. The report proposes a mapping. Fields: ' +
      `${MAPPED.join(', ')}.`,
  },
};

export interface DuplicateDecisions {
  decide(row: number): DuplicateDecision | undefined;
  /** Numbers of the rows that have a decision of their own. */
  named: readonly string[];
}

/** Refuses decisions on rows that the file does not have: they are probably meant for another row. */
export function refuseUnknownDecisions(
  { named }: DuplicateDecisions,
  rows: readonly { row: number }[],
): void {
  if (named.length === 0) return;
  const there = new Set(rows.map(({ row }) => String(row)));
  const stranger = named.find((row) => !there.has(row));
  if (stranger !== undefined) throw invalidField(`doubles.${stranger}`, messages.noSuchRow);
}

/** Option that decides about possible duplicates: one decision for all such rows, or one for each row number. */
export const duplicatesOption: FieldType<DuplicateDecisions> = {
  read(name, value) {
    if (value === undefined) return { decide: () => undefined, named: [] };
    const forAll = DUPLICATE_DECISIONS.find((decision) => decision === value);
    if (forAll) return { decide: () => forAll, named: [] };
    const byRow = objectOf(
      name,
      value,
      SHEET_LIMITS.rows,
      messages.malformedDoubles,
      (place, decision, row) => {
        if (!/^\d{1,7}$/.test(row)) throw invalidField(place, messages.malformedDoubles);
        return readChoice(place, decision, DUPLICATE_DECISIONS);
      },
    );
    return { decide: (row) => byRow[row], named: Object.keys(byRow) };
  },
  schema: {
    type: 'string',
    maxLength: LONGEST_OPTION,
    description:
      'Decision about possible duplicates: `skip`, `create` or `update` for all of them, or a JSON object from row number ' +
      'to one of these, such as `{"12":"create","15":"skip"}`.',
  },
};

/** Row number in its only form, without leading zeros. */
const ROW = /^[1-9]\d{0,6}$/;
const COLUMN = /^[A-Z]{1,3}$/;

/** Option with corrected cells, which replace the file's own. */
export const correctionsOption: FieldType<Corrections> = {
  read: (name, value) =>
    value === undefined
      ? {}
      : objectOf(name, value, SHEET_LIMITS.rows, messages.malformedMends, (place, cells, row) => {
          if (!ROW.test(row)) throw invalidField(place, messages.malformedMends);
          return objectOf(place, cells, SHEET_LIMITS.columns, messages.malformedMends, (at, text, column) => {
            if (!COLUMN.test(column) || typeof text !== 'string')
              throw invalidField(at, messages.malformedMends);
            if (text.length > SHEET_LIMITS.cellCharacters)
              throw new FieldProblem(at, { kind: 'too_long', most: SHEET_LIMITS.cellCharacters });
            return text;
          });
        }),
  schema: {
    type: 'string',
    contentMediaType: 'application/json',
    maxLength: LONGEST_OPTION,
    description:
      'Corrected cells, which replace the file’s own: a JSON object from row number to an object from column letters to the ' +
      'text, such as `{"5":{"C":"052-765-4321"}}`. An empty text empties the cell. Only rows below the headings can be ' +
      'corrected; the columns are recognized from the file as it is.',
  },
};

function objectOf<T>(
  name: string,
  input: unknown,
  most: number,
  malformed: Words,
  read: (place: string, value: unknown, key: string) => T,
): Readonly<Record<string, T>> {
  // Form fields with a JSON content type arrive parsed.
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
