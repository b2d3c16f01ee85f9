import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { suggestedQuery } from '../api/rounds.ts';
import { words } from '../words.ts';

/** List of suggested messages, each with a link to the page where it is written. */
export function Suggestions({ eventId }: { eventId: string }) {
  const say = useWords(words);
  const { data: suggested, error, refetch } = useQuery(suggestedQuery(eventId));
  if (error) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!suggested?.length) return null;
  return (
    <Card title={say('suggested')} bg="var(--simcha-wait)" c="var(--simcha-wait-ink)">
      <Stack gap="lg">
        {suggested.map(({ kind, guests, without_email: unreached, unsubscribed }) => (
          <Stack key={kind} gap="xs" align="flex-start">
            <div>
              <Text fw={500}>{say(`suggest_${kind}`)}</Text>
              <Text size="sm">
                {[
                  ...(guests > 0 ? [say('byMail', { n: guests })] : []),
                  ...(unreached > 0 ? [say('withoutMail', { n: unreached })] : []),
                  ...(unsubscribed > 0 ? [say('haveUnsubscribed', { n: unsubscribed })] : []),
                ].join(' · ')}
              </Text>
            </div>
            <Group gap="sm">
              {guests > 0 && (
                <ButtonLink to="/events/$eventId/messages/new" params={{ eventId }} search={{ kind }}>
                  {say('writeToThem')}
                </ButtonLink>
              )}
              {unreached > 0 && (
                <ButtonLink
                  variant="default"
                  to="/events/$eventId/messages/new"
                  params={{ eventId }}
                  search={{ kind, channel: 'by_hand' }}
                >
                  {say('writeByHand')}
                </ButtonLink>
              )}
              {unreached + unsubscribed > 0 && guests === 0 && (
                <ButtonLink
                  variant="default"
                  to="/events/$eventId/messages/new"
                  params={{ eventId }}
                  search={{ kind, channel: 'phone' }}
                >
                  {say('try_phone')}
                </ButtonLink>
              )}
            </Group>
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}
