import type { Words } from '../../../kernel/languages.ts';
import { sheetFields } from '../fields.ts';
import { normalizeLetters } from '../normalize-letters.ts';
import { personColumns } from '../person-columns.ts';
import {
  type Cell,
  KASHRUT_WORDS,
  labelsCell,
  numberCell,
  type SheetLanguage,
  tagsCell,
  textCell,
  wordCell,
} from '../sheets/cells.ts';

interface Part {
  label: Words;
  headings: Readonly<Record<SheetLanguage, readonly string[]>>;
  cell: Pick<Cell<never>, 'read' | 'rest'>;
}

/** Maximum length of a column's heading, in UTF-16 code units. A longer text is neither a heading nor a question. */
const LONGEST_HEADING = 1_000;

/**
 * Columns that lists often have and whose content goes into another field, or into one field together with other
 * columns.
 */
const PARTS = {
  first_name: {
    label: { he: 'שם פרטי', ar: 'الاسم الأول', en: 'First name' },
    headings: {
      hebrew: ['שם פרטי', 'פרטי'],
      arabic: ['الاسم الأول', 'الاسم الشخصي'],
      english: ['first name', 'given name'],
    },
    cell: textCell,
  },
  middle_name: {
    label: { he: 'שם אמצעי', ar: 'الاسم الأوسط', en: 'Middle name' },
    headings: {
      hebrew: ['שם אמצעי'],
      arabic: ['الاسم الأوسط'],
      english: ['middle name', 'additional name'],
    },
    cell: textCell,
  },
  last_name: {
    label: { he: 'שם משפחה', ar: 'اسم العائلة', en: 'Last name' },
    headings: {
      hebrew: ['שם משפחה', 'משפחה'],
      arabic: ['اسم العائلة', 'العائلة', 'الكنية'],
      english: ['last name', 'family name', 'surname'],
    },
    cell: textCell,
  },
  /** Columns for the husband and wife of a couple. Their names become the guest's name if the row has no other name. */
  husband: {
    label: { he: 'שם הבעל', ar: 'اسم الزوج', en: 'Husband' },
    headings: {
      hebrew: ['שם הבעל', 'הבעל', 'שם בעל'],
      arabic: ['اسم الزوج'],
      english: ['husband', 'husband name', 'husbands name'],
    },
    cell: textCell,
  },
  wife: {
    label: { he: 'שם האישה', ar: 'اسم الزوجة', en: 'Wife' },
    headings: {
      hebrew: ['שם האישה', 'שם האשה', 'האישה', 'האשה', 'שם אישה', 'שם אשה'],
      arabic: ['اسم الزوجة'],
      english: ['wife', 'wife name', 'wifes name'],
    },
    cell: textCell,
  },
  partner: {
    label: { he: 'בן/בת זוג', ar: 'الزوج/الزوجة', en: 'Partner' },
    headings: {
      hebrew: [
        'בן/בת זוג',
        'בת/בן זוג',
        'בן זוג',
        'בת זוג',
        'בן/בת הזוג',
        'שם בן/בת הזוג',
        'שם בן/בת זוג',
        '+1',
        'פלוס אחד',
        'מלווה',
        'מלווים',
        'אורח נלווה',
      ],
      arabic: ['الزوج/الزوجة', 'الزوج', 'الزوجة', 'المرافق', 'مرافق'],
      english: [
        'partner',
        'spouse',
        'plus one',
        'plus 1',
        'plus one allowed',
        'plus ones',
        'additional guests',
        'guest allowed',
        'partner name',
        'partner first name',
        'guest of guest',
      ],
    },
    cell: textCell,
  },
  adults: {
    label: { he: 'מבוגרים', ar: 'البالغون', en: 'Adults' },
    headings: {
      hebrew: ['מבוגרים', 'מספר מבוגרים', 'מס מבוגרים', 'כמות מבוגרים'],
      arabic: ['البالغون', 'بالغون', 'الكبار', 'عدد الكبار'],
      english: ['adults', 'number of adults'],
    },
    cell: numberCell,
  },
  /** Column for the kashrut level that the guest's whole party keeps. */
  kashrut_level: {
    label: { he: 'רמת הכשרות', ar: 'مستوى الكوشير', en: 'Kashrut' },
    headings: {
      hebrew: ['כשרות', 'רמת כשרות'],
      arabic: ['الكوشير', 'مستوى الكوشير'],
      english: ['kashrut', 'kashrut level', 'kosher', 'kosher level'],
    },
    cell: wordCell(KASHRUT_WORDS),
  },
  table: {
    label: { he: 'שולחן', ar: 'الطاولة', en: 'Table' },
    headings: {
      hebrew: ['שולחן', 'מספר שולחן', 'מס שולחן', 'שולחן מס', 'שולחן מספר'],
      arabic: ['الطاولة', 'طاولة', 'رقم الطاولة'],
      english: ['table', 'table number'],
    },
    cell: tagsCell,
  },
  /** Column by which rows with one person each belong to one guest. */
  household: {
    label: { he: 'משק בית', ar: 'الأسرة', en: 'Household' },
    headings: {
      hebrew: ['משק בית', 'שם משק הבית', 'בית אב', 'מזהה קבוצה', 'מספר קבוצה'],
      arabic: ['الأسرة', 'اسم الأسرة', 'رقم المجموعة'],
      english: [
        'household',
        'household name',
        'household id',
        'party name',
        'party id',
        'group id',
        'family id',
      ],
    },
    cell: textCell,
  },
  ...personColumns,
  labels: {
    label: sheetFields.tags.label,
    headings: { hebrew: ['תוויות'], arabic: ['التصنيفات'], english: ['labels', 'group membership'] },
    cell: labelsCell,
  },
  /**
   * Column that Simcha adds to a file of refused rows, with the reason for each row. It is ignored when the file
   * comes back.
   */
  problem: {
    label: { he: 'מה לתקן', ar: 'ما يجب تصحيحه', en: 'To correct' },
    headings: { hebrew: ['מה לתקן'], arabic: ['ما يجب تصحيحه'], english: ['to correct', 'what to mend'] },
    cell: { read: () => undefined },
  },
} as const satisfies Readonly<Record<string, Part>>;

