import { FieldProblem, type Fields, readChoice } from '../../../kernel/fields.ts';
import { KASHRUT_LEVELS } from '../../events/fields.ts';
import { LARGEST_PARTY } from '../fields.ts';
import { statusIn, type Texts, yesOrNoIn } from '../sheets/cells.ts';
import { countChildren, countPeople } from '../sheets/people.ts';
import type { Filled, FilledCells } from './filled-cells.ts';
import type { SheetColumn } from './guest-list.ts';
import { COLUMNS, type Column } from './headings.ts';
import { containsName, fullName, joinCouple } from './names.ts';
import type { Person } from './person.ts';
import { contactsIn } from './row-contacts.ts';

/** Guest as read from one row of a sheet. */
export interface SheetRecord {
  id: string | undefined;
  /** Fields of a guest as in the body of a request. Empty cells are left out, so that they change nothing. */
  fields: Fields;
  /** Group, such as a household, of a row that has one person of a party. */
  group?: string;
  /** Data in the row about one person of a party; undefined if there is none. */
  person?: Person;
  /** Texts in the row that fit no field of a guest and go into the guest's note. */
  addenda: string[];
}

/** Reads a row of a list. `isPerson` is true for a list whose rows are people of a party, as in an export of people. */
export function readRecord(given: FilledCells, isPerson: boolean): SheetRecord {
  const read: Partial<Record<Column, unknown>> = {};
  const addenda: string[] = [];
  for (const [column, filled] of given) {
    const { cell } = COLUMNS[column];
    const texts = filled.map(({ text }) => text) as unknown as Texts;
    const value = cell.read(column, texts);
    if (value !== undefined) read[column] = value;
    for (const [index, rest] of ('rest' in cell ? (cell.rest?.(texts) ?? []) : []).entries()) {
      if (rest) addenda.push(labelled(filled[index]?.heading, rest));
    }
  }
  const { id, labels, ...fields } = read;
  const name = guestNameIn(given);
  const group = given.get('household')?.[0]?.text;
  const person = personIn(read);
  const isAlone = !isPerson && group === undefined;
  const contacts = contactsIn(given, read);
  addenda.push(...contacts.beyond.map(({ heading, text }) => labelled(heading, text)));
  const tags = [read.tags, labels, tablesIn(given)].flatMap((some) => (some as string[]) ?? []);
  const company = companyOf(given);
  addenda.push(...company.addenda);
  const size = read.party_size ?? sizeOf(given, company.size);
  const children =
    read.party_children ?? childrenSaidIn(given, size === read.party_size ? 'party_size' : 'adults');
  return {
    id: id as string | undefined,
    // Some of the fields in `read` are only parts of a guest's name or party; they are ignored when the row becomes a
    // guest.
    fields: {
      ...fields,
      ...contacts.fields,
      ...(name && { name }),
      ...(tags.length > 0 && { tags }),
      ...(size !== undefined && { party_size: size }),
      ...(children !== undefined && { party_children: children }),
      ...kashrutIn(read.kashrut_level, Number(size ?? 1)),
      ...answerIn(read, given),
      ...(isAlone && person?.meal && { [person.meal]: read[person.meal] ?? 1 }),
    },
    ...(group !== undefined && { group }),
    ...(person && !isAlone && { person }),
    addenda,
  };
}

/** Data in a row's cells about one person of a party; undefined if there is none. */
function personIn(read: Partial<Record<Column, unknown>>): Person | undefined {
  const { person, person_child, person_meal, person_allergies, person_coming } = read;
  const said = Object.entries({
    name: person,
    child: person_child,
    meal: person_meal,
    allergies: person_allergies,
    coming: person_coming,
  }).filter(([, value]) => value !== undefined);
  return said.length > 0 ? (Object.fromEntries(said) as Person) : undefined;
}

/** True if a row repeats the headings, as on each page of a printed list. */
export function isRepeatedHeadings(columns: readonly SheetColumn[], cells: readonly string[]): boolean {
  let names = 0;
  for (const [index, { field, heading }] of columns.entries()) {
    if (!field || !['name', 'first_name', ...SPOUSES].includes(field)) continue;
    if (heading === '' || (cells[index] ?? '').trim() !== heading) return false;
    names += 1;
  }
  return names > 0;
}

/** Name of the guest in a row, composed from the columns that contain parts of the name. */
export function guestNameIn(given: FilledCells): string {
  const text = (column: Column) => given.get(column)?.[0]?.text;
  const [name, first, last] = [text('name'), text('first_name'), text('last_name')];
  if (name !== undefined) {
    // The column named “name” often contains first names, so the last name is added to them.
    return last !== undefined && first === undefined && !containsName(name, last)
      ? fullName(name, last)
      : name;
  }
  const own = [first, text('middle_name')].filter((part) => part !== undefined).join(' ');
  const before = own || coupleIn(given);
  return last !== undefined && before ? fullName(before, last) : (last ?? before);
}

