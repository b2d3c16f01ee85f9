import { randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { parameter } from '../../kernel/database/transaction.ts';
import { dateTime, FieldProblem, fieldsOf, isBlank } from '../../kernel/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween, recordChange } from '../../kernel/writes/history.ts';
import { authorOf, readableEvent, writableEvent } from '../events/access.ts';
import type { RsvpSettings } from './contract.ts';
import { messages } from './messages.ts';

interface Stored {
  answer_until: Date | null;
  open: boolean;
  slug: string | null;
  version: number;
}

/** What holds for an event whose organizer decided nothing; version 0 is the ETag of that. */
const UNDECIDED: Stored = { answer_until: null, open: false, slug: null, version: 0 };

export interface SettingsChanges {
  answer_until?: Temporal.Instant | null;
  open?: boolean;
  slug?: string;
}

export type SettingsStore = ReturnType<typeof createSettingsStore>;

export function createSettingsStore(db: Kysely<unknown>, publicUrl: string) {
  const shown = ({ answer_until, open, slug }: Stored): RsvpSettings => ({
    answer_until: answer_until?.toISOString() ?? null,
    open,
    slug,
    open_url: open && slug ? `${publicUrl}/e/${slug}` : null,
  });

  return {
    async read(caller: Caller, eventId: string) {
      const event = await readableEvent(db, caller, eventId);
      const stored = await find(db, event.id);
      return { settings: shown(stored), version: stored.version };
    },

    change(
      caller: Caller,
      eventId: string,
      changes: () => SettingsChanges,
      now: Temporal.Instant,
      unchanged: (version: number) => void,
    ) {
      return db.transaction().execute(async (transaction) => {
        const event = await writableEvent(transaction, caller, eventId);
        const before = await find(transaction, event.id);
        const { answer_until = before.answer_until, open = before.open, slug = before.slug } = changes();
        await refuseTooLate(transaction, event.id, answer_until);
        unchanged(before.version);
        const after = await store(transaction, event.id, {
          answer_until,
          open,
          slug: slug ?? (open ? madeUpSlug() : null),
          now,
        });
        const differences = changesBetween(shown(before), shown(after));
        if (differences) {
          await recordChange(transaction, {
            event_id: event.id,
            at: now,
            by: authorOf(caller),
            subject: 'rsvp_settings',
            subject_id: null,
            action: 'changed',
            changes: differences,
          });
        }
        return { settings: shown(after), version: after.version };
      });
    },
  };
}

/** What a body changes. Throws for the first thing that does not fit. */
export function readSettingsChanges(body: unknown): SettingsChanges {
  const { answer_until, open, slug } = fieldsOf(body);
  return {
    ...(answer_until !== undefined && {
      answer_until: isBlank(answer_until) ? null : dateTime('answer_until', answer_until, DEFAULT_ZONE),
    }),
    ...(open !== undefined && { open: yesOrNo(open) }),
    ...(slug !== undefined && slug !== null && { slug: slugOf(slug) }),
  };
}

function yesOrNo(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new FieldProblem('open', { kind: 'yes_or_no' });
  return value;
}

function slugOf(value: unknown): string {
  const fits = typeof value === 'string' && value.length >= 3 && value.length <= 60;
  if (!fits || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(value)) {
    throw new Refusal(400, 'invalid_field', messages.slugForm);
  }
  return value;
}

const SLUG_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Ten letters without look-alikes: short enough to print on an invitation. */
function madeUpSlug(): string {
  return Array.from({ length: 10 }, () => SLUG_LETTERS[randomInt(SLUG_LETTERS.length)]).join('');
}

async function refuseTooLate(
  transaction: Kysely<unknown>,
  eventId: string,
  until: Date | Temporal.Instant | null,
): Promise<void> {
  if (!(until instanceof Temporal.Instant)) return;
  const { rows } = await sql<{ late: boolean }>`
    select ${parameter(until)}::timestamptz > event_date as late from events where id = ${eventId}`.execute(
    transaction,
  );
  if (rows[0]?.late) throw new Refusal(400, 'invalid_field', messages.tooLate);
}

async function find(db: Kysely<unknown>, eventId: string): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select answer_until, open, slug, version from rsvp_settings where event_id = ${eventId}`.execute(db);
  return rows[0] ?? UNDECIDED;
}

async function store(
  transaction: Kysely<unknown>,
  eventId: string,
  values: {
    answer_until: Date | Temporal.Instant | null;
    open: boolean;
    slug: string | null;
    now: Temporal.Instant;
  },
): Promise<Stored> {
  const { answer_until, open, slug, now } = values;
  try {
    const { rows } = await sql<Stored>`
      insert into rsvp_settings (event_id, answer_until, open, slug, updated_at)
      values (${eventId}, ${parameter(answer_until)}, ${open}, ${slug}, ${parameter(now)})
      on conflict (event_id) do update set
        answer_until = excluded.answer_until, open = excluded.open, slug = excluded.slug,
        updated_at = excluded.updated_at, version = rsvp_settings.version + 1
      returning answer_until, open, slug, version`.execute(transaction);
    return rows[0] ?? UNDECIDED;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'rsvp_settings_slug_key') throw error;
    throw new Refusal(409, 'taken', messages.slugTaken);
  }
}
