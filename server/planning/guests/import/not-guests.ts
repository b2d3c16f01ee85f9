import { nameLetters } from '../name-form.ts';
import { isFilled, type SheetRow } from '../sheets/sheet.ts';
import type { FilledCells } from './filled-cells.ts';
import type { GuestList } from './guest-list.ts';
import { readPeopleInName } from './people-in-name.ts';
import { guestNameIn, isRepeatedHeadings } from './record.ts';

/** Reasons why a row within a list of guests is not a guest. */
export const ROW_LEFT_BECAUSE = ['headings', 'total', 'section'] as const;
export type RowLeftBecause = (typeof ROW_LEFT_BECAUSE)[number];

const TOTAL_WORDS = [
  'סה"כ',
  'סהכ',
  'סך הכל',
  'סך הכול',
  'סיכום',
  'סיכום ביניים',
  'total',
  'totals',
  'subtotal',
  'sum',
  'المجموع',
  'الإجمالي',
  'مجموع',
];
/** Words that mark a row with totals, normalized like names. */
const TOTALS: readonly string[] = TOTAL_WORDS.map(nameLetters);

/** Beginnings and words of titles within a list of guests, such as `צד כלה - משפחה`. */
const TITLE =
  /^(?:(?:צד|מצד|משפחה (?:של|קרובה|רחוקה|מצד|מורחבת|-|–)|משפחת (?:ה?כלה|ה?חתן|אבא|אמא)|חברים|חברות|חברי|עבודה|מהעבודה|צבא|מהצבא|שכנים|לימודים|קרובי|אורחי|groom(?:['’]?s)?|bride(?:['’]?s)?|family of the|friends|work|colleagues|neighbou?rs|relatives|جهة|طرف|أصدقاء|أقارب|جيران|زملاء|عائلة (?:العروس|العريس))(?!\p{L})|.*:$)/iu;
/** Maximum length of a title or of a word for totals, in UTF-16 code units. */
const LONGEST_TITLE = 200;

/**
 * Tells why a row within a list is not a guest: it repeats the headings, adds up rows, or is a title above some of
 * them.
 */
export function whyNoGuest(
  { columns, hasWideRows, hasMergedTitles }: GuestList,
  { cells, wide }: Pick<SheetRow, 'cells' | 'wide'>,
  filled: FilledCells,
): RowLeftBecause | undefined {
  if (isRepeatedHeadings(columns, cells)) return 'headings';
  if (filled.has('phone') || filled.has('email') || filled.has('id')) return undefined;
  const name = guestNameIn(filled);
  if ((name === '' ? cells : [name]).some((text) => isTotal(text, cells))) return 'total';
  const texts = [...new Set(cells.filter(isFilled).map((cell) => cell.trim()))];
  const [text = ''] = texts;
  if (texts.length !== 1 || text.length > LONGEST_TITLE || !/\p{L}/u.test(text)) return undefined;
  // A text such as `חברים מהצבא (8)` is no title but a group of guests.
  const mayBeTitle = hasWideRows && TITLE.test(text) && !readPeopleInName(text);
  const isTitle = name === '' || (hasMergedTitles && wide !== undefined) || mayBeTitle;
  return isTitle ? 'section' : undefined;
}

/** True for a total such as `סה"כ`, and for a text that begins so in a row with a number: `סה"כ משפחה כלה, 13`. */
function isTotal(text: string, cells: readonly string[]): boolean {
  if (text.length > LONGEST_TITLE) return false;
  const form = nameLetters(text);
  const hasNumber = () => cells.some((cell) => /^\d+(?:\.\d+)?$/.test(cell.trim()));
  return TOTALS.some((word) => form === word || (form.startsWith(`${word} `) && hasNumber()));
}
