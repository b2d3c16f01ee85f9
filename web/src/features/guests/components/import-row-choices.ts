import { areCorrectionsTooLong, type Decision, type ImportChoices, type ImportRow } from '../api/import.ts';
import { decisionsOf } from './import-rows.ts';

/** Functions that change the user's choices about rows of an import. Each returns the new choices. */

/** Import choices with corrected cells of a row added; undefined if the corrections are too long for the API. */
export function withCorrection(
  choices: ImportChoices,
  ref: string,
  cells: Readonly<Record<string, string>>,
): ImportChoices | undefined {
  const corrections = { ...choices.corrections, [ref]: { ...choices.corrections[ref], ...cells } };
  return areCorrectionsTooLong(corrections) ? undefined : { ...choices, corrections };
}

export function withoutCorrection(choices: ImportChoices, ref: string): ImportChoices {
  return { ...choices, corrections: without(choices.corrections, ref) };
}

export function withDecision(
  choices: ImportChoices,
  asked: ImportRow,
  decision: Decision | undefined,
): ImportChoices {
  const others = without(choices.decided, asked.ref);
  return { ...choices, decided: decision ? { ...others, [asked.ref]: { decision, asked } } : others };
}

/** Import choices with the same decision about all rows for which it is possible. */
export function withDecisions(
  choices: ImportChoices,
  asked: readonly ImportRow[],
  decision: Decision,
): ImportChoices {
  const some = asked.filter((row) => decisionsOf(row).includes(decision));
  const now = Object.fromEntries(some.map((row) => [row.ref, { decision, asked: row }]));
  return { ...choices, decided: { ...choices.decided, ...now } };
}

/** Import choices with the number of people of one family; undefined removes that family's number. */
export function withFamilySize(
  choices: ImportChoices,
  ref: string,
  people: number | undefined,
): ImportChoices {
  const others = without(choices.counted, ref);
  return { ...choices, counted: people === undefined ? others : { ...others, [ref]: people } };
}

function without<T>(values: Readonly<Record<string, T>>, key: string): Record<string, T> {
  const { [key]: _, ...others } = values;
  return others;
}
