import { Button, Collapse, Text } from '@mantine/core';
import { Phone } from 'lucide-react';
import { useState } from 'react';
import type { NextGuest, Round } from 'simcha-client';
import { formatPhone } from '../../../lib/format-phone.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import { CallForm } from './call-form.tsx';
import { Calls } from './calls.tsx';
import { ContactGuest } from './contact-guest.tsx';
import classes from './contact-list.module.css';
import messages from './messages.module.css';

interface ByPhoneProps {
  eventId: string;
  round: Round;
  guest: NextGuest;
}

/** Guest to call: phone number, text to say, previous calls, and the form for this call. */
export function ByPhone({ eventId, round, guest }: ByPhoneProps) {
  const say = useWords(words);
  const { guest_id: guestId, phone, other_phones: otherPhones, text, tries } = guest;
  const [isShown, setShown] = useState(false);
  return (
    <ContactGuest eventId={eventId} guest={guest}>
      {tries > 0 && (
        <div className={classes.before}>
          <Text size="sm" fw={500} mb={4}>
            {say('callsN', { n: tries })}
          </Text>
          <Calls eventId={eventId} roundId={round.id} guestId={guestId} />
        </div>
      )}
      {phone && (
        <Button component="a" href={`tel:${phone}`} size="lg" leftSection={<Phone size={22} aria-hidden />}>
          {say('call')}
          <span className={classes.number}>
            <bdi dir="ltr">{formatPhone(phone)}</bdi>
          </span>
        </Button>
      )}
      {otherPhones.map((number) => (
        <Button key={number} component="a" href={`tel:${number}`} variant="light">
          {say('callOther')}
          <span className={classes.number}>
            <bdi dir="ltr">{formatPhone(number)}</bdi>
          </span>
        </Button>
      ))}
      <div>
        <Button variant="subtle" px={6} aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {say('whatToSay')}
        </Button>
        <Collapse expanded={isShown}>
          <div className={messages.bubble}>
            <p className={messages.text}>{text}</p>
          </div>
        </Collapse>
      </div>
      <CallForm eventId={eventId} round={round} guest={guest} />
    </ContactGuest>
  );
}
