import type { Language } from '../../../kernel/languages.ts';
import { normalizeWord, wordSet } from './words.ts';

/** Words for the numbers of people from one to ten, each with its number. */
const NUMBERS: ReadonlyMap<string, number> = byForm([
  ['יחיד', 'יחידה', 'לבד', 'אחד', 'אחת', 'single', 'one', 'فرد', 'واحد', 'واحدة'],
  [
    'זוג',
    'זוגי',
    'שניים',
    'שתיים',
    'שנים',
    'couple',
    'two',
    'زوج',
    'زوجان',
    'زوجين',
    'شخصان',
    'شخصين',
    'بالغان',
    'اثنان',
    'اثنين',
    'اثنتان',
    'اثنتين',
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
/**
 * Words for a number before a noun such as "adults". Two Hebrew forms of "two" are only used there, because alone they
 * are names of people.
 */
const BEFORE_UNITS: ReadonlyMap<string, number> = new Map([...NUMBERS, ['שני', 2], ['שתי', 2]]);

const BABY = wordSet(['תינוק', 'תינוקת', 'baby', 'infant', 'رضيع', 'رضيعة']);
const BABIES = wordSet(['תינוקות', 'babies', 'infants', 'رضع', 'رضيعان', 'رضيعين']);
const CHILD = new Set([...BABY, ...wordSet(['ילד', 'ילדה', 'child', 'kid', 'طفل', 'طفلة'])]);
const TWO_CHILDREN = wordSet(['طفلان', 'طفلين', 'رضيعان', 'رضيعين']);
const CHILDREN = new Set([
  ...BABIES,
  ...wordSet(['ילדים', 'הילדים', 'ילדות', 'children', 'kids', 'أطفال', 'الأطفال']),
]);
const PEOPLE = wordSet([
  'אנשים',
  'איש',
  'נפש',
  'נפשות',
  'מוזמנים',
  'אורחים',
  'סועדים',
  'מבוגר',
  'מבוגרת',
  'מבוגרים',
  'people',
  'persons',
  'guests',
  'adult',
  'adults',
  'شخص',
  'شخصًا',
  'أشخاص',
  'ضيوف',
  'مدعوين',
  'مدعوون',
  'بالغ',
  'بالغين',
  'بالغون',
  'كبار',
]);
const isChildren = (word: string): boolean => CHILD.has(word) || CHILDREN.has(word);
const isUnit = (word: string): boolean => isChildren(word) || PEOPLE.has(word);
/** Words for a family that come before or after a number: `משפחה 5`, `family of 5`. */
const FAMILY = wordSet([
  'משפחה',
  'משפחה של',
  'משפחה בת',
  'משפ',
  'משפ׳',
  "משפ'",
  'family',
  'family of',
  'عائلة',
  'عائلة من',
  'أسرة',
  'أسرة من',
]);
/** Phrases for people who are already counted in the number before: `5 כולל ילדים`, `6, of whom 2 children`. */
const AMONG =
  /^(?:כולל|מתוכם|מתוכן|מהם|מהן|ביניהם|including|incl\.?|of whom|of them|of which|among them|شامل|منهم|بينهم|من بينهم|بمن فيهم) (.+)$/;

/** Examples of texts that are accepted as a number of people, for error messages. */
export const PEOPLE_EXAMPLES: Readonly<Record<Language, readonly string[]>> = {
  he: ['3+1', 'זוג', '4 נפשות'],
  ar: ['3+1', 'زوج', '4 أشخاص'],
  en: ['3+1', 'couple', '4 people'],
};

/**
 * Separators between counted groups: `2+תינוק`, `זוג ועוד ילד`, `שניים ותינוק`, `2 adults, 3 kids`. A comma between
 * two bare numbers is ambiguous and no separator.
 */
const AND =
  /\s*[+&]\s*| (?:ועוד|פלוס|and|plus) |(?<=\p{L}),? ?(?=\d+ ?\p{L})| ו(?=ילד|תינוק|שני |שתי |שלוש|ארבע|חמש)| ו[-־]? ?(?=\d)| و(?=طفل|رضيع|ثلاث|اربع|خمس)| و[-־]? ?(?=\d)/u;
const MOST_PARTS = 6;

/**
 * Number of people that a text gives, and how many of them are children; `some` if the text mentions children without a
 * number.
 */
export interface PeopleInText {
  people: number;
  children?: number | 'some';
}

/**
 * Reads a number of people from a text such as `3`, `3+1`, `+1` (one with the guest), `4 נפשות`, `זוג`, `2 + תינוק`,
 * `שלושה` or `6 (כולל 2 ילדים)`; undefined if the text is none of these.
 */
export function readPeople(text: string): PeopleInText | undefined {
  if (/^\d{1,9}$/.test(text)) return { people: Number(text) };
  const form = normalizeWord(text).replace(/\s*\?+$/, '');
  const [, before, within] = /^([^()]+?),? ?\(([^()]+)\)$/.exec(form) ?? asideIn(form) ?? [];
  const counted = before !== undefined && within !== undefined && withAmong(sumOf(before), within);
  return counted || sumOf(form);
}

/** Number of people that a cell's text gives; undefined if it gives none. */
export function countPeople(text: string): number | undefined {
  return readPeople(text)?.people;
}

/** Number of children that a cell's text gives; undefined if it gives none. */
export function countChildren(text: string): number | undefined {
  const children = readPeople(text)?.children;
  return typeof children === 'number' ? children : undefined;
}

/**
 * True if a text gives more than a number of people: that there are children, that one is a baby, or that the number is
 * not sure.
 */
export function tellsMoreThanNumber(text: string): boolean {
  const counted = readPeople(text);
  // `6?` means six people, but the question mark says that the number is not sure.
  if (counted && text.trimEnd().endsWith('?')) return true;
  if (counted?.children === undefined) return false;
  const words = normalizeWord(text).split(/[^\p{L}]+/u);
  return (
    counted.children === 'some' ||
    words.some((word) => BABY.has(word.replace(/^[וو]/, '')) || BABIES.has(word))
  );
}

/** Splits a text such as `6 כולל 2 ילדים`, which has the detail after the number without brackets. */
function asideIn(form: string): readonly string[] | undefined {
  for (const { index } of form.matchAll(/,? /g)) {
    const among = form.slice(index).replace(/^,? /, '');
    if (index > 0 && AMONG.test(among)) return [form, form.slice(0, index), among];
  }
  return undefined;
}

/**
 * Combines a number of people with the detail after it: how many of them are children, or the number of each kind of
 * people.
 */
function withAmong(all: PeopleInText | undefined, within: string): PeopleInText | undefined {
  const [, among] = AMONG.exec(within) ?? [];
  if (!all) return undefined;
  if (among !== undefined && CHILDREN.has(among)) return { children: 'some', ...all };
  const counted = sumOf(among ?? within);
  if (!counted) return undefined;
  const areChildren = counted.children === counted.people && counted.people <= all.people;
  if (!areChildren && counted.people !== all.people) return undefined;
  if (
    typeof all.children === 'number' &&
    typeof counted.children === 'number' &&
    all.children !== counted.children
  )
    return undefined;
  return { ...counted, ...all };
}

function sumOf(form: string): PeopleInText | undefined {
  const [, family = '', people, whom] = /^(\D+?) \(?(\d{1,9})\)?(?: (\D+))?$/.exec(form) ?? [];
  // A text such as `family of 3 children` does not say how many people the family has.
  if (FAMILY.has(family))
    return whom === undefined || PEOPLE.has(whom) ? { people: Number(people) } : undefined;
  const [first = '', ...more] = form.split(AND, MOST_PARTS + 1);
  if (more.length >= MOST_PARTS) return undefined;
  const parts = [first === '' && more.length > 0 ? { people: 1 } : partOf(first), ...more.map(partOf)];
  return parts.reduce((sum, part) => sum && part && together(sum, part));
}

function together(one: PeopleInText, other: PeopleInText): PeopleInText {
  const children = [one.children, other.children].filter((some) => some !== undefined);
  const counted = children.filter((some) => some !== 'some');
  return {
    people: one.people + other.people,
    ...(children.length > 0 && {
      children: counted.length < children.length ? 'some' : counted.reduce((sum, number) => sum + number, 0),
    }),
  };
}

function partOf(part: string): PeopleInText | undefined {
  const [, before = '', within] = /^([^()]+) ?\(([^()]+)\)$/.exec(part) ?? [];
  if (within !== undefined) return withAside(before.trim(), within);
  const [, digits, whom] = /^(\d{1,9})(?:\.0+)?(?: ?(\D+))?$/.exec(part) ?? [];
  if (digits !== undefined) return ofWhom(Number(digits), whom);
  const [one = '', other, ...rest] = part.split(' ');
  if (rest.length > 0) return undefined;
  if (other === undefined) {
    if (CHILD.has(one)) return { people: 1, children: 1 };
    return TWO_CHILDREN.has(one) ? { people: 2, children: 2 } : ofWhom(NUMBERS.get(one), undefined);
  }
  if (isUnit(other)) return ofWhom(BEFORE_UNITS.get(one), other);
  return isUnit(one) ? ofWhom(NUMBERS.get(other), one) : undefined;
}

/**
 * Reads a number of people with brackets after it: the brackets have the kind of people, or how many there are of each
 * kind.
 */
function withAside(before: string, within: string): PeopleInText | undefined {
  const counted = partOf(before);
  return counted && (ofWhom(counted.people, within) ?? withAmong(counted, within));
}

/** Number of people whose kind a word gives (adults, children); undefined if the word is no kind of people. */
function ofWhom(people: number | undefined, whom: string | undefined): PeopleInText | undefined {
  if (people === undefined) return undefined;
  if (whom === undefined || PEOPLE.has(whom) || FAMILY.has(whom)) return { people };
  return isChildren(whom) ? { people, children: people } : undefined;
}

function byForm(words: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(
    words.flatMap((forms, index) => forms.map((form) => [normalizeWord(form), index + 1] as const)),
  );
}
