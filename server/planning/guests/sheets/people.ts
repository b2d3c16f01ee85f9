import type { Language } from '../../../kernel/languages.ts';
import { wordForm, wordSet } from './words.ts';

/** How numbers of people are said in words, up to ten. */
const NUMBERS: ReadonlyMap<string, number> = byForm([
  ['יחיד', 'יחידה', 'לבד', 'אחד', 'אחת', 'single', 'one', 'فرد', 'واحد', 'واحدة'],
  [
    ...['זוג', 'זוגי', 'שניים', 'שתיים', 'שנים', 'couple', 'two'],
    ...['زوج', 'زوجان', 'زوجين', 'شخصان', 'شخصين', 'اثنان', 'اثنين', 'اثنتان', 'اثنتين'],
  ],
  ['שלושה', 'שלוש', 'three', 'ثلاثة', 'ثلاث'],
  ['ארבעה', 'ארבע', 'four', 'أربعة', 'أربع'],
  ['חמישה', 'חמש', 'five', 'خمسة', 'خمس'],
  ['שישה', 'שש', 'ששה', 'six', 'ستة', 'ست'],
  ['שבעה', 'שבע', 'seven', 'سبعة', 'سبع'],
  ['שמונה', 'eight', 'ثمانية', 'ثماني', 'ثمان'],
  ['תשעה', 'תשע', 'nine', 'تسعة', 'تسع'],
  ['עשרה', 'עשר', 'ten', 'عشرة', 'عشر'],
]);
/** Of two alone, before whom it counts: on their own they are names of people. */
const BEFORE_UNITS: ReadonlyMap<string, number> = new Map([...NUMBERS, ['שני', 2], ['שתי', 2]]);

const CHILD = wordSet([
  ...['ילד', 'ילדה', 'תינוק', 'תינוקת', 'child', 'kid', 'baby', 'infant'],
  ...['طفل', 'طفلة', 'رضيع', 'رضيعة'],
]);
const CHILDREN = wordSet([
  ...['ילדים', 'הילדים', 'ילדות', 'תינוקות', 'children', 'kids', 'babies', 'infants'],
  ...['أطفال', 'الأطفال'],
]);
const PEOPLE = wordSet([
  ...['אנשים', 'איש', 'נפש', 'נפשות', 'מוזמנים', 'אורחים', 'סועדים', 'מבוגר', 'מבוגרת', 'מבוגרים'],
  ...['people', 'persons', 'guests', 'adult', 'adults'],
  ...['شخص', 'شخصًا', 'أشخاص', 'ضيوف', 'مدعوين', 'مدعوون', 'بالغ', 'بالغين', 'بالغون', 'كبار'],
]);
const isUnit = (word: string): boolean => CHILD.has(word) || CHILDREN.has(word) || PEOPLE.has(word);
/** A number stands beside it: `משפחה 5`, `family of 5`. */
const FAMILY = wordSet([
  ...['משפחה', 'משפחה של', 'משפחה בת', 'משפ', 'משפ׳', "משפ'", 'family', 'family of'],
  ...['عائلة', 'عائلة من', 'أسرة', 'أسرة من'],
]);
/** Said of a number that counts them already: `5 כולל ילדים`. */
const INCLUDING = wordSet(['כולל', 'including', 'incl', 'شامل']);

/** Some of the ways to say how many, for who is told what is accepted. */
export const PEOPLE_EXAMPLES: Readonly<Record<Language, readonly string[]>> = {
  he: ['3+1', 'זוג', '4 נפשות'],
  ar: ['3+1', 'زوج', '4 أشخاص'],
  en: ['3+1', 'couple', '4 people'],
};

/** `2+תינוק`, `זוג ועוד ילד`, `שניים ותינוק`, `2 adults, 3 kids`. A comma between two numbers alone may be anything. */
const AND =
  /\s*[+&]\s*| (?:ועוד|פלוס|and|plus) |(?<=\p{L}),? ?(?=\d+ ?\p{L})| ו(?=ילד|תינוק|שני |שתי )| ו[-־]?(?=\d)| و(?=طفل|رضيع)| و ?(?=\d)/u;
const MOST_PARTS = 6;

/** `3`, `3+1`, `+1` (one with the guest), `4 נפשות`, `זוג`, `2 + תינוק`, `שלושה`; undefined where it is none of these. */
export function peopleIn(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const form = wordForm(text);
  const [, family = '', people, whom] = /^(\D+?) \(?(\d{1,9})\)?(?: (\D+))?$/.exec(form) ?? [];
  // How many a family of 3 children is, nobody knows.
  if (FAMILY.has(family)) return whom === undefined || countsAll(whom) ? Number(people) : undefined;
  const [first = '', ...more] = form.split(AND, MOST_PARTS + 1);
  if (more.length >= MOST_PARTS) return undefined;
  const numbers = [first === '' && more.length > 0 ? 1 : partOf(first), ...more.map(partOf)];
  return numbers.reduce((sum, number) =>
    sum === undefined || number === undefined ? undefined : sum + number,
  );
}

/** Whether it says that children are among them. */
export function namesChildren(text: string): boolean {
  return wordForm(text)
    .split(AND)
    .some((part) => part.split(/[ ()]/).some((word) => CHILD.has(word) || CHILDREN.has(word)));
}

function partOf(part: string): number | undefined {
  const [, before = '', within] = /^([^()]+) ?\(([^()]+)\)$/.exec(part) ?? [];
  if (within !== undefined) return withAside(before.trim(), within);
  const [, digits, whom] = /^(\d{1,9})(?:\.0+)?(?: ?(\D+))?$/.exec(part) ?? [];
  if (digits !== undefined) return whom === undefined || isAside(whom) ? Number(digits) : undefined;
  const [one = '', other, ...rest] = part.split(' ');
  if (rest.length > 0) return undefined;
  if (other === undefined) return CHILD.has(one) ? 1 : NUMBERS.get(one);
  if (isUnit(other)) return BEFORE_UNITS.get(one);
  return isUnit(one) ? NUMBERS.get(other) : undefined;
}

/** What stands in brackets: the same number once more, or whom it counts. */
function withAside(before: string, within: string): number | undefined {
  const number = partOf(before);
  return number === partOf(within) || isAside(within) ? number : undefined;
}

/** Words beside a number that say whom it counts, and no other number. */
const isAside = (words: string): boolean => isUnit(words) || FAMILY.has(words) || countsAll(words);

/** Whether a number with these words beside it is of all people, whoever is among them. */
function countsAll(words: string): boolean {
  const [first = '', second = '', ...rest] = words.split(' ');
  return PEOPLE.has(words) || (INCLUDING.has(first) && CHILDREN.has(second) && rest.length === 0);
}

function byForm(words: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(words.flatMap((forms, index) => forms.map((form) => [wordForm(form), index + 1] as const)));
}
