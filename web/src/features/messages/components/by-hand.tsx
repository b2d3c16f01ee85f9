import { Button, Text } from '@mantine/core';
import { Check, MessageCircle, SkipForward } from 'lucide-react';
import type { NextGuest, Round } from 'simcha-client';
import { CopyText } from '../../../components/copy-text.tsx';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useStored } from '../../../lib/stored-value.ts';
import { useMarkGuest } from '../api/contact-list.ts';
import { words } from '../words.ts';
import { ContactGuest } from './contact-guest.tsx';
import classes from './contact-list.module.css';
import messages from './messages.module.css';

interface ByHandProps {
  eventId: string;
  round: Round;
  guest: NextGuest;
}

/** Message to one guest, which the user sends with their own WhatsApp and then marks as sent. */
export function ByHand({ eventId, round, guest }: ByHandProps) {
  const say = useWords(words);
  const notifyWithUndo = useNotifyWithUndo();
  const { guest_id: guestId, name, text, whatsapp_url: url } = guest;
  // Stores for which guest the user has opened WhatsApp, since a phone may discard this page meanwhile.
  const [opened, setOpened] = useStored(`walk-${round.id}`, '');
  const isOpened = opened === guestId;
  const mark = useMarkGuest(eventId, round.id);
  const undo = useMarkGuest(eventId, round.id);
  const takeBack = () => undo.mutateAsync({ guestId, mark: 'not_told' });
  const markAsSent = () =>
    // The next guest's card replaces this guest's. Callbacks of `mutate` are not called for a removed component, so the
    // promise is used.
    mark.mutateAsync({ guestId, mark: 'told' }).then(
      () => notifyWithUndo(say('markedAsSent', { name }), takeBack),
      () => {},
    );
  const isPending = (what: 'told' | 'later') => mark.isPending && mark.variables.mark === what;
  return (
    <ContactGuest eventId={eventId} guest={guest}>
      <div className={classes.actions}>
        {url && (
          <Button
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            size="lg"
            variant={isOpened ? 'default' : 'filled'}
            leftSection={<MessageCircle size={22} aria-hidden />}
            onClick={() => setOpened(guestId)}
          >
            {say('openWhatsApp')}
          </Button>
        )}
        <Button
          size="lg"
          variant={isOpened || !url ? 'filled' : 'default'}
          leftSection={<Check size={22} aria-hidden />}
          loading={isPending('told')}
          disabled={isPending('later')}
          onClick={markAsSent}
        >
          {say('sentNext')}
        </Button>
        <div className={classes.lesser}>
          <Button
            variant="subtle"
            leftSection={<SkipForward size={18} className="turns" aria-hidden />}
            loading={isPending('later')}
            disabled={isPending('told')}
            onClick={() => mark.mutate({ guestId, mark: 'later' })}
          >
            {say('skip')}
          </Button>
          <CopyText text={text} label={say('copy')} variant="subtle" />
        </div>
      </div>
      {mark.isPaused && <Text role="status">{say('onceOnline')}</Text>}
      <ProblemNote error={mark.error} />
      <div className={messages.bubble}>
        <p className={messages.text}>{text}</p>
      </div>
    </ContactGuest>
  );
}
