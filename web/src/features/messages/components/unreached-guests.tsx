import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Round, RoundGuest } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { unreachedQuery } from '../api/rounds.ts';
import { words } from '../words.ts';
import classes from './messages.module.css';

/**
 * Maximum number of guests that this list of unreached guests shows; the list of all the round's guests has the others.
 */
const MOST = 20;
/** Channels to offer for guests whom a channel did not reach. */
const OTHER_WAYS = {
  mail: ['by_hand', 'phone'],
  sms: ['phone', 'mail'],
  whatsapp: ['phone', 'mail'],
  by_hand: ['phone', 'mail'],
  phone: ['mail'],
} as const;

interface UnreachedGuestsProps {
  eventId: string;
  round: Round;
  mayWrite: boolean;
}

/** Guests whom the round did not reach and why, with links to correct their address or to use another channel. */
export function UnreachedGuests({ eventId, round, mayWrite }: UnreachedGuestsProps) {
  const say = useWords(words);
  const { left_out: why, bounced, channel } = round;
  const isAny = [bounced, why.no_email, why.no_phone, why.no_mobile, why.wrong_number].some((n) => n);
  const {
    data: guests,
    error,
    refetch,
  } = useQuery({
    ...unreachedQuery(eventId, round.id),
    enabled: isAny,
  });
  if (!guests?.length) return <ProblemNote error={error} onRetry={() => refetch()} />;
  const refused = guests.filter(({ delivery }) => delivery === 'bounced');
  const unlisted = guests.length - refused.length;
  const hasNumbers = [bounced, why.no_email, why.no_mobile].some((n) => n);
  const ways = OTHER_WAYS[channel].filter((other) => other !== 'phone' || hasNumbers);
  return (
    <Card title={say('notReached')}>
      <Stack gap="sm">
        {refused.length > 0 && (
          <ul className={classes.list} style={{ gap: 0 }}>
            {refused.slice(0, MOST).map((guest) => (
              <Refused key={guest.guest_id} eventId={eventId} channel={channel} guest={guest} />
            ))}
          </ul>
        )}
        {refused.length > MOST && <Text c="dimmed">{say('andMore', { n: refused.length - MOST })}</Text>}
        {unlisted > 0 && <Text>{say('withoutWay', { n: unlisted })}</Text>}
        {mayWrite && (
          <Group gap="sm">
            {ways.map((other) => (
              <ButtonLink
                key={other}
                variant="default"
                to="/events/$eventId/messages/new"
                params={{ eventId }}
                search={{ kind: round.kind, channel: other, from: round.id }}
              >
                {say(`try_${other}`)}
              </ButtonLink>
            ))}
          </Group>
        )}
      </Stack>
    </Card>
  );
}

interface RefusedProps {
  eventId: string;
  channel: Round['channel'];
  guest: RoundGuest;
}

/** Guest whose message bounced. A link leads to the guest's address, which should be corrected. */
function Refused({ eventId, channel, guest }: RefusedProps) {
  const say = useWords(words);
  const { guest_id: id, name, email, phone, problem } = guest;
  return (
    <li className={classes.guest}>
      <div>
        <Anchor
          renderRoot={(props) => (
            <Link to="/events/$eventId/guests" params={{ eventId }} search={{ guest: id }} {...props} />
          )}
          py={6}
          display="inline-block"
        >
          <bdi>{name}</bdi>
        </Anchor>
        <Text size="sm" c="dimmed">
          <bdi dir="ltr">{channel === 'mail' ? email : phone}</bdi>
        </Text>
      </div>
      <div className={classes.became}>
        <Text size="sm" fw={600} c="var(--mantine-color-error)">
          {say('one_bounced')}
        </Text>
        {problem && <Text size="sm">{problem}</Text>}
      </div>
    </li>
  );
}
