import { useState } from 'react';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { useTell } from '../../../components/tell.ts';
import { writeKept } from '../../../lib/kept.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { useAddGuest } from '../api/guests.ts';
import { words } from '../words.ts';
import { GuestForm } from './guest-form.tsx';
import { EMPTY_GUEST, type GuestValues, newGuestOf } from './guest-values.ts';
import { useSayShortage } from './quick-change.ts';

/** Somebody is put on the list, and the next one after them. */
export function NewGuest({
  eventId,
  isOpen,
  onClose,
}: {
  eventId: string;
  isOpen: boolean;
  onClose(): void;
}) {
  const say = useWords(words);
  return (
    <SideSheet title={say('newGuest')} opened={isOpen} onClose={onClose}>
      {isOpen && <NewGuestForm eventId={eventId} onClose={onClose} />}
    </SideSheet>
  );
}

function NewGuestForm({ eventId, onClose }: { eventId: string; onClose(): void }) {
  const say = useWords(words);
  const tell = useTell();
  const add = useAddGuest(eventId);
  const sayShortage = useSayShortage(eventId);
  const keptAs = `new-guest-${eventId}`;
  // One key for one form as it stands: pressed again after a lost answer, it makes no second guest.
  const [attempt, setAttempt] = useState({ typed: '', key: '' });
  const [formed, setFormed] = useState(0);
  const submit = (values: GuestValues, isNext: boolean) => {
    const typed = JSON.stringify(values);
    const key = attempt.typed === typed ? attempt.key : crypto.randomUUID();
    setAttempt({ typed, key });
    add.mutateAsync({ body: newGuestOf(values), key }).then(
      (saved) => {
        writeKept(keptAs, undefined);
        tell(say('added', { name: saved.guest.name }));
        sayShortage(saved);
        setAttempt({ typed: '', key: '' });
        if (isNext) setFormed(formed + 1);
        else onClose();
      },
      () => {},
    );
  };
  return (
    <GuestForm
      key={formed}
      eventId={eventId}
      keptAs={keptAs}
      initial={EMPTY_GUEST}
      submit={say('addShort')}
      submitToo={say('saveAndNext')}
      withFocus
      isPending={add.isPending}
      error={add.error}
      onSubmit={submit}
    />
  );
}
