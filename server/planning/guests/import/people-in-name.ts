import { LARGEST_PARTY } from '../fields.ts';
import { readPeople } from '../sheets/people.ts';
import { normalizeWord } from '../sheets/words.ts';
import { isFirstName } from './first-names.ts';

/** Number of people that a guest's name states, and the name without that number. */
export interface PeopleInName {
  name: string;
  people: number;
  children?: number;
}

const COUPLE =
  /^(?:זוג|הזוג|מר וגברת|מר וגב'|ד"ר וגב'|السيد والسيدة|mr\.? (?:&|and) mrs\.?|mrs\.? (?:&|and) mr\.?) |^the .+ couple$|(?: ורעייתו| ורעיתו| ואשתו| ובעלה| ובת[- ]זוגו?| ובן[- ]זוגה?| ובן[- ]זוג| ובת[- ]הזוג| ובן[- ]הזוג| وزوجته| وزوجها| (?:&|and) (?:wife|husband|partner|spouse|guest))$/iu;

const FAMILY =
  /^(?:משפחת|משפחה|משפ['׳]?|משפ|עائلة|عائلة|دار|بيت|the .+ family$|family |fam\.? )|(?: ומשפחתו| ומשפחתה| ומשפחה| ומשפ['׳]?| ובני ביתו| ובני ביתה| والعائلة| وعائلته| وعائلتها| (?:&|and) family| family)$/iu;

/** Patterns for a number at the end of a name: in brackets, after a plus, or after a multiplication sign. */
const IN_BRACKETS = /^(?<name>.+?)[ ,-]*[([](?<tail>[^()[\]]{1,40})[)\]]$/u;
const ADDED =
  /^(?<name>.+?)\s*(?<tail>\+[^+]{1,40}(?:\+[^+]{1,40})*|פלוס .{1,40}|ועוד .{1,40}|plus .{1,40})$/iu;
const TIMES = /^(?<name>.+?)[ ,]*[x×✕*]\s?(?<tail>\d{1,3})$/iu;
const COUNTED = /^(?<name>.+?)(?:\s*[,–—-]\s*|\s+)(?<tail>\d{1,3}\s+\p{L}.{0,30})$/u;

/**
 * Reads how many people a name stands for: `משפחת כהן + 2` is three, `חברים מהעבודה (8 איש)` eight, `זוג פרץ` and `דוד
 * ואילנה` two. Undefined if the name says nothing about a number.
 */
export function readPeopleInName(written: string): PeopleInName | undefined {
  const name = written
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return marked(name) ?? addedTo(name) ?? counted(name) ?? couple(name);
}

/** True if a name is the name of a family, so that it stands for an unknown number of people. */
export function isFamily(name: string): boolean {
  return FAMILY.test(name.replace(/\p{Cf}/gu, '').trim());
}

/** Reads a whole number that is marked as a number of people in a name: `משפחת ברק (5)`, `חברים x8`. */
function marked(text: string): PeopleInName | undefined {
  for (const pattern of [IN_BRACKETS, TIMES]) {
    const { name = '', tail = '' } = pattern.exec(text)?.groups ?? {};
    const found = name && !tail.startsWith('+') && numberIn(tail);
    if (found) return withAdults(name, found);
  }
  return undefined;
}

/** Reads a number with a word for people, or after a family's name: `משפחת לוי - 5 נפשות`, `משפחת לוי 5`. */
function counted(text: string): PeopleInName | undefined {
  const { name = '', tail = '' } = COUNTED.exec(text)?.groups ?? {};
  const found = name && numberIn(tail);
  if (found) return withAdults(name, found);
  const [, family = '', number] = /^(.*\p{L}['׳.]?) (\d{1,2})$/u.exec(text) ?? [];
  return isFamily(family) ? numbered(family, number) : undefined;
}

/**
 * Adds the adults to the number of people if a name gives only children; undefined for a family, whose number of adults
 * is not known.
 */
function withAdults(name: string, found: Omit<PeopleInName, 'name'>): PeopleInName | undefined {
  if (found.children !== found.people) return { name, ...found };
  if (isFamily(name)) return undefined;
  return { name, ...found, people: found.people + (couple(name)?.people ?? 1) };
}

function numbered(name: string, number: string | undefined): PeopleInName | undefined {
  const people = Number(number);
  return people > 0 ? { name, people } : undefined;
}

/**
 * Reads a number that a name adds to the guest: `דנה כהן +1`, `דנה כהן (+1)`, `רון ושיר + תינוק`, `משפחת כהן ועוד 2`.
 */
function addedTo(text: string): PeopleInName | undefined {
  const bracketed = /^(?<name>.+?)\s*[([](?<tail>\+[^()[\]]{1,40})[)\]]$/u.exec(text)?.groups;
  const { name = '', tail = '' } = bracketed ?? ADDED.exec(text)?.groups ?? {};
  if (name === '') return undefined;
  const first = couple(name)?.people ?? 1;
  const added = tail.replace(/^(?:\+|פלוס|ועוד|plus)\s*/iu, '');
  const found = numberIn(`${first} + ${/^(?:one|אחד|אחת)$/iu.test(added) ? '1' : added}`);
  if (found) return { name, ...found };
  // A name such as `Dana + partner` counts one more person, whose name is not known.
  return isCompanion(added) ? { name, people: first + 1 } : undefined;
}

const COMPANION =
  /^(?:בן זוג|בת זוג|בן\/בת זוג|מלווה|אורח|אורחת|guest|partner|wife|husband|spouse|مرافق|زوجته|زوجها)$/iu;
const isCompanion = (text: string) => COMPANION.test(text.trim());

function numberIn(text: string): Omit<PeopleInName, 'name'> | undefined {
  const found = readPeople(normalizeWord(text));
  // A number too large for a party, such as a year or a phone number, is no number of people.
  if (!found || found.people < 1 || found.people > LARGEST_PARTY) return undefined;
  return { people: found.people, ...(typeof found.children === 'number' && { children: found.children }) };
}

/** Two people whom a name states: a couple by a word such as "couple", or by two first names. */
function couple(name: string): PeopleInName | undefined {
  if (COUPLE.test(name) || areTwo(name)) return { name, people: 2 };
  return undefined;
}

function areTwo(name: string): boolean {
  if (isFamily(name)) return false;
  const words = name.split(/[ ]/);
  const second = words.findIndex((word, at) => at > 0 && joined(word));
  if (second > 0) return words.slice(0, second).some((word) => isFirstName(word));
  if (/ (?:&|and) (?:sons?|daughters?|co|company|partners|friends|associates)\b/i.test(name)) return false;
  return /^\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’.-]+)? (?:&|and) \p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’.-]+)?$/u.test(
    name,
  );
}

/** Pattern for the word "and" joined to a first name, such as `ואילנה` or `وليلى`. `ויקטור` is a name of its own. */
function joined(word: string): boolean {
  return /^[וو]./u.test(word) && isFirstName(word.slice(1).replace(/^[-־]/, ''));
}
