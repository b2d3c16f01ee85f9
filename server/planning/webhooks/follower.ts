import { sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { Change } from '../../kernel/writes/history.ts';
import { EVENT_KINDS, type EventKind } from '../../webhooks/kinds.ts';
import { type Listener, MOST_DATA_BYTES, type NewMessage, queueMessages } from '../../webhooks/outbox.ts';
import { findEventListeners } from '../events/listeners.ts';
import { findAnyEvent } from '../events/store.ts';
import type { EventWrite, FactReader, Follower } from '../events/write.ts';
import type { Guest } from '../guests/contract.ts';
import { findGuests, guestFor } from '../guests/rows.ts';
import { findRoundBasics } from '../rounds/store.ts';
import { kindOfLine } from './kind-of-line.ts';

type Write = EventWrite<{ id: string }>;
/** Change of an event of which webhooks receive a message. */
interface Occurrence {
  kind: EventKind;
  line: Change;
}

/** Largest number of guests in one message. */
export const MOST_GUESTS = 100;

/** Webhooks that receive messages about an event, of any kind. */
export const readListeners: FactReader<Listener[]> = (transaction, eventId) =>
  findEventListeners(transaction, eventId, EVENT_KINDS);

/**
 * Follower that queues messages to webhooks, in the transaction of each change of an event. A change of many guests is
 * told in messages of up to `MOST_GUESTS` guests each.
 */
export const queueWebhookMessages: Follower<Listener[]> = async (write, lines, listeners) => {
  if (listeners.length === 0) return;
  const occurrences = lines.flatMap((line) => kindsOf(line).map((kind) => ({ kind, line })));
  const heard = occurrences.filter(({ kind }) => listeners.some((one) => one.kinds.includes(kind)));
  if (heard.length === 0) return;
  const { transaction, event, now } = write;
  const messages = await describe(write, heard);
  await queueMessages(transaction, { event: event.id }, listeners, messages, now);
};

/** Kinds of messages about a line of history. An import is one line, and may have added and changed guests. */
function kindsOf(line: Change): EventKind[] {
  if (line.subject === 'guest' && line.action === 'imported') return ['guest.added', 'guest.changed'];
  const kind = kindOfLine(line);
  return kind ? [kind] : [];
}

async function describe(write: Write, occurrences: readonly Occurrence[]): Promise<NewMessage[]> {
  const { transaction, event } = write;
  const eventLines = occurrences.filter(({ line }) => line.subject === 'event');
  const state = eventLines.length > 0 ? await findAnyEvent(transaction, event.id) : undefined;
  const messages: NewMessage[] = eventLines.map(({ kind, line: { changes } }) => ({
    kind,
    data: { event: state, ...(changes && { changes }) },
  }));
  for (const { kind, line } of occurrences) {
    if (line.subject !== 'round' || line.subject_id === null) continue;
    const round = await findRoundBasics(transaction, event.id, line.subject_id);
    messages.push({ kind, data: { event_id: event.id, round } });
  }
  return [...messages, ...(await describeGuests(write, occurrences))];
}

async function describeGuests(write: Write, occurrences: readonly Occurrence[]): Promise<NewMessage[]> {
  const { transaction, event } = write;
  const idsByKind = new Map<EventKind, Set<string>>();
  for (const { kind, line } of occurrences) {
    if (line.subject !== 'guest') continue;
    const ids = line.subject_id === null ? await importedIds(write, kind) : [line.subject_id];
    idsByKind.set(kind, new Set([...(idsByKind.get(kind) ?? []), ...ids]));
  }
  const event_id = event.id;
  const messages: NewMessage[] = [];
  for (const [kind, ids] of idsByKind) {
    if (kind === 'guest.removed') {
      for (const guest_ids of chunksOf([...ids])) messages.push({ kind, data: { event_id, guest_ids } });
      continue;
    }
    for (const some of chunksOf([...ids])) {
      const guests = [...(await findGuests(transaction, event_id, some)).values()];
      for (const group of groupsOf(guests)) messages.push(guestMessage(kind, event_id, group));
    }
  }
  return messages;
}

function guestMessage(kind: EventKind, event_id: string, guests: readonly Guest[]): NewMessage {
  const hidden = guests.map((guest) => guestFor({ contacts: false }, guest));
  return {
    kind,
    data: { event_id, guests },
    dataWithoutContacts: { event_id, guests: hidden },
  };
}

/** Guests whom an import added or changed in this transaction: it writes all their rows with the time of the write. */
async function importedIds({ transaction, event, now }: Write, kind: EventKind): Promise<string[]> {
  const at = sql`${toParameter(now)}::timestamptz`;
  const isNew = kind === 'guest.added' ? sql`created_at = ${at}` : sql`created_at < ${at}`;
  const { rows } = await sql<{ id: string }>`
    select id from guests where event_id = ${event.id} and updated_at = ${at} and ${isNew} order by id`.execute(
    transaction,
  );
  return rows.map(({ id }) => id);
}

function chunksOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / MOST_GUESTS) }, (_, index) =>
    ids.slice(index * MOST_GUESTS, (index + 1) * MOST_GUESTS),
  );
}

/** Splits guests into groups that fit into a message each. */
function groupsOf(guests: readonly Guest[]): Guest[][] {
  const groups: Guest[][] = [];
  let room = 0;
  for (const guest of guests) {
    const bytes = Buffer.byteLength(JSON.stringify(guest)) + 1;
    if (groups.length === 0 || bytes > room) {
      groups.push([]);
      room = MOST_DATA_BYTES / 2;
    }
    groups.at(-1)?.push(guest);
    room -= bytes;
  }
  return groups;
}
