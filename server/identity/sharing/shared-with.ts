import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toStorableText } from '../../kernel/database/storable.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';

/** Person with whom something is shared, by the mail address that they sign in with; `K` is the field of their rights. */
export type Person<K extends string, L extends string> = {
  id: string;
  email: string;
  created_at: string;
  updated_at: string;
} & { [field in K]: L };

export interface StoredPerson<K extends string, L extends string> {
  person: Person<K, L>;
  version: number;
}

/** Table of people with whom things of one kind are shared. */
export interface SharingTable<K extends string> {
  table: string;
  /** Column with the id of the shared thing. */
  subject: string;
  /** Column with a person's rights. */
  rights: K;
  /** Maximum number of people with whom one thing is shared. */
  most: number;
}

type Row<K extends string, L extends string> = Omit<Person<K, L>, 'created_at' | 'updated_at'> & {
  created_at: Date;
  updated_at: Date;
  version: number;
};

/** People with whom events or applications are shared. The caller locks the row of the shared thing before changes. */
export class SharedWith<const K extends string, L extends string> {
  readonly #rights: K;
  readonly #most: number;
  readonly #table: RawBuilder<unknown>;
  readonly #subject: RawBuilder<unknown>;
  readonly #column: RawBuilder<unknown>;
  readonly #columns: RawBuilder<unknown>;

  constructor({ table, subject, rights, most }: SharingTable<K>) {
    this.#rights = rights;
    this.#most = most;
    this.#table = sql.table(table);
    this.#subject = sql.ref(subject);
    this.#column = sql.ref(rights);
    this.#columns = sql`id, email, ${this.#column}, created_at, updated_at, version`;
  }

  /** All people with whom a thing is shared, in order of invitation. */
  async list(db: Kysely<unknown>, subjectId: string): Promise<Person<K, L>[]> {
    const { rows } = await sql<Row<K, L>>`
      select ${this.#columns} from ${this.#table} where ${this.#subject} = ${subjectId} order by id`.execute(
      db,
    );
    return rows.map((row) => present(row).person);
  }

  /** Adds a person. Returns `full` if the maximum is reached, `there` if the thing is already shared with the address. */
  async add(
    transaction: Kysely<unknown>,
    subjectId: string,
    invitation: { email: string } & { [field in K]: L },
    now: Temporal.Instant,
  ): Promise<StoredPerson<K, L> | 'full' | 'there'> {
    const counted = await sql<{ count: number }>`
      select count(*)::integer as count from ${this.#table}
      where ${this.#subject} = ${subjectId}`.execute(transaction);
    if ((counted.rows[0]?.count ?? 0) >= this.#most) return 'full';
    const at = toParameter(now);
    const { rows } = await sql<Row<K, L>>`
      insert into ${this.#table} (id, ${this.#subject}, email, ${this.#column}, created_at, updated_at)
      values (${newId()}, ${subjectId}, ${invitation.email}, ${invitation[this.#rights]}, ${at}, ${at})
      on conflict (${this.#subject}, email) do nothing
      returning ${this.#columns}`.execute(transaction);
    return rows[0] ? present(rows[0]) : 'there';
  }

  /** Finds a person by id or mail address, and locks the row until the transaction ends. */
  async lock(
    transaction: Kysely<unknown>,
    subjectId: string,
    named: string,
  ): Promise<StoredPerson<K, L> | undefined> {
    const isNamed = isUuid(named) ? sql`id = ${named}` : sql`email = ${toStorableText(named).toLowerCase()}`;
    const { rows } = await sql<Row<K, L>>`
      select ${this.#columns} from ${this.#table}
      where ${this.#subject} = ${subjectId} and ${isNamed} for update`.execute(transaction);
    return rows[0] && present(rows[0]);
  }

  /** Changes the rights of a locked person. */
  async change(
    transaction: Kysely<unknown>,
    id: string,
    rights: L,
    now: Temporal.Instant,
  ): Promise<StoredPerson<K, L>> {
    const { rows } = await sql<Row<K, L>>`
      update ${this.#table} set ${this.#column} = ${rights}, updated_at = ${toParameter(now)}
      where id = ${id} returning ${this.#columns}`.execute(transaction);
    if (!rows[0]) throw new Error('the locked person is gone');
    return present(rows[0]);
  }

  async remove(transaction: Kysely<unknown>, id: string): Promise<void> {
    await sql`delete from ${this.#table} where id = ${id}`.execute(transaction);
  }
}

function present<K extends string, L extends string>(row: Row<K, L>): StoredPerson<K, L> {
  const { version, created_at, updated_at, ...person } = row;
  return {
    person: {
      ...person,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    } as unknown as Person<K, L>,
    version,
  };
}
