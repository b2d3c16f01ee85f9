import type { Diet, GuestDetails, Member } from '../fields.ts';
import { DIETS, MOST_OTHERS, MOST_TAGS } from '../fields.ts';
import type { RsvpInput } from '../guest-body.ts';
import { readableContact } from './guest-contacts.ts';
import { normalizeName } from './names.ts';
import type { Person } from './person.ts';
import type { ReadRow, SheetGuest } from './read.ts';

/**
 * Lists with one row a person: rows of one party become one guest, whose members are the people. Rows belong together
 * by the column of the group (`Household`), or, in an export of people, by the guest that each row repeats.
 */

type PersonRow = ReadRow & { guest: SheetGuest };

/**
 * Merges the rows of each group of people, such as a household, into one guest. Rows without a group, and rows that
 * could not be read, are returned unchanged.
 */
export function groupRows(rows: readonly ReadRow[]): ReadRow[] {
  const groups = Map.groupBy(rows, keyOf);
  if (groups.size <= 1 && groups.has(undefined)) return [...rows];
  const merged = new Map<ReadRow, ReadRow>();
  const dropped = new Set<ReadRow>();
  for (const [key, group] of groups) {
    const [first, ...others] = group as [PersonRow, ...PersonRow[]];
    if (key === undefined || !first) continue;
    merged.set(first, guestOf([first, ...others]));
    for (const other of others) dropped.add(other);
  }
  return rows.flatMap((row) => (dropped.has(row) ? [] : [merged.get(row) ?? row]));
}

/** Key that the rows of one guest share; undefined for a row that is a guest of its own. */
function keyOf({ list, guest }: ReadRow): string | undefined {
  if (!('details' in guest)) return undefined;
  const group = guest.group ?? (guest.isPerson ? (guest.id ?? guest.form) : undefined);
  return group === undefined ? undefined : JSON.stringify([list, group.trim().toLowerCase()]);
}

function guestOf(rows: readonly [PersonRow, ...PersonRow[]]): ReadRow {
  const [first] = rows;
  if (first.guest.group === undefined) return guestOfExport(rows);
  return rows.length === 1 ? guestAlone(first) : guestOfHousehold(rows, first.guest.group);
}

/**
 * Guest from an export with one row for each person: the first row has the guest's fields, each row has one of the
 * people.
 */
function guestOfExport(rows: readonly [PersonRow, ...PersonRow[]]): ReadRow {
  const [first] = rows;
  const persons = rows.flatMap(({ guest }) => (guest.person ? [guest.person] : []));
  return { ...first, guest: { ...first.guest, ...(persons.length > 0 && { persons }) } };
}

/** Guest of a household with one row. */
function guestAlone(row: PersonRow): ReadRow {
  const { details, person } = row.guest;
  const meal = person?.meal && { [person.meal]: 1 };
  const child = person?.child && { party_children: 1 };
  return { ...row, guest: { ...row.guest, details: { ...meal, ...child, ...details } } };
}

