import { type Kysely, sql } from 'kysely';
import { isUuid, LOWEST_ID } from '../../../kernel/identifiers.ts';
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

/** Number of guests that are read at once to find those whom the file names. */
const INDEXED_AT_ONCE = 2_000;

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
    const given = await readGiven(rows);
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

async function readGiven(rows: readonly ReadRow[]): Promise<GivenValues> {
  const contacts = new Set<string>();
  const names = new Set<string>();
  const pause = createPauses();
  for (const { guest } of rows) {
    if ('details' in guest) {
      for (const contact of contactsOf(guest.details)) contacts.add(contact);
      if (guest.form !== '') names.add(guest.form);
    }
    await pause();
  }
  return { contacts, names };
}

/**
 * Finds the guests whom the file names by phone, email or name. These columns of all guests are read and compared here:
 * after a recent import the database's statistics are out of date, and it would plan a join that compares each guest
 * with each row.
 */
async function indexGuests(
  db: Kysely<unknown>,
  eventId: string,
  { contacts, names }: GivenValues,
): Promise<GuestIndex> {
  const byContact = new Map<string, string>();
  const byName = new Map<string, Namesake[]>();
  for await (const guest of guestsByName(db, eventId)) {
    const { id, form } = guest;
    for (const contact of contactsOf(guest)) if (contacts.has(contact)) byContact.set(contact, id);
    if (names.has(form)) {
      const one = { id, contacts: namesakeContactsOf(guest, (contact) => contacts.has(contact)) };
      const namesakes = byName.get(form) ?? [];
      const comparable = namesakes.filter((other) => other.contacts === one.contacts);
      if (comparable.length < MOST_NAMESAKES) byName.set(form, [...namesakes, one]);
    }
  }
  return { byContact, byName };
}

interface IndexedGuest extends Contacts {
  id: string;
  form: string;
}

/** Reads all guests of an event in the order of the index by name, a batch at a time. */
async function* guestsByName(db: Kysely<unknown>, eventId: string): AsyncGenerator<IndexedGuest> {
  const pause = createPauses();
  let after = { form: '', id: LOWEST_ID };
  for (let more = true; more; ) {
    const { rows } = await sql<IndexedGuest>`
      select id, name_key as form, phone, other_phones, email, other_emails
      from guests where event_id = ${eventId} and (name_key, id) > (${after.form}, ${after.id}::uuid)
      order by name_key, id limit ${INDEXED_AT_ONCE}`.execute(db);
    for (const guest of rows) {
      yield guest;
      await pause();
    }
    after = rows.at(-1) ?? after;
    more = rows.length === INDEXED_AT_ONCE;
  }
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
