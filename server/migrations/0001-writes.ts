import { type Kysely, sql } from 'kysely';

/** What every write leaves behind: a version of the row, the answer to a key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The version is the row's ETag. A trigger counts it, so that no statement can forget to.
  await sql`
    create function next_version() returns trigger language plpgsql as $$
    begin
      new.version := old.version + 1;
      return new;
    end $$`.execute(db);

  // What seals secrets in the tables, itself sealed by ENCRYPTION_KEY (kernel/encryption.ts).
  await sql`
    create table database_key (
      is_the_one boolean primary key default true check (is_the_one),
      sealed text not null
    )`.execute(db);

  // json keeps the answer's text as it was; jsonb would order its members anew. One with a secret in it is sealed.
  await sql`
    create table idempotency_keys (
      caller text not null,
      key text not null,
      fingerprint text not null,
      -- The id of what the answer tells of, to forget it by.
      about text,
      status smallint not null,
      headers json not null,
      body json,
      body_sealed text check (body is null or body_sealed is null),
      created_at timestamptz(3) not null,
      primary key (caller, key)
    )`.execute(db);
  await sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`.execute(db);
  await sql`create index idempotency_keys_about on idempotency_keys (about) where about is not null`.execute(
    db,
  );
}