/** Guest made from all rows of a household. The numbers of people, children and meals in the rows are added up. */
function guestOfHousehold(rows: readonly [PersonRow, ...PersonRow[]], group: string): ReadRow {
  const [first] = rows;
  // A household with only a number for a name gives the guest no name: the name in its first row is used.
  const name = /\p{L}/u.test(group) ? group.trim() : first.name;
  const guests = rows.map(({ guest }) => guest);
  const sum = (count: (guest: SheetGuest) => number) => guests.reduce((all, guest) => all + count(guest), 0);
  const [phone, ...phones] = distinct(
    guests.flatMap(({ details }) => [details.phone, ...(details.other_phones ?? [])]),
  );
  const [email, ...emails] = distinct(
    guests.flatMap(({ details }) => [details.email, ...(details.other_emails ?? [])]),
  );
  const rsvp = answerOf(guests);
  const eats = ({ rsvp: own }: SheetGuest) => rsvp.status !== 'confirmed' || own.status === 'confirmed';
  const meals = DIETS.map((diet) => [
    diet,
    sum((guest) => (eats(guest) ? (guest.details[diet] ?? Number(guest.person?.meal === diet)) : 0)),
  ]);
  const details: Partial<GuestDetails> = {
    ...Object.assign({}, ...guests.toReversed().map((guest) => guest.details)),
    name,
    party_size: sum(({ details }) => details.party_size ?? 1),
    party_children: sum(({ details, person }) => details.party_children ?? Number(person?.child === true)),
    ...Object.fromEntries(meals.filter(([, count]) => Number(count) > 0)),
  };
  delete details.allergies;
  const tags = [...new Set(guests.flatMap(({ details: { tags = [] } }) => tags))].slice(0, MOST_TAGS);
  const notes = [...new Set(guests.flatMap(({ details: { note } }) => note ?? []))];
  const { isUncounted: _, ...guest } = first.guest;
  return {
    ...first,
    name,
    guest: {
      ...guest,
      details: {
        ...details,
        ...(phones.length > 0 && { other_phones: phones.slice(0, MOST_OTHERS) }),
        ...(emails.length > 0 && { other_emails: emails.slice(0, MOST_OTHERS) }),
        ...(phone && { phone }),
        ...(email && { email }),
        ...(tags.length > 0 && { tags }),
        ...(notes.length > 0 && { note: notes.join('\n') }),
      },
      rsvp,
      form: normalizeName(name),
      addenda: [
        ...[...phones.slice(MOST_OTHERS), ...emails.slice(MOST_OTHERS)].map(readableContact),
        ...rows.flatMap(({ name, guest }) => guest.addenda.map((text) => `${name}: ${text}`)),
      ],
      persons: rows.map((row) => personOf(row, rsvp.status === 'confirmed')),
    },
  };
}

function distinct(texts: readonly (string | null | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => typeof text === 'string'))];
}

function personOf({ name, guest: { details, person, rsvp } }: PersonRow, comes: boolean): Person {
  const eaten = DIETS.filter((diet) => (details[diet] ?? 0) > 0);
  const meal = person?.meal ?? (eaten.length === 1 ? (eaten[0] as Diet) : undefined);
  return {
    ...(name !== '' && { name }),
    ...(person?.child && { child: true }),
    ...(meal && { meal }),
    ...(details.allergies && { allergies: details.allergies }),
    ...(comes && { coming: rsvp.status === 'confirmed' }),
  };
}

/** Answer of a household: a yes with the number of people who come; if nobody comes, the answer that the rows give. */
function answerOf(guests: readonly SheetGuest[]): RsvpInput {
  const coming = guests.filter(({ rsvp }) => rsvp.status === 'confirmed');
  if (coming.length > 0) {
    const people = coming.reduce(
      (all, { rsvp, details }) => all + (rsvp.coming ?? details.party_size ?? 1),
      0,
    );
    return { status: 'confirmed', coming: people };
  }
  const statuses = guests.flatMap(({ rsvp: { status } }) => status ?? []);
  if (statuses.length === guests.length && statuses.every((status) => status === 'declined'))
    return { status: 'declined' };
  const status = statuses.find((one) => one === 'maybe') ?? statuses.find((one) => one === 'pending');
  return status ? { status } : {};
}

/**
 * Members of a party after the people in the imported file are added. A person with a member's name is that member; a
 * person without a name is a member who has none either.
 */
export function membersWith(stored: readonly Member[], persons: readonly Person[]): readonly Member[] {
  const left = [...stored];
  const changed = new Map<string, Member>();
  const added: Member[] = [];
  for (const person of persons) {
    const form = normalizeName(person.name ?? '');
    const at = left.findIndex(({ name }) => normalizeName(name ?? '') === form);
    const [known] = at < 0 ? [] : left.splice(at, 1);
    if (known) changed.set(known.id, { ...known, ...person, name: known.name });
    else added.push({ ...NEW, ...person });
  }
  return [...stored.map((member) => changed.get(member.id) ?? member), ...added];
}

const NEW: Member = { id: '', name: null, child: false, meal: null, allergies: null, coming: true };
