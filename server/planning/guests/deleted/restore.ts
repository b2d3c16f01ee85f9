import { insertJsonRows } from '../../../kernel/database/rows.ts';
import { toParameter } from '../../../kernel/database/transaction.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { EventWrite } from '../../events/write.ts';
import { validAnswers } from '../../questions/answers.ts';
import { listQuestions } from '../../questions/store.ts';
import { type AnsweredGuest, saveAnswer } from '../capacity/allocation.ts';
import { refuseTakenContacts } from '../contacts.ts';
import { messages } from '../messages.ts';
import { findGuest, requireGuest } from '../rows.ts';
import { restoreRelatedRows, takeDeletedGuest } from './store.ts';

/**
 * Restores a deleted guest with their links and the record of their messages. Places that other guests got since are
 * not taken back from them: if the guest had said yes, the yes is requested anew, as if it were given now.
 */
export async function restoreGuest(write: EventWrite, id: string): Promise<AnsweredGuest> {
  const { transaction, event, now } = write;
  const deleted = await takeDeletedGuest(write, id);
  if (!deleted) throw new Refusal(404, 'not_found', messages.notDeleted);
  const { rsvp_status, coming, coming_children, waiting_since, waiting_order, version, answered_via } =
    deleted.guest;
  const saidYes = rsvp_status === 'confirmed' || waiting_order !== null;
  const placeless = saidYes && {
    rsvp_status: 'pending',
    coming: 0,
    coming_children: 0,
    waiting_since: null,
    waiting_order: null,
  };
  const answers = validAnswers(await listQuestions(transaction, event.id), deleted.guest.answers);
  const row = { ...deleted.guest, answers, ...placeless, version: version + 1, updated_at: toParameter(now) };
  await refuseTakenContacts(transaction, event.id, id, row);
  await insertJsonRows(transaction, 'guests', [row]);
  await restoreRelatedRows(transaction, deleted);
  const stored = requireGuest(await findGuest(transaction, event.id, id));
  const answer = saidYes ? { rsvp_status: 'confirmed' as const, coming, coming_children } : undefined;
  return saveAnswer(
    write,
    stored,
    { details: { members: stored.guest.members }, answer },
    { via: answered_via ?? 'organizer', action: 'restored' },
    // Guest as they were before the deletion: the history records how the restored guest differs from them. The row
    // inserted above, which has no place at the event, can be seen within this transaction only.
    {
      ...stored.guest,
      rsvp_status,
      coming,
      coming_children,
      answers: deleted.guest.answers,
      waiting_since: waiting_since && new Date(waiting_since).toISOString(),
    },
  );
}