/** Columns of a guest list that an import recognizes, with their usual headings. */
export const COLUMNS = { ...sheetFields, ...PARTS };

export type Column = keyof typeof COLUMNS;

/** Fields that the option `mapping` of an import can assign to a column. */
export const MAPPED = [
  ...(Object.keys(COLUMNS) as Column[]).filter((column) => column !== 'problem'),
  'ignore',
] as const;
export type Mapped = Column | 'ignore';

const BY_HEADING: ReadonlyMap<string, Column> = new Map(
  Object.entries(COLUMNS).flatMap(([column, { headings }]) =>
    [column, ...Object.values(headings).flat()].map(
      (heading) => [headingForm(heading), column as Column] as const,
    ),
  ),
);

const CONTACTS: readonly Column[] = ['phone', 'other_phones', 'email', 'other_emails'];

/** Finds the column that each heading of a guest list names, in order; undefined for unknown headings. */
export function columnsOf(headings: readonly string[]): (Column | undefined)[] {
  return headings.map((heading) => {
    const form = headingForm(heading);
    const known =
      BY_HEADING.get(form) ?? (form && BY_HEADING.get(headingForm(heading.replace(/\(.*?\)/g, ' '))));
    if (known) return known;
    // Pattern of numbered headings such as `טלפון 2`, Google’s `Phone 1 - Value` or Outlook’s `E-mail 2 Address`.
    const numbered = BY_HEADING.get(form.replace(/ \d{1,2}(?= |$)/, ''));
    return numbered && CONTACTS.includes(numbered) ? numbered : undefined;
  });
}

/** True for headings that some lists use for the number of people invited and others for the number of the row. */
export function mayBeRowNumber(heading: string): boolean {
  return ['מספר', 'عدد', 'العدد', 'count'].includes(headingForm(heading));
}

/** True for headings that some lists use for the number of people and others for the name of their party. */
export function mayBePartyName(heading: string): boolean {
  return ['party'].includes(headingForm(heading));
}

/** True for headings that some lists use for names of guests and others for numbers of guests. */
export function mayBeNamesOrNumbers(heading: string): boolean {
  return ['מוזמנים', 'אורחים', 'guests', 'invited', 'المدعوون', 'الضيوف'].includes(headingForm(heading));
}

/**
 * Normalizes a heading for comparison, ignoring quotes, dots, dashes, brackets, a second gender and an added colon or
 * star. Returns an empty text if the text is no heading.
 */
export function headingForm(heading: string): string {
  if (heading.length > LONGEST_HEADING) return '';
  return normalizeLetters(heading)
    .replace(/["'`´״׳’”.:*?!()[\]#]/g, '')
    .replace(/\/(?:ית|ים|ות|ת|ה)(?=\s|$)/g, '')
    .replace(/[\s_\-–־/]+/g, ' ')
    .trim();
}
