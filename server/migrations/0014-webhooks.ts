import { type Kysely, sql } from 'kysely';

/** Users' webhook endpoints, the messages to them and their deliveries; mails about sites to their owners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createEndpoints(db);
  await createMessages(db);
  await createDeliveries(db);
  await createLanes(db);
  await createNotificationSettings(db);
}

async function createEndpoints(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_endpoints (
      id uuid primary key,
      account_id uuid not null references users on delete cascade,
      url text not null check (url ~ '^https?://'),
      description text not null default '',
      kinds text[] not null check (cardinality(kinds) > 0),
      -- Restriction to one application or one event.
      application_id uuid references applications on delete cascade,
      event_id uuid references events on delete cascade,
      enabled boolean not null default true,
      -- Reason why the server turned the endpoint off: it answered 410, or accepted nothing for days.
      disabled_reason text check (disabled_reason in ('gone', 'failing')),
      secret_sealed text not null,
      -- Secret before the last rotation, with which messages are also signed until previous_until.
      previous_secret_sealed text,
      previous_until timestamptz(3) check ((previous_until is null) = (previous_secret_sealed is null)),
      created_at timestamptz(3) not null,
      -- First failure since the last delivery that succeeded.
      failing_since timestamptz(3),
      check (num_nonnulls(application_id, event_id) <= 1),
      check (disabled_reason is null or not enabled)
    )`.execute(db);
  await sql`create index webhook_endpoints_by_account on webhook_endpoints (account_id, id)`.execute(db);
  await sql`
    create index webhook_endpoints_by_application on webhook_endpoints (application_id)
    where application_id is not null`.execute(db);
  await sql`
    create index webhook_endpoints_by_event on webhook_endpoints (event_id) where event_id is not null`.execute(
    db,
  );
}

/**
 * Messages, each stored once for all its endpoints. Events and applications are not referenced: the message about the
 * deletion of one remains.
 */
async function createMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_messages (
      id uuid primary key,
      kind text not null check (kind <> ''),
      -- Event or application that the message is about; for a test, the endpoint.
      subject_id uuid not null,
      is_event boolean not null,
      happened_at timestamptz(3) not null,
      data json not null,
      -- Data for people who may not see guests' contact details; null: the same.
      data_without_contacts json
    )`.execute(db);
  await sql`create index webhook_messages_by_time on webhook_messages (happened_at)`.execute(db);
  await sql`create index webhook_messages_by_subject on webhook_messages (subject_id)`.execute(db);
}

/** Messages to each endpoint, in the order in which they are delivered. */
async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_deliveries (
      number bigint generated always as identity primary key,
      endpoint_id uuid not null references webhook_endpoints on delete cascade,
      message_id uuid not null references webhook_messages on delete cascade,
      subject_id uuid not null,
      state text not null default 'waiting' check (state in ('waiting', 'succeeded', 'failed')),
      -- Code of the reason why the last try failed.
      problem text,
      tries integer not null default 0,
      -- Time up to which a failed try is repeated.
      give_up_at timestamptz(3) not null,
      tried_at timestamptz(3),
      status integer,
      -- First bytes of the answer.
      answer text,
      duration_ms integer,
      created_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, number)`.execute(db);
  await sql`create index webhook_deliveries_by_message on webhook_deliveries (message_id)`.execute(db);
  await sql`
    create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, subject_id, number)
    where state = 'waiting'`.execute(db);
}

/**
 * Lanes: an endpoint's waiting deliveries about one event or application, which are sent one after the other. A server
 * that sends them leases the lane.
 */
async function createLanes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_lanes (
      endpoint_id uuid not null references webhook_endpoints on delete cascade,
      subject_id uuid not null,
      -- Rises with each delivery that is added: a lane is deleted only if none was added meanwhile.
      version integer not null default 1,
      due_at timestamptz(3) not null,
      lease uuid,
      leased_until timestamptz(3) check ((leased_until is null) = (lease is null)),
      primary key (endpoint_id, subject_id)
    )`.execute(db);
  await sql`create index webhook_lanes_due on webhook_lanes (due_at)`.execute(db);
  await sql`
    create function announce_webhook() returns trigger language plpgsql as $$
    begin
      perform pg_notify('simcha_webhooks', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger webhook_lanes_announce after insert or update of version on webhook_lanes
    for each statement execute function announce_webhook()`.execute(db);
}

/** Mails that users get about their sites, and their language. A user without a row has the defaults. */
async function createNotificationSettings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notification_settings (
      account_id uuid primary key references users on delete cascade,
      language text not null check (language in ('he', 'ar', 'en')),
      deployment_failed boolean not null,
      site_down boolean not null,
      site_up boolean not null
    )`.execute(db);
  // Last mail about each environment, by its kind: a site that comes and goes causes one mail an hour.
  await sql`
    create table site_mails (
      environment_id uuid not null references environments on delete cascade,
      kind text not null check (kind in ('deployment_failed', 'site_down', 'site_up')),
      mailed_at timestamptz(3) not null,
      primary key (environment_id, kind)
    )`.execute(db);
}
