import type { Kysely } from 'kysely';
import { Refusal } from '../../kernel/refusal.ts';
import type { EventWrite, EventWriter } from '../events/write.ts';
import { type AnsweredGuest, guestWithRsvp, saveAnswer } from '../guests/capacity/allocation.ts';
import { findGuest, requireGuest } from '../guests/rows.ts';
import { closedReason, readAnswer } from './input.ts';
import { messages } from './messages.ts';
import { entryByLink, type GuestInvitation } from './store.ts';

/**
 * Records a guest's answer by their personal link, sent as JSON or by the page's form. Throws a 409 if the event
 * accepts no more answers.
 */
export function submitAnswer(
  writer: EventWriter,
  invitation: GuestInvitation,
  body: unknown,
  through?: Kysely<unknown>,
): Promise<AnsweredGuest> {
  const { event, guest } = invitation;
  return writer.enter(
    entryByLink(invitation),
    async (write: EventWrite<{ id: string }>) => {
      const closed = closedReason(event, write.now);
      if (closed) throw new Refusal(409, 'closed', messages.closed[closed]);
      const stored = requireGuest(await findGuest(write.transaction, event.id, guest.id));
      const input = readAnswer(body, guestWithRsvp(stored), event);
      return saveAnswer(write, stored, input, { via: 'link', action: 'answered' });
    },
    through,
  );
}
