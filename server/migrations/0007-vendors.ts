import { type Kysely, sql } from 'kysely';

/** Vendors of an organizer, their bookings for an event, and the payments of a booking. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createVendors(db);
  await createBookings(db);
  await createBookingPayments(db);
}

async function createVendors(db: Kysely<unknown>): Promise<void> {
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
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3)
    )`.execute(db);
  await sql`
    create trigger vendors_next_version before update on vendors
    for each row execute function next_version()`.execute(db);
  await sql`create index vendors_by_name on vendors (organizer_id, name, id) where deleted_at is null`.execute(
    db,
  );
}

async function createBookings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bookings (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      -- Name for a booking without a vendor on the organizer's list.
      vendor_id uuid references vendors,
      vendor_name text not null check (vendor_name <> ''),
      status text not null default 'pending' check (status in ('pending', 'confirmed', 'cancelled')),
      price numeric(12, 2) check (price >= 0),
      -- Price of a plate, in addition to the price. Plates that are paid for: the number ordered, or else the number
      -- of people who come; at least the minimum.
      price_per_plate numeric(12, 2) check (price_per_plate >= 0),
      -- Price of a child's plate, instead of price_per_plate.
      price_per_child numeric(12, 2) check (price_per_child >= 0),
      plates integer check (plates > 0),
      minimum_plates integer check (minimum_plates > 0),
      deposit numeric(12, 2) check (deposit >= 0),
      starts_at timestamptz(3),
      ends_at timestamptz(3),
      note text,
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      check (
        price_per_plate is not null
        or (deposit <= price and price_per_child is null and plates is null and minimum_plates is null)
      ),
      check (ends_at > starts_at)
    )`.execute(db);
  await sql`
    create trigger bookings_next_version before update on bookings
    for each row execute function next_version()`.execute(db);
  await sql`create index bookings_by_event on bookings (event_id, id)`.execute(db);
  // Index for a vendor's bookings at all events, where times may overlap.
  await sql`create index bookings_by_vendor on bookings (vendor_id, event_id) where deleted_at is null`.execute(
    db,
  );
}

async function createBookingPayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table booking_payments (
      id uuid primary key,
      booking_id uuid not null references bookings on delete cascade,
      position smallint not null,
      amount numeric(12, 2) not null check (amount >= 0),
      due_date date,
      paid_date date,
      note text,
      unique (booking_id, position)
    )`.execute(db);
}
