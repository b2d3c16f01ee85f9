import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GuestRequest } from 'simcha-client';
import { formatPhone } from '../../../lib/format-phone.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { answerOf } from '../../guests/api/answer.ts';
import { guestQuery } from '../../guests/api/guests.ts';
import { words } from '../words.ts';
import { PartySize } from './party-size.tsx';
import classes from './waiting.module.css';

type Like = GuestRequest['may_be'][number];
const BY = { phone: 'samePhone', email: 'sameEmail', name: 'sameName' } as const;

interface SimilarGuestsProps {
  eventId: string;
  request: GuestRequest;
  /** Requests to come that the page shows. If a similar request is among them, the comparison shows all its details. */
  requests: readonly GuestRequest[];
}

/** Guests and other requests that may be from the same person, side by side with this request. */
export function SimilarGuests({ eventId, request, requests }: SimilarGuestsProps) {
  const say = useWords(words);
  // Guest whose phone number or email address the request has. If the request is accepted, it changes this guest.
  const answersFor = request.may_be.find(({ what, by }) => what === 'guest' && by !== 'name');
  const isNamesake = !answersFor && request.may_be.some(({ what }) => what === 'guest');
  return (
    <Stack gap="xs" role="group" aria-label={say('maybeSame')}>
      <Text fw={600} size="sm">
        {say('maybeSame')}
      </Text>
      {request.may_be.map((like) => (
        <div key={like.id} className={classes.alike}>
          <Side title={say('thisRequest')} like={like} {...request} people={request.coming} />
          {like.what === 'guest' ? (
            <GuestSide eventId={eventId} like={like} />
          ) : (
            <RequestSide like={like} other={requests.find(({ id }) => id === like.id)} />
          )}
        </div>
      ))}
      {(answersFor || isNamesake) && (
        <Text size="sm">{answersFor ? say('answersFor', { name: answersFor.name }) : say('addsSecond')}</Text>
      )}
    </Stack>
  );
}

function GuestSide({ eventId, like }: { eventId: string; like: Like }) {
  const say = useWords(words);
  const { data: read } = useQuery(guestQuery(eventId, like.id));
  if (!read) return <Skeleton height={120} radius="md" />;
  const { guest } = read;
  const answer = answerOf(guest);
  const has = answer === 'confirmed' || answer === 'waiting';
  return (
    <Side
      title={say('onList')}
      like={like}
      {...guest}
      people={has ? guest.coming : guest.party_size}
      coming_children={has ? guest.coming_children : guest.party_children}
      name={
        <Link
          to="/events/$eventId/guests"
          params={{ eventId }}
          search={{ guest: guest.id }}
          className={classes.name}
        >
          <bdi>{guest.name}</bdi>
        </Link>
      }
    >
      {say(`answer_${answer}`)}
    </Side>
  );
}

function RequestSide({ like, other }: { like: Like; other: GuestRequest | undefined }) {
  const say = useWords(words);
  return other ? (
    <Side title={say('otherRequest')} like={like} {...other} people={other.coming} />
  ) : (
    <Side title={say('otherRequest')} like={like} name={like.name} />
  );
}

interface SideProps {
  title: string;
  like: Like;
  name: ReactNode;
  phone?: string | null;
  email?: string | null;
  people?: number;
  coming_children?: number;
  children?: ReactNode;
}

/**
 * Request or guest in the comparison of two that may be the same person. The value that both share is in bold and also
 * named in words, for people who do not see bold type.
 */
function Side({ title, like, name, phone, email, people, coming_children: young = 0, children }: SideProps) {
  const say = useWords(words);
  return (
    <div className={classes.side}>
      <Text size="sm" c="dimmed">
        {title} · {say(BY[like.by])}
      </Text>
      <Text size="sm" data-same={like.by === 'name' || undefined}>
        <bdi>{name}</bdi>
      </Text>
      {phone !== undefined && (
        <Text size="sm" c={phone ? undefined : 'dimmed'} data-same={like.by === 'phone' || undefined}>
          {phone ? <bdi dir="ltr">{formatPhone(phone)}</bdi> : say('noPhone')}
        </Text>
      )}
      {email !== undefined && (
        <Text size="sm" c={email ? undefined : 'dimmed'} data-same={like.by === 'email' || undefined}>
          {email ? <bdi dir="ltr">{email}</bdi> : say('noEmail')}
        </Text>
      )}
      {people !== undefined && (
        <Text size="sm">
          <PartySize people={people} ofThemChildren={young} />
        </Text>
      )}
      {children && <Text size="sm">{children}</Text>}
    </div>
  );
}
