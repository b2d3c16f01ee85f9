import type { Kysely } from 'kysely';
import { Refusal } from '../../kernel/refusal.ts';
import type { EventWriter } from '../events/write.ts';
import { type AnsweredGuest, guestWithRsvp, saveAnswer } from '../guests/capacity/allocation.ts';
import { closedReason, readAnswer } from './input.ts';
import { messages } from './messages.ts';
import { entryOfAnswer, type GuestInvitation } from './store.ts';

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
  const { event } = invitation;
  return writer.enter(
    entryOfAnswer(invitation),
    async (write) => {
      const closed = closedReason(event, write.now);
      if (closed) throw new Refusal(409, 'closed', messages.closed[closed]);
      const stored = write.event.guest;
      const input = readAnswer(body, guestWithRsvp(stored), event);
      return saveAnswer(write, stored, input, { via: 'link', action: 'answered' });
    },
    through,
  );
}