/** Names of husband and wife in a row, in the order of their columns; empty if the row has neither. */
function coupleIn(given: FilledCells): string {
  const [one, other] = spousesIn(given).map(({ text }) => text);
  return one !== undefined && other !== undefined ? joinCouple(one, other) : (one ?? '');
}

function spousesIn(given: FilledCells): Filled[] {
  return [...given].flatMap(([column, filled]) => (SPOUSES.includes(column) ? filled.slice(0, 1) : []));
}
const SPOUSES: readonly Column[] = ['husband', 'wife'];

/**
 * Number of people in a row that has separate columns for adults, children or companions; undefined if these count
 * nobody. Children come with at least one adult.
 */
function sizeOf(given: FilledCells, adultsWithCompany: number | undefined): number | undefined {
  const adults = sumIn(given, 'adults');
  const children = sumIn(given, 'party_children');
  if (adults !== undefined) return adults + (children ?? 0) || undefined;
  return children ? (adultsWithCompany ?? 1) + children : adultsWithCompany;
}

function sumIn(given: FilledCells, column: 'adults' | 'party_children'): number | undefined {
  const counted = given.get(column)?.map(({ text }) => {
    const number = countPeople(text);
    if (number === undefined)
      throw new FieldProblem(column, { kind: 'integer', least: 0, most: LARGEST_PARTY });
    return number;
  });
  return counted?.reduce((all, number) => all + number, 0);
}

/** Number of children that a cell about the number of people gives; undefined if it gives none. */
function childrenSaidIn(given: FilledCells, column: Column): number | undefined {
  const counted = (given.get(column) ?? []).map(({ text }) => countChildren(text)).filter(isNumber);
  return counted.length > 0 ? counted.reduce((sum, number) => sum + number, 0) : undefined;
}
const isNumber = (value: number | undefined) => value !== undefined;

const MEALS_OF = { regular: 'kosher', mehadrin: 'mehadrin', chalav_yisrael: 'chalav_yisrael' } as const;

/** Special meals of a guest's party by the kashrut level in the row, which applies to the whole party. */
function kashrutIn(level: unknown, size: number): Fields {
  if (level === undefined) return {};
  const kashrut = readChoice('kashrut_level', level, KASHRUT_LEVELS);
  return kashrut === 'none' ? {} : { [MEALS_OF[kashrut]]: size };
}

interface Company {
  size?: number;
  addenda: string[];
}

/** People in a row who come along with the guest: a partner, or a spouse who is missing in the guest's name. */
function companyOf(given: FilledCells): Company {
  const spouses = spousesIn(given);
  const isNamed = given.has('name') || given.has('first_name');
  if (spouses.length > 0 && !isNamed) return { ...(spouses.length > 1 && { size: 2 }), addenda: [] };
  const others = [...(given.get('partner') ?? []), ...spouses].map(partnerOf);
  const size = Math.max(0, ...others.map(({ size = 0 }) => size));
  return {
    ...(size > 0 && { size }),
    addenda: others.flatMap(({ addenda }) => addenda),
  };
}

/**
 * People that the cell of a row's partner column counts, the guest included: two for a partner; for a number of
 * companions, that number and one. The partner's name goes into the note.
 */
function partnerOf({ heading, text }: Filled): Company {
  const companions = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (companions > 1) return { size: companions + 1, addenda: [] };
  const comes = yesOrNoIn(text);
  if (comes === undefined) return { size: 2, addenda: [labelled(heading, text)] };
  return { ...(comes && { size: 2 }), addenda: [] };
}

/**
 * Answer to the invitation in a row of the file. A number of people coming means yes. Some lists have the number in the
 * column of the answer, or a no in the column of the number.
 */
function answerIn(read: Partial<Record<Column, unknown>>, given: FilledCells): Fields {
  const { rsvp_status: status, coming } = read;
  const count = typeof status === 'string' ? countPeople(status) : undefined;
  const children =
    read.coming_children ?? childrenSaidIn(given, coming === undefined ? 'rsvp_status' : 'coming');
  const childrenToo = children !== undefined && { coming_children: children };
  if (count !== undefined && count > 1)
    return { rsvp_status: 'confirmed', coming: coming ?? count, ...childrenToo };
  if (status !== undefined) return { ...childrenToo };
  const answer = typeof coming === 'string' ? statusIn(coming) : undefined;
  if (answer) return { rsvp_status: answer, coming: undefined };
  return Number(coming) > 0 ? { rsvp_status: 'confirmed', ...childrenToo } : {};
}

/** Table numbers become a tag with the heading in front, as a number alone is no meaningful tag. */
function tablesIn(given: FilledCells): string[] {
  return (given.get('table') ?? []).map(({ heading, text }) =>
    /^\d+$/.test(text) ? `${heading || COLUMNS.table.headings.hebrew[0]} ${text}` : text,
  );
}

function labelled(heading: string | undefined, text: string): string {
  return heading ? `${heading}: ${text}` : text;
}
