import { sheetFields } from '../fields.ts';

/** A full name may come in two columns. */
const NAME_PARTS = {
  first_name: { headings: { hebrew: ['שם פרטי'], english: ['first name', 'given name'] } },
  last_name: {
    headings: { hebrew: ['שם משפחה', 'משפחה'], english: ['last name', 'family name', 'surname'] },
  },
} as const;

/** The columns of a guest list, and what people call them. */
export const COLUMNS = { ...sheetFields, ...NAME_PARTS };

export type Column = keyof typeof COLUMNS;

const BY_HEADING: ReadonlyMap<string, Column> = new Map(
  Object.entries(COLUMNS).flatMap(
    ([
      column,
      {
        headings: { hebrew, english },
      },
    ]) => [column, ...hebrew, ...english].map((heading) => [headingForm(heading), column as Column] as const),
  ),
);

/** Which column each heading names, in their order; undefined for those we do not know. */
export function columnsOf(headings: readonly string[]): (Column | undefined)[] {
  return headings.map((heading) => BY_HEADING.get(headingForm(heading)));
}

/** Capitals, quotes, dots, dashes, direction marks and an added colon or star make no difference. */
function headingForm(heading: string): string {
  return heading
    .normalize('NFKC')
    .replace(/[\p{Cf}\u0591-\u05C7]/gu, '')
    .replace(/["'`´״׳’”.:*?]/g, '')
    .replace(/[\s_\-־]+/g, ' ')
    .trim()
    .toLowerCase();
}
