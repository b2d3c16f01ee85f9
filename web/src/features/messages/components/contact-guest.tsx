import { Anchor, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { NextGuest } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { formatPhone } from '../../../lib/format-phone.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { guestQuery } from '../../guests/api/guests.ts';
import { words } from '../words.ts';
import classes from './contact-list.module.css';

interface ContactGuestProps {
  eventId: string;
  guest: NextGuest;
  children: ReactNode;
}

/**
 * Frame of the guest to contact, with what is known about the guest. Its heading is focused, so that screen readers
 * begin there.
 */
export function ContactGuest({ eventId, guest: { guest_id: id, name, phone }, children }: ContactGuestProps) {
  const say = useWords(words);
  const { data: read } = useQuery(guestQuery(eventId, id));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const known = read?.guest;
  return (
    <Card>
      <div className={classes.guest}>
        <div>
          <Title order={3} size="h2" ref={heading} tabIndex={-1} className={classes.name}>
            <bdi>{name}</bdi>
          </Title>
          <Text c="dimmed" mih={25}>
            {phone && <bdi dir="ltr">{formatPhone(phone)}</bdi>}
            {known && ` · ${say('invitedN', { n: known.party_size })}`}
          </Text>
          {known?.note && (
            <Text dir="auto" className={classes.note}>
              {known.note}
            </Text>
          )}
          <Anchor
            renderRoot={(props) => (
              <Link to="/events/$eventId/guests" params={{ eventId }} search={{ guest: id }} {...props} />
            )}
            size="sm"
            py={6}
            display="inline-block"
          >
            {say('allOfThem')}
          </Anchor>
        </div>
        {children}
      </div>
    </Card>
  );
}
