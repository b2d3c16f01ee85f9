import { type Kysely, sql } from 'kysely';
import { parameter } from '../../kernel/database/transaction.ts';
import { fieldsOf, invalidField } from '../../kernel/fields.ts';
import { randomText } from '../../kernel/random.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { readGiven } from '../../kernel/takes.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import type { RequestedWrite } from '../events/write.ts';
import type { RsvpSettings } from './contract.ts';
import { settingsFields } from './fields.ts';
import { messages } from './messages.ts';

interface Stored {
  answer_until: Date | null;
  open: boolean;
  slug: string | null;
  version: number;
}

/** What holds for an event whose organizer decided nothing; version 0 is the ETag of that. */
const UNDECIDED: Stored = { answer_until: null, open: false, slug: null, version: 0 };

/** What an event's organizer decided about answering, and its version. */
export async function readSettings(db: Kysely<unknown>, eventId: string, publicUrl: string) {
  const stored = await find(db, eventId);
  return { settings: shown(stored, publicUrl), version: stored.version };
}

export async function changeSettings(
  { transaction, event, now, note, unchanged }: RequestedWrite,
  body: unknown,
  publicUrl: string,
) {
  const before = await find(transaction, event.id);
  const changes = readGiven(settingsFields, fieldsOf(body));
  if (changes.answer_until) await refuseTooLate(transaction, event.id, changes.answer_until);
  unchanged(before.version);
  const { answer_until = before.answer_until, open = before.open } = changes;
  const slug = changes.slug ?? before.slug ?? (open ? madeUpSlug() : null);
  const wanted = { answer_until, open, slug };
  const isNew = changesBetween(before, wanted) !== undefined;
  const after = isNew ? await store(transaction, event.id, wanted, now) : before;
  const settings = shown(after, publicUrl);
  note('rsvp_settings', null, 'changed', changesBetween(shown(before, publicUrl), settings));
  return { settings, version: after.version };
}

function shown({ answer_until, open, slug }: Stored, publicUrl: string): RsvpSettings {
  return {
    answer_until: answer_until?.toISOString() ?? null,
    open,
    slug,
    open_url: open && slug ? `${publicUrl}/e/${slug}` : null,
  };
}

const SLUG_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Ten letters without look-alikes: short enough to print on an invitation. */
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
    select answer_until, open, slug, version from rsvp_settings where event_id = ${eventId}`.execute(db);
  return rows[0] ?? UNDECIDED;
}

/** Written out: no trigger counts this table's version. */
async function store(
  transaction: Kysely<unknown>,
  eventId: string,
  { answer_until, open, slug }: { answer_until: Date | string | null; open: boolean; slug: string | null },
  now: Temporal.Instant,
): Promise<Stored> {
  try {
    const { rows } = await sql<Stored>`
      insert into rsvp_settings (event_id, answer_until, open, slug, updated_at)
      values (${eventId}, ${answer_until}, ${open}, ${slug}, ${parameter(now)})
      on conflict (event_id) do update set
        answer_until = excluded.answer_until, open = excluded.open, slug = excluded.slug,
        updated_at = excluded.updated_at, version = rsvp_settings.version + 1
      returning answer_until, open, slug, version`.execute(transaction);
    return rows[0] ?? UNDECIDED;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'rsvp_settings_slug_key') throw error;
    throw new Refusal(409, 'taken', messages.slugTaken, { field: 'slug' });
  }
}
