import { DIETS, type Diet, type Member } from '../guests/fields.ts';
import { isCountedIn, type PartyCount } from '../guests/members.ts';

/**
 * Rows of a form that asks for the people of a party by name. All functions are pure: party-form.ts shows the rows, and
 * input.ts reads them.
 */

/** Maximum number of rows without a name. More of them appear after the names of these are saved. */
export const MOST_BLANK_ROWS = 10;
/** Blank rows beyond the people who come, for guests who may bring somebody. The form folds them up. */
const SPARE_ROWS = 2;

/** Row of the form: a member who is known, or a person without a name, whose `id` is empty. */
export type MemberRow = Member;

/** Party for which the rows are: the people who come, or would come, and what is known of them. */
export interface RowsOf extends Readonly<Record<Diet, number>> {
  name: string;
  party_size: number;
  coming: number;
  coming_children: number;
  members: readonly Member[];
}

/**
 * True if each person of a party has a row, in which children and meals are then asked. The form of a larger party asks
 * for their numbers instead.
 */
export function hasRowForEach(party: RowsOf): boolean {
  return unnamedPeople(party) <= MOST_BLANK_ROWS;
}

/**
 * Rows for a party of at most `most` people: the known members, then people without names, then up to `spare` rows for
 * others whom they may bring. If the party has more children or meals than its members explain, the rows without names
 * show the rest.
 */
export function memberRows(party: RowsOf, most: number, spare = SPARE_ROWS): MemberRow[] {
  const { members, name, party_size } = party;
  const unnamed = unnamedPeople(party);
  const free = Math.max(most - (party.coming - unnamed), 0);
  const blanks = Math.min(unnamed + spare, free, MOST_BLANK_ROWS);
  const rows = Array.from({ length: Math.max(blanks, 0) }, (_, index) => ({
    ...BLANK,
    name: members.length + index === 0 && party_size === 1 ? name : null,
  }));
  return [...members, ...(hasRowForEach(party) ? withCounts(rows, unnamed, party) : rows)];
}

/** Number of rows of the known members and of the people who come. The rows after them are spare. */
export function expectedRows(party: RowsOf): number {
  return party.members.length + unnamedPeople(party);
}

/** True if the person of a row has a name, a meal or an allergy. */
export function isFilled({ name, meal, allergies }: MemberRow): boolean {
  return name !== null || meal !== null || allergies !== null;
}

const BLANK: MemberRow = { id: '', name: null, child: false, meal: null, allergies: null, coming: true };

function unnamedPeople({ coming, members }: RowsOf): number {
  return Math.max(coming - members.filter((member) => member.coming).length, 0);
}

/** Blank rows with the children and meals that the party has beyond its members. The last rows are the children's. */
function withCounts(rows: readonly MemberRow[], unnamed: number, party: RowsOf): MemberRow[] {
  const beyond = (count: PartyCount) =>
    party[count] - party.members.filter((member) => isCountedIn(count, member)).length;
  const firstChild = unnamed - beyond('coming_children');
  const meals = DIETS.filter((diet) => diet !== 'childrens_meals').flatMap((diet) =>
    Array.from({ length: Math.max(beyond(diet), 0) }, () => diet),
  );
  let childrensMeals = beyond('childrens_meals');
  return rows.map((row, index) => {
    if (index >= unnamed) return row;
    const child = index >= firstChild;
    const meal = child && childrensMeals-- > 0 ? ('childrens_meals' as const) : (meals.shift() ?? null);
    return { ...row, child, meal };
  });
}

/** Hidden field of a form that asks for the child and the meal of each person. */
export const EACH_ROW = 'each_row';

/** Name of a field of a row in the form. */
export function rowField(index: number, field: keyof MemberRow): string {
  return `members[${index}].${field}`;
}

/** Reads the rows of people in a form. Data of a known member for which the form has no field stays as it is. */
export function rowsInForm(form: URLSearchParams, known: readonly Member[]): MemberRow[] {
  const rows: MemberRow[] = [];
  for (let index = 0; form.has(rowField(index, 'name')); index++) {
    const text = (field: keyof MemberRow) => form.get(rowField(index, field))?.trim() || null;
    const id = text('id') ?? '';
    const stored = known.find((member) => member.id === id) ?? BLANK;
    rows.push({
      ...stored,
      id,
      name: text('name'),
      ...(form.has(rowField(index, 'meal')) && { meal: text('meal') as Diet | null }),
      ...(form.has(rowField(index, 'allergies')) && { allergies: text('allergies') }),
      ...(form.get(EACH_ROW) === 'yes' && { child: form.has(rowField(index, 'child')) }),
      coming: id === '' || form.has(rowField(index, 'coming')),
    });
  }
  return rows;
}

/** Children and meals of the people in the rows who come, in the order of the rows. */
export function countsOfRows(
  rows: readonly MemberRow[],
  coming: number,
): Record<'coming_children' | Diet, number> {
  const counted = peopleInRows(rows, coming);
  const count = (what: PartyCount) => counted.filter((row) => isCountedIn(what, row)).length;
  return {
    coming_children: count('coming_children'),
    ...(Object.fromEntries(DIETS.map((diet) => [diet, count(diet)])) as Record<Diet, number>),
  };
}

/**
 * Members in the rows. A row without name, meal and allergies is nobody, unless it was a member without a name before.
 */
export function membersInRows(
  rows: readonly MemberRow[],
  coming: number,
  known: readonly Member[],
): MemberRow[] {
  const people = new Set(peopleInRows(rows, coming));
  return rows.filter((row) => {
    const { id, name } = row;
    const wasUnnamed = known.some((member) => member.id === id && member.name === null);
    return isFilled(row) ? id !== '' || name !== null || people.has(row) : wasUnnamed;
  });
}

/**
 * Rows of the people who come: all people with a name or known before, and rows without a name until there are `coming`
 * people.
 */
function peopleInRows(rows: readonly MemberRow[], coming: number): MemberRow[] {
  const isNamed = ({ id, name }: MemberRow) => id !== '' || name !== null;
  let unnamed = coming - rows.filter((row) => row.coming && isNamed(row)).length;
  return rows.filter((row) => row.coming && (isNamed(row) || unnamed-- > 0));
}
