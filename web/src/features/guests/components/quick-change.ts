import { useQueryClient } from '@tanstack/react-query';
import { type Guest, type GuestChanges, SimchaError } from 'simcha-client';
import { useNotifyProblem, useNotifySentence } from '../../../components/notify.ts';
import { useNotifyWithAction } from '../../../components/notify-with-action.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { showGuest, useChangeGuest } from '../api/guests.ts';
import { words } from '../words.ts';

type Warned = { guest: Guest; warnings: readonly { code: string; message: string }[] };

/**
 * Notifies the user that a confirmed guest did not get all places, and offers to give the missing places beyond the
 * event's limit. `sent` is the change that the user sent, with the number of people.
 */
export function useNotifyShortage(eventId: string): (saved: Warned, sent?: GuestChanges) => void {
  const say = useWords(words);
  const notifySentence = useNotifySentence();
  const offer = useNotifyWithAction();
  const change = useChangeGuest(eventId);
  return ({ guest, warnings }, sent) => {
    const { name, coming } = guest;
    const seat = (people?: number) => {
      const body = { rsvp_status: 'confirmed', over_limit: true, ...(people && { coming: people }) } as const;
      return change.mutateAsync({ guest, body });
    };
    for (const { code, message } of warnings) {
      if (code === 'waits') {
        const act = () => seat();
        offer({ message: say('waitsNow', { name }), action: say('seatAnyway'), act });
      } else if (code === 'fewer') {
        const act = () => seat(sent?.coming ?? Math.max(guest.party_size, coming));
        offer({ message: say('fewerNow', { name, coming }), action: say('seatAnyway'), act });
      } else notifySentence(message);
    }
  };
}

export type QuickChange = (guest: Guest, body: GuestChanges, shown: Partial<Guest>) => void;

/**
 * Changes one field of a guest in the list: the change is shown at once, and taken back if the server refuses it. The
 * hook belongs to the list, not to a row, which may be scrolled away before the response.
 */
export function useQuickChange(eventId: string): QuickChange {
  const say = useWords(words);
  const { language } = useLanguage();
  const notifyProblem = useNotifyProblem();
  const offer = useNotifyWithAction();
  const queries = useQueryClient();
  const change = useChangeGuest(eventId);
  const notifyShortage = useNotifyShortage(eventId);
  return function quickly(guest, body, shown) {
    showGuest(queries, { ...guest, ...shown });
    change.mutateAsync({ guest, body }).then(
      (saved) => notifyShortage(saved, body),
      (error) => {
        showGuest(queries, guest);
        const { complaint } = problemOf(error, language);
        if (error instanceof SimchaError && error.code === 'full') {
          const act = () => quickly(guest, { ...body, over_limit: true }, shown);
          offer({ message: complaint, action: say('seatAnyway'), act });
        } else notifyProblem(error);
      },
    );
  };
}
