import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { suggestedQuery } from '../api/rounds.ts';
import { words } from '../words.ts';

/** What guests should be told now, each with the way to tell it. */
export function Suggestions({ eventId }: { eventId: string }) {
  const say = useWords(words);
  const { data: suggested, error, refetch } = useQuery(suggestedQuery(eventId));
  if (error) return <ProblemNote error={error} again={() => refetch()} />;
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
                  ...(unsubscribed > 0 ? [say('wantNone', { n: unsubscribed })] : []),
                ].join(' · ')}
              </Text>
            </div>
            {guests > 0 ? (
              <ButtonLink to="/events/$eventId/messages/new" params={{ eventId }} search={{ kind }}>
                {say('tellThem')}
              </ButtonLink>
            ) : (
              <Text size="sm">{say('tellYourself')}</Text>
            )}
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}
