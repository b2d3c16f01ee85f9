import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNotify } from '../../../components/notify.ts';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { useStoredIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { writeStored } from '../../../lib/stored-value.ts';
import { useAddGuest } from '../api/guests.ts';
import { words } from '../words.ts';
import { GuestForm } from './guest-form.tsx';
import { EMPTY_GUEST, type GuestValues, newGuestOf } from './guest-values.ts';
import { useNotifyShortage } from './quick-change.ts';

/** Side sheet that adds a guest. After saving, the user can add another guest. */
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
  const notify = useNotify();
  const add = useAddGuest(eventId);
  const notifyShortage = useNotifyShortage(eventId);
  const draftKey = `new-guest-${eventId}`;
  const { keyOf, forget } = useStoredIdempotencyKey(draftKey);
  const [formed, setFormed] = useState(0);
  const submit = (values: GuestValues, isNext: boolean) => {
    const body = newGuestOf(values);
    add.mutateAsync({ body, key: keyOf(values) }).then(
      (saved) => {
        writeStored(draftKey, undefined);
        forget();
        notify(say('added', { name: saved.guest.name }));
        notifyShortage(saved, body);
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
      draftKey={draftKey}
      initial={EMPTY_GUEST}
      submit={say('addShort')}
      actions={
        <Button type="submit" name="next" variant="default" disabled={add.isPending}>
          {say('saveAndNext')}
        </Button>
      }
      withFocus
      isPending={add.isPending}
      error={add.error}
      onSubmit={(values, button) => submit(values, button === 'next')}
    />
  );
}
