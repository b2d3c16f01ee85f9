import { type Kysely, sql } from 'kysely';
import { selectColumns, upsertInto } from '../../kernel/database/rows.ts';
import { emptyOf, readGiven, type ValuesOf } from '../../kernel/field-types.ts';
import { fieldsAmong, invalidField } from '../../kernel/fields.ts';
import { randomText } from '../../kernel/random.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import type { RequestedWrite } from '../events/write.ts';
import { RsvpSettings } from './contract.ts';
import { releaseHolds } from './expired-confirmations.ts';
import { settingsFields } from './fields.ts';
import { messages } from './messages.ts';

interface Stored extends Omit<ValuesOf<typeof settingsFields>, 'answer_until'> {
  answer_until: Date | null;
  version: number;
}

/** Default settings for answers to an event. Their version is 0, which becomes their ETag. */
const DEFAULT_SETTINGS: Stored = { ...emptyOf(settingsFields), answer_until: null, version: 0 };

const columns = selectColumns('rsvp_settings', [...Object.keys(settingsFields), 'version']);

/** Reads the settings for answers to an event, and the version of these settings. */
export async function readSettings(db: Kysely<unknown>, eventId: string, publicUrl: string) {
  const stored = await find(db, eventId);
  return { settings: presentSettings(stored, publicUrl), version: stored.version };
}

export async function changeSettings(write: RequestedWrite, body: unknown, publicUrl: string) {
  const { transaction, event, now, note, unchanged } = write;
  const before = await find(transaction, event.id);
  const changes = readGiven(settingsFields, fieldsAmong(RsvpSettings.properties, body));
  if (changes.answer_until) await refuseTooLate(transaction, event.id, changes.answer_until);
  unchanged(before.version);
  const { version: _, ...current } = before;
  const decided = { ...current, ...changes };
  const slug = changes.slug ?? before.slug ?? (decided.open ? madeUpSlug() : null);
  const next = { ...decided, slug };
  const isNew = changesBetween(before, next) !== undefined;
  const after = isNew ? await store(transaction, event.id, next, now) : before;
  const settings = presentSettings(after, publicUrl);
  note('rsvp_settings', null, 'changed', changesBetween(presentSettings(before, publicUrl), settings));
  if (acceptsByLink(before) && !acceptsByLink(after)) await releaseHolds(write);
  return { settings, version: after.version };
}

/** True if people who come through the open link are accepted automatically, so that places are held for them. */
function acceptsByLink({ open, accept_by_itself }: Stored): boolean {
  return open && accept_by_itself;
}

function presentSettings({ version: _, ...settings }: Stored, publicUrl: string): RsvpSettings {
  const { answer_until, open, slug } = settings;
  return {
    ...settings,
    answer_until: answer_until?.toISOString() ?? null,
    open_url: open && slug ? `${publicUrl}/e/${slug}` : null,
  };
}

const SLUG_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * Makes a slug (the end of an open link's address) of ten characters without look-alikes, short enough to print on an
 * invitation.
 */
function madeUpSlug(): string {
  return randomText(10, SLUG_LETTERS);
}

async function refuseTooLate(transaction: Kysely<unknown>, eventId: string, until: string): Promise<void> {
  const { rows } = await sql<{ late: boolean }>`
    select ${until}::timestamptz > event_date as late from events where id = ${eventId}`.execute(transaction);
  if (rows[0]?.late) throw invalidField('answer_until', messages.tooLate);
}

async function find(db: Kysely<unknown>, eventId: string): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select ${columns} from rsvp_settings where event_id = ${eventId}`.execute(db);
  return rows[0] ?? DEFAULT_SETTINGS;
}

async function store(
  transaction: Kysely<unknown>,
  eventId: string,
  settings: object,
  now: Temporal.Instant,
): Promise<Stored> {
  try {
    const row = { ...settings, updated_at: now };
    await upsertInto('rsvp_settings', { event_id: eventId }, row).execute(transaction);
    return await find(transaction, eventId);
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'rsvp_settings_slug_key') throw error;
    throw new Refusal(409, 'taken', messages.slugTaken, { field: 'slug' });
  }
}
