import { type Kysely, sql } from 'kysely';
import { addVersion } from './0030-writes.ts';

/** Vendors of an organizer, what a booking of one comes to, and when it is paid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table vendors (
      id uuid primary key,
      organizer_id text not null check (organizer_id <> ''),
      name text not null check (name <> ''),
      kind text not null check (kind <> ''),
      contact_name text,
      phone text,
      email text,
      kashrut_level text not null default 'none'
        check (kashrut_level in ('none', 'regular', 'mehadrin', 'chalav_yisrael')),
      kashrut_issuer text,
      kashrut_expiry_date date,
      note text,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3)
    )`.execute(db);
  await addVersion(db, 'vendors');
  await sql`create index vendors_by_name on vendors (organizer_id, name, id) where deleted_at is null`.execute(
    db,
  );

  await sql`
    alter table bookings
      add column vendor_id uuid references vendors,
      add column price numeric(12, 2) check (price >= 0),
      add column deposit numeric(12, 2) check (deposit >= 0),
      add column starts_at timestamptz(3),
      add column ends_at timestamptz(3),
      add column note text,
      add check (deposit <= price),
      add check (ends_at > starts_at)`.execute(db);

  await sql`
    create table booking_payments (
      booking_id uuid not null references bookings on delete cascade,
      position smallint not null,
      amount numeric(12, 2) not null check (amount >= 0),
      due_date date,
      paid_date date,
      note text,
      primary key (booking_id, position)
    )`.execute(db);
}
