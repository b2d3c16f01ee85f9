import { Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { rsvpSettingsQuery } from '../../guests/api/guests.ts';
import { useChangeStandardQuestions } from '../api/questions.ts';
import { words } from '../words.ts';

/** Switches for the standard questions to all guests: children, meals and names. */
export function StandardQuestions({ eventId, mayEdit }: { eventId: string; mayEdit: boolean }) {
  const say = useWords(words);
  const { data: settings, error, refetch } = useQuery(rsvpSettingsQuery(eventId));
  const change = useChangeStandardQuestions(eventId);
  if (error && !settings) return <ProblemNote error={error} onRetry={() => refetch()} />;
  return (
    <Card title={say('always')}>
      <Stack gap="sm">
        <Text c="dimmed">{say('alwaysAbout')}</Text>
        <ProblemNote error={change.error} />
        {settings ? (
          <>
            <Switch
              size="md"
              py={6}
              label={say('askChildren')}
              // By default guests are asked about children, except when people register for a conference.
              checked={settings.children ?? !settings.registration}
              disabled={!mayEdit}
              onChange={({ currentTarget: { checked } }) => change.mutate({ children: checked })}
            />
            <Switch
              size="md"
              py={6}
              label={say('askMeals')}
              checked={settings.meals}
              disabled={!mayEdit}
              onChange={({ currentTarget: { checked } }) => change.mutate({ meals: checked })}
            />
            <Switch
              size="md"
              py={6}
              label={say('askNames')}
              description={say('askNamesAbout')}
              checked={settings.ask_names}
              disabled={!mayEdit}
              onChange={({ currentTarget: { checked } }) => change.mutate({ ask_names: checked })}
            />
          </>
        ) : (
          <Skeleton height={84} />
        )}
      </Stack>
    </Card>
  );
}
