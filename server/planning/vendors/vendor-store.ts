import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { pageOfRows } from '../../kernel/database/pages.ts';
import { assignColumns, insertWhere, selectColumns } from '../../kernel/database/rows.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { accessOf } from '../events/access.ts';
import { MOST_VENDORS, type Vendor } from './contract.ts';
import { type VendorInput, vendorFields } from './fields.ts';

export interface StoredVendor {
  vendor: Vendor;
  version: number;
  organizer_id: string;
}

type Row = Omit<Vendor, 'created_at' | 'updated_at'> & {
  created_at: Date;
  updated_at: Date;
  version: number;
  organizer_id: string;
};

const ownColumns = ['id', 'created_at', 'updated_at', 'version', 'organizer_id'];
const columns = selectColumns('vendors', [...ownColumns, ...Object.keys(vendorFields)], {
  kashrut_expiry_date: sql`to_char(kashrut_expiry_date, 'YYYY-MM-DD')`,
});

/** Adds a vendor of the caller; undefined if the caller has the maximum number of vendors. */
export async function addVendor(
  db: Kysely<unknown>,
  caller: Caller,
  input: VendorInput,
  now: Temporal.Instant,
): Promise<StoredVendor | undefined> {
  const row = { id: newId(), organizer_id: caller.id, ...input, created_at: now, updated_at: now };
  const isRoom = sql`
    (select count(*) from vendors where organizer_id = ${caller.id} and deleted_at is null) < ${MOST_VENDORS}`;
  const { rows } = await sql<Row>`${insertWhere('vendors', row, isRoom)} returning ${columns}`.execute(db);
  return rows[0] && present(rows[0]);
}

/** Page of the caller's vendors, ordered by name, and the number of all matching vendors. */
export async function listVendors(
  db: Kysely<unknown>,
  caller: Caller,
  kind: string | undefined,
  page: Page,
): Promise<{ vendors: Vendor[]; total: number }> {
  const mine = sql`organizer_id = ${caller.id} and deleted_at is null ${kind ? sql`and kind = ${kind}` : sql``}`;
  return pageOfVendors(db, mine, page);
}

/** Page of the vendors booked for an event, by name and of any organizer, and their total number. */
export async function listBookedVendors(
  db: Kysely<unknown>,
  eventId: string,
  page: Page,
): Promise<{ vendors: Vendor[]; total: number }> {
  const booked = sql`
    vendors.deleted_at is null and vendors.id in (
      select vendor_id from bookings where event_id = ${eventId} and bookings.deleted_at is null
    )`;
  return pageOfVendors(db, booked, page);
}

async function pageOfVendors(db: Kysely<unknown>, which: RawBuilder<unknown>, page: Page) {
  const source = { columns, from: sql`vendors where ${which}`, order: sql`name, id` };
  const { rows, total } = await pageOfRows<Row>(db, source, page);
  return { vendors: rows.map((row) => present(row).vendor), total };
}

/** True if a vendor is booked for an event that the caller may edit. */
export async function isBookedForEditor(db: Kysely<unknown>, id: string, caller: Caller): Promise<boolean> {
  const { rows } = await sql`
    select from bookings join events on events.id = bookings.event_id
    where bookings.vendor_id = ${id} and bookings.deleted_at is null and events.deleted_at is null
      and ${accessOf(caller)} in ('owner', 'edit')
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Finds a vendor of any organizer. With `lock` its row is locked until the transaction ends. */
export async function findVendor(
  db: Kysely<unknown>,
  id: string,
  lock = false,
): Promise<StoredVendor | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from vendors where id = ${id} and deleted_at is null
    ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0] && present(rows[0]);
}

export async function changeVendor(
  transaction: Kysely<unknown>,
  id: string,
  input: VendorInput,
  now: Temporal.Instant,
): Promise<StoredVendor> {
  const { rows } = await sql<Row>`
    update vendors set ${assignColumns({ ...input, updated_at: now })}
    where id = ${id} returning ${columns}`.execute(transaction);
  if (!rows[0]) throw new Error('the locked vendor is gone');
  return present(rows[0]);
}

/** Deletes a vendor softly: bookings of the vendor keep it. */
export async function removeVendor(
  transaction: Kysely<unknown>,
  id: string,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update vendors set deleted_at = ${toParameter(now)}, updated_at = ${toParameter(now)}
    where id = ${id}`.execute(transaction);
}

function present({ version, organizer_id, created_at, updated_at, ...row }: Row): StoredVendor {
  return {
    vendor: { ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
    version,
    organizer_id,
  };
}
