import { type Kysely, sql } from 'kysely';
import { formatEvent } from '../../kernel/http/event-stream.ts';
import { newestLine } from '../../kernel/writes/history.ts';
import { findRequests } from '../answers/open-link-store.ts';
import type { GuestReader } from '../events/access.ts';
import { findGuests, guestFor } from '../guests/rows.ts';

/** Names of the messages in the live stream of an event's changes. */
type MessageName = 'counts' | 'answer' | 'guest' | 'removed' | 'request' | 'changed';

/** Message in the live stream of an event's changes, with the number of the history line that it is about. */
export interface StreamMessage {
  id: number;
  text: string;
  /** Message for callers who see no contact details of guests; null if it is not for them. */
  textWithoutContacts: string | null;
}

/** Maximum number of history lines that are sent one by one. For more lines the client gets a single `changed`. */
export const MOST_MESSAGES = 500;

/**
 * Writes a message of the live stream. A client that reconnects sends the message's `id`, the number of its history
 * line, and receives what came after.
 */
export function formatMessage(name: MessageName, data: unknown, id: number): string {
  return formatEvent(JSON.stringify(data), { name, id });
}

export function changedMessage(id: number): StreamMessage {
  const text = formatMessage('changed', {}, id);
  return { id, text, textWithoutContacts: text };
}

/**
 * Reads the messages for an event's history after line `after`, in order, and the number of the last line (`head`).
 * Lines of one event get their numbers while its row is locked, so no line below `head` can appear later.
 */
export async function readStreamMessages(
  db: Kysely<unknown>,
  eventId: string,
  after: number,
): Promise<{ messages: StreamMessage[]; head: number }> {
  const { rows: lines } = await sql<Line>`
    select id::text, subject, subject_id, action,
      coalesce(changes ?| array['rsvp_status', 'coming', 'waiting_since', 'answered_at'], false) as answers
    from history where event_id = ${eventId} and id > ${after} order by history.id limit ${MOST_MESSAGES + 1}`.execute(
    db,
  );
  if (lines.length > MOST_MESSAGES) {
    const head = await newestLine(db, eventId);
    return { messages: [changedMessage(head)], head };
  }
  const of = (subject: string) =>
    lines.flatMap((line) => (line.subject === subject ? (line.subject_id ?? []) : []));
  const guests = await findGuests(db, eventId, of('guest'));
  const requests = await findRequests(db, eventId, of('guest_request'));

  const messageFor = (line: Line, reader: Pick<GuestReader, 'contacts'>): string | undefined => {
    const id = Number(line.id);
    const { subject, subject_id, action } = line;
    if (subject === 'guest_request') {
      if (subject_id === null) return formatMessage('changed', {}, id);
      const request = requests.get(subject_id ?? '');
      return request && reader.contacts ? formatMessage('request', { request }, id) : undefined;
    }
    if (subject !== 'guest') return undefined;
    // History lines about guests without a guest's id are about many guests at once: an import, an erasure.
    if (subject_id === null) return formatMessage('changed', {}, id);
    if (action === 'deleted') return formatMessage('removed', { guest_id: subject_id }, id);
    // A changed guest who no longer exists was deleted later, and the history line of the deletion tells clients so.
    const guest = guests.get(subject_id);
    if (!guest || action === 'link_revoked') return undefined;
    const answered =
      ANSWERS.has(action) || (action === 'created' ? guest.answered_at !== null : line.answers);
    return formatMessage(answered ? 'answer' : 'guest', { guest: guestFor(reader, guest) }, id);
  };
  const messages = lines.flatMap((line) => {
    const text = messageFor(line, { contacts: true });
    if (text === undefined) return [];
    return { id: Number(line.id), text, textWithoutContacts: messageFor(line, { contacts: false }) ?? null };
  });
  return { messages, head: Number(lines.at(-1)?.id ?? after) };
}

interface Line {
  id: string;
  subject: string;
  subject_id: string | null;
  action: string;
  /** True if the history line is about a change of a guest's answer. */
  answers: boolean;
}

const ANSWERS = new Set(['answered', 'accepted', 'moved_up']);
