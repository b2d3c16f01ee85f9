import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../../kernel/database/transaction.ts';
import { newId } from '../../../kernel/identifiers.ts';
import { guestFields, NO_DETAILS } from '../fields.ts';
import { guestParameters } from '../rows.ts';
import type { ImportStep } from './plan.ts';

/** Step of an import that writes a guest. */
export type WritingStep = Extract<ImportStep, { action: 'create' | 'update' }>;
/** Step of an import, with the id of the guest that the step writes. */
export type StagedStep = WritingStep & { id: string };

/** Columns of a guest's row that an import writes, with their SQL types. */
const FIELDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(guestFields).map(([field, { column }]) => [field, column])),
  rsvp_status: 'text',
  maybe: 'boolean',
  coming: 'integer',
  coming_children: 'integer',
  waiting_since: 'timestamptz',
  waiting_order: 'integer',
  answered_at: 'timestamptz',
  answered_via: 'text',
};
/** SQL list of the columns that an import writes, each formatted by `form`. */
const eachField = (form: (field: string, type: string) => string) =>
  sql.raw(
    Object.entries(FIELDS)
      .map(([field, type]) => form(field, type))
      .join(', '),
  );
const fieldNames = eachField((field) => field);
/** Forms of a guest's names and numbers for order and search, which the staging table computes where they are null. */
const FORMS = ['search', 'search_words', 'search_joined', 'name_key', 'member_words', 'member_joined'];
const eachForm = (write: (form: string) => string) => sql.raw(FORMS.map(write).join(', '));
const formNames = eachForm((form) => form);
/** Columns from which the forms are computed. */
const formSources = (row: string) =>
  sql.raw(
    `row(${['name', 'phone', 'other_phones', 'members'].map((column) => `${row}.${column}`).join(', ')})`,
  );
const fieldTypes = eachField((field, type) => `${field} ${type}`);

/** Default values of a new guest's columns, if the file has no value; the other columns are null. */
const UNSAID: Readonly<Record<string, unknown>> = {
  ...NO_DETAILS,
  rsvp_status: 'pending',
  maybe: false,
  coming: 0,
  coming_children: 0,
};
const isUnsaid = (field: string, value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : value === (UNSAID[field] ?? null);
const unsaidParameters = guestParameters(UNSAID);
const saidOrUnsaid = sql.join(
  Object.entries(FIELDS).map(([field, type]) => {
    const unsaid = unsaidParameters[field] ?? null;
    return unsaid === null
      ? sql.ref(field)
      : sql`coalesce(${sql.ref(field)}, ${toParameter(unsaid)}::${sql.raw(type)})`;
  }),
);

/**
 * Values of the staged row: all of them for a new guest, only the changed ones for a guest who is already on the list.
 */
function rowOf({ action, id, details, answer }: StagedStep): object {
  const values = Object.entries({ ...details, ...answer })
    .filter(([field, value]) => field in FIELDS && (action === 'update' || !isUnsaid(field, value)))
    .map(([field, value]) => [field, toParameter(value)] as const);
  return { id, ...Object.fromEntries(values) };
}

/** Staged rows of one import: the guests as they will be, until all of them are written at once. */
export class Staging {
  readonly id = newId();
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  async put(steps: readonly StagedStep[]): Promise<void> {
    if (steps.length === 0) return;
    const jsonOf = (action: StagedStep['action']): string =>
      JSON.stringify(steps.filter((step) => step.action === action).map(rowOf));
    // Columns for which the file has no value keep the values of the stored guest.
    await sql`
      insert into staged_guests (import_id, is_new, id, ${fieldNames}, ${formNames})
      select ${this.id}::uuid, true, id, ${saidOrUnsaid}, ${eachForm(() => 'null')}
      from json_to_recordset(${jsonOf('create')}::json) as given (id uuid, ${fieldTypes})
      union all
      select ${this.id}::uuid, false, filled.id, ${eachField((field) => `filled.${field}`)},
        ${eachForm((form) => `same.${form}`)}
      from json_array_elements(${jsonOf('update')}::json) as given (guest)
      join guests stored on stored.id = (given.guest ->> 'id')::uuid
      cross join lateral json_populate_record(stored, given.guest) as filled
      left join lateral (select stored.*) same on ${formSources('filled')} is not distinct from ${formSources('stored')}`.execute(
      this.#db,
    );
  }

  async clear(): Promise<void> {
    await sql`delete from staged_guests where import_id = ${this.id}`.execute(this.#db);
  }
}

/** Deletes staged rows of imports whose server stopped before clearing them. No import takes an hour. */
export async function deleteStaleStaging(db: Kysely<unknown>): Promise<void> {
  await sql`delete from staged_guests where staged_at < clock_timestamp() - interval '1 hour'`.execute(db);
}

/**
 * Writes the guests of an import from their staged rows; returns their number. One statement writes all of them, because
 * its triggers run at its end: only these need the event's lock, to change its counts.
 */
export async function writeStaged(
  db: Kysely<unknown>,
  eventId: string,
  importId: string,
  now: Temporal.Instant,
): Promise<number> {
  const { rows } = await sql<{ written: number }>`
    with inserted as (
      insert into guests (id, event_id, ${fieldNames}, ${formNames}, created_at, updated_at)
      select id, ${eventId}::uuid, ${fieldNames}, ${formNames}, ${toParameter(now)}::timestamptz, ${toParameter(now)}::timestamptz
      from staged_guests where import_id = ${importId} and is_new
      returning 1
    ), updated as (
      update guests set ${eachField((field) => `${field} = staged.${field}`)},
        ${eachForm((form) => `${form} = staged.${form}`)}, updated_at = ${toParameter(now)}::timestamptz
      from staged_guests staged
      where staged.import_id = ${importId} and not staged.is_new and guests.id = staged.id
      returning 1
    )
    select (select count(*) from inserted)::integer + (select count(*) from updated)::integer as written`.execute(
    db,
  );
  return rows[0]?.written ?? 0;
}
