import { Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Round } from 'simcha-client';
import { LinkCard } from '../../../components/link-card.tsx';
import { dateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import { DeliveryBar } from './delivery-bar.tsx';
import { RoundState } from './round-state.tsx';

/** Card of a round in the list of messages, with a link to the round's page. */
export function RoundCard({ eventId, round }: { eventId: string; round: Round }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { id, kind, channel, state, automatic, send_at: sendAt, created_at: at, chosen } = round;
  const when = dateAndTime(sendAt ?? at, language);
  return (
    <LinkCard>
      <Stack gap="sm">
        <div>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Title order={3} size="h4">
              <Link to="/events/$eventId/messages/$roundId" params={{ eventId, roundId: id }}>
                {say(kind)}
              </Link>
            </Title>
            <RoundState state={state} />
          </Group>
          <Text size="sm" c="dimmed">
            {[
              state === 'scheduled' ? say('goesAt', { at: when }) : when,
              say(channel),
              ...(chosen > 0 ? [say('chosen', { n: chosen })] : []),
              ...(automatic ? [say('automatic')] : []),
            ].join(' · ')}
          </Text>
        </div>
        {round.called_off_because && <Text size="sm">{say(`off_${round.called_off_because}`)}</Text>}
        {chosen > 0 && <DeliveryBar round={round} />}
      </Stack>
    </LinkCard>
  );
}
