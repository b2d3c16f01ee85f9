import { type Kysely, sql } from 'kysely';

/**
 * Tables that both sides of the product use: stored responses to idempotent requests, and mails and texts that wait to
 * be sent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createVersions(db);
  await createDatabaseKey(db);
  await createIdempotencyKeys(db);
  await createMails(db);
  await createMailSenders(db);
  await createTexts(db);
}

/** Version of a row, from which its ETag is made. A trigger raises it, so that no statement can forget to. */
async function createVersions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function next_version() returns trigger language plpgsql as $$
    begin
      new.version := old.version + 1;
      return new;
    end $$`.execute(db);
}

/** Key that encrypts secrets in other tables, itself encrypted with ENCRYPTION_KEY (kernel/encryption.ts). */
async function createDatabaseKey(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table database_key (
      is_the_one boolean primary key default true check (is_the_one),
      sealed text not null
    )`.execute(db);
}

/** Responses that are repeated when a request comes again with the same Idempotency-Key. */
async function createIdempotencyKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      caller text not null,
      key text not null,
      fingerprint text not null,
      -- Id of the answer's subject: the answer is deleted when the subject's data is erased.
      about text,
      status smallint not null,
      -- Type json keeps the text of the answer; jsonb would reorder its members.
      headers json not null,
      body json,
      -- Encrypted body, for an answer that contains a secret.
      body_sealed text check (body is null or body_sealed is null),
      created_at timestamptz(3) not null,
      primary key (caller, key)
    )`.execute(db);
  await sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`.execute(db);
  await sql`create index idempotency_keys_about on idempotency_keys (about) where about is not null`.execute(
    db,
  );
}

async function createMails(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id uuid primary key,
      -- Name that the sender gives a mail: a second mail with the same key is not sent.
      key text unique check (key <> ''),
      status text not null default 'queued' check (status in ('queued', 'asked', 'unknown', 'sent', 'refused')),
      -- Encrypted text, deleted once the mail has gone: it contains addresses and codes.
      content text check ((content is null) = (status not in ('queued', 'asked'))),
      -- Code with parameters, never a sentence.
      problem jsonb,
      -- Id of the organizer or user who causes the mail.
      sender text check (sender <> ''),
      -- Id of the event that the mail is about.
      topic uuid,
      -- Keyed hash of the recipient's mailbox.
      mailbox bytea check (length(mailbox) = 32),
      -- Keyed hash of the network from which a visitor requested the mail, with another key for each sender.
      network bytea check (length(network) = 32),
      urgency text not null default 'ordinary'
        check (urgency in ('ordinary', 'requested', 'service', 'cancellation')),
      created_at timestamptz(3) not null,
      due_at timestamptz(3) not null,
      settled_at timestamptz(3) check ((settled_at is null) = (status in ('queued', 'asked'))),
      -- True until a job is created for the mail.
      waits boolean not null default false check (not waits or status = 'queued')
    )`.execute(db);
  await sql`create index mails_by_settling on mails (settled_at) where settled_at is not null`.execute(db);
  await sql`create index mails_not_settled on mails (status) where settled_at is null`.execute(db);
  await sql`create index mails_that_wait on mails (due_at) where waits`.execute(db);
  await sql`create index mails_by_mailbox on mails (mailbox, due_at)`.execute(db);
  await sql`create index mails_by_sender on mails (sender, due_at) where sender is not null`.execute(db);
  await sql`
    create index mails_by_sender_settled on mails (sender, settled_at)
    where sender is not null and settled_at is not null`.execute(db);
  // Refused mails are searched by prefixes of keys. Collation C makes a prefix a range, whatever the database's locale.
  await sql`
    create index mails_refused on mails (key collate "C") include (id) where status = 'refused'`.execute(db);
}

/** Senders whose mail was stopped, or released by the operator. */
async function createMailSenders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_senders (
      sender text primary key check (sender <> ''),
      stopped_at timestamptz(3),
      stopped_because text check (stopped_because in ('refused', 'complaint', 'operator')),
      -- Last time the operator released the sender; refusals before it no longer count.
      released_at timestamptz(3),
      check ((stopped_because is null) = (stopped_at is null))
    )`.execute(db);
}

/** SMS and WhatsApp messages; columns of the same names mean the same as those of mails. */
async function createTexts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table texts (
      id uuid primary key,
      key text not null unique check (key <> ''),
      channel text not null check (channel in ('sms', 'whatsapp')),
      -- Organizer whose daily limit the text counts against.
      on_behalf_of text not null check (on_behalf_of <> ''),
      status text not null default 'queued'
        check (status in ('queued', 'asked', 'unknown', 'sent', 'refused', 'delivered', 'read')),
      content text check ((content is null) = (status not in ('queued', 'asked'))),
      problem jsonb,
      created_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index texts_by_whom on texts (on_behalf_of, created_at)`.execute(db);
  await sql`create index texts_by_age on texts (created_at)`.execute(db);
  await sql`
    create index texts_refused on texts (key collate "C") include (id) where status = 'refused'`.execute(db);
}
