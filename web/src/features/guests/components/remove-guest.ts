import type { Guest } from 'simcha-client';
import { useNotify, useNotifyProblem } from '../../../components/notify.ts';
import { useNotifyWithAction } from '../../../components/notify-with-action.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useDeleteGuest, useRestoreGuest } from '../api/guests.ts';
import { words } from '../words.ts';

/** Returns a function that deletes a guest and offers to undo the deletion. */
export function useRemoveGuest(eventId: string): (guest: Guest) => void {
  const say = useWords(words);
  const notify = useNotify();
  const notifyProblem = useNotifyProblem();
  const offer = useNotifyWithAction();
  const remove = useDeleteGuest(eventId);
  const restore = useRestoreGuest(eventId);
  return ({ id }) => {
    const restored = { id, key: crypto.randomUUID() };
    const act = () => restore.mutateAsync(restored).then(() => notify(say('restored', { n: 1 })));
    remove
      .mutateAsync(id)
      .then(() => offer({ message: say('removed', { n: 1 }), action: say('undo'), act }), notifyProblem);
  };
}
