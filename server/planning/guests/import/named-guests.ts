import { type Kysely, sql } from 'kysely';
import { isUuid } from '../../../kernel/identifiers.ts';
import { createPauses } from '../../../kernel/pauses.ts';
import { guestWithRsvp } from '../capacity/allocation.ts';
import { type Contacts, contactsOf } from '../contacts.ts';
import { type GuestRow, guestColumns, storedGuestOf } from '../rows.ts';
import { areDifferentPeople, type NamesakeContacts, namesakeContactsOf } from './namesakes.ts';
import { isReachable, type ListedGuest, MOST_NAMESAKES, type NamedGuests } from './plan.ts';
import type { ReadRow, SheetGuest } from './read.ts';

/** Values in the imported file by which existing guests are found. */
export interface GivenValues {
  /** Phone numbers and email addresses in the imported file. */
  contacts: ReadonlySet<string>;
  /** Normalized names in the imported file. */
  names: ReadonlySet<string>;
}

interface GuestIndex {
  /** Ids of the event's guests by phone number and email address. */
  byContact: ReadonlyMap<string, string>;
  byName: ReadonlyMap<string, readonly Namesake[]>;
}

interface Namesake {
  id: string;
  contacts: NamesakeContacts;
}

/** Ids of the event's guests whom a row of the file names, by each of the row's values. */
interface NamedIds {
  byId?: string | undefined;
  byContact?: ReadonlyMap<string, string>;
  byName?: readonly string[];
}

/** Reader of an event's guests whom the rows of a file name by id, phone, email or name. */
export class NamedGuestsReader {
  readonly given: GivenValues;
  readonly #db: Kysely<unknown>;
  readonly #eventId: string;
  readonly #index: GuestIndex;
  readonly #ids = new Set<string>();

  private constructor(db: Kysely<unknown>, eventId: string, given: GivenValues, index: GuestIndex) {
    this.#db = db;
    this.#eventId = eventId;
    this.given = given;
    this.#index = index;
  }

  static async open(
    db: Kysely<unknown>,
    eventId: string,
    rows: readonly ReadRow[],
  ): Promise<NamedGuestsReader> {
    const given = givenIn(rows);
    return new NamedGuestsReader(db, eventId, given, await indexGuests(db, eventId, given));
  }

  /** Ids of all guests whom the rows of the file that were read so far name. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Reads the guests whom each of the file's rows names, with one query. */
  async read(rows: readonly ReadRow[]): Promise<NamedGuests[]> {
    const named = rows.map(({ guest }) => ('details' in guest ? namedIdsOf(guest, this.#index) : {}));
    const ids = named.flatMap(allIds);
    for (const id of ids) this.#ids.add(id);
    const guests = await readGuests(this.#db, this.#eventId, ids);
    const guestOf = (id: string | undefined) => guests.get(id ?? '');
    return named.map(({ byId, byContact = new Map(), byName = [] }) => ({
      byId: guestOf(byId),
      byContact: new Map(
        [...byContact].flatMap(([contact, id]) => {
          const guest = guestOf(id);
          return guest ? [[contact, guest] as const] : [];
        }),
      ),
      byName: byName.map(guestOf).filter((guest) => guest !== undefined),
    }));
  }
}

function givenIn(rows: readonly ReadRow[]): GivenValues {
  const guests = rows.flatMap(({ guest }) => ('details' in guest ? [guest] : []));
  return {
    contacts: new Set(guests.flatMap(({ details }) => contactsOf(details))),
    names: new Set(guests.map(({ form }) => form).filter((form) => form !== '')),
  };
}

/**
 * Finds the guests whom the file names by phone, email or name. These columns of all guests are read once and
 * compared here: after a recent import the database's statistics are out of date, and it would plan a join that
 * compares each guest with each row.
 */
async function indexGuests(
  db: Kysely<unknown>,
  eventId: string,
  { contacts, names }: GivenValues,
): Promise<GuestIndex> {
  const { rows } = await sql<{ id: string; form: string } & Contacts>`
    select id, name_key as form, phone, other_phones, email, other_emails
    from guests where event_id = ${eventId}`.execute(db);
  const byContact = new Map<string, string>();
  const byName = new Map<string, Namesake[]>();
  const pause = createPauses();
  for (const guest of rows) {
    const { id, form } = guest;
    for (const contact of contactsOf(guest)) if (contacts.has(contact)) byContact.set(contact, id);
    if (names.has(form)) {
      const one = { id, contacts: namesakeContactsOf(guest, (contact) => contacts.has(contact)) };
      const namesakes = byName.get(form) ?? [];
      const comparable = namesakes.filter((other) => other.contacts === one.contacts);
      if (comparable.length < MOST_NAMESAKES) byName.set(form, [...namesakes, one]);
    }
    await pause();
  }
  return { byContact, byName };
}

/** Finds the guests whom a row names. A guest with the same name counts only if no contacts tell the two apart. */
function namedIdsOf({ id, details, form }: SheetGuest, { byContact, byName }: GuestIndex): NamedIds {
  const owned = contactsOf(details).flatMap((contact) => {
    const owner = byContact.get(contact);
    return owner === undefined ? [] : [[contact, owner] as const];
  });
  const isRowReachable = isReachable(details);
  const namesakes = byName.get(form) ?? [];
  const like = namesakes
    .filter(({ contacts }) => !areDifferentPeople(contacts, isRowReachable))
    .slice(0, MOST_NAMESAKES);
  return { byId: id?.toLowerCase(), byContact: new Map(owned), byName: like.map(({ id: own }) => own) };
}

function allIds({ byId, byContact = new Map(), byName = [] }: NamedIds): string[] {
  return [byId, ...byContact.values(), ...byName].filter((id) => id !== undefined);
}

async function readGuests(
  db: Kysely<unknown>,
  eventId: string,
  named: readonly string[],
): Promise<ReadonlyMap<string, ListedGuest>> {
  const ids = [...new Set(named.filter(isUuid))];
  if (ids.length === 0) return new Map();
  // The limit keeps the database from reading all guests of the event and comparing each with all ids.
  const { rows } = await sql<GuestRow>`
    select ${guestColumns} from unnest(${ids}::uuid[]) named (id)
    cross join lateral (select * from guests where id = named.id and event_id = ${eventId} limit 1) guests`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, guestWithRsvp(storedGuestOf(row))]));
}
