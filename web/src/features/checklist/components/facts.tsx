import { SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import type { EventFacts } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useChangeFacts } from '../api/checklist.ts';
import { words } from '../words.ts';

const FACTS = [
  'outdoors',
  'alcohol',
  'amplified_music',
  'temporary_structures',
  'fire_effects',
] as const satisfies (keyof EventFacts)[];

/** Switches for the facts about the event that decide which items are on its checklist. */
export function Facts({ id, facts, mayEdit }: { id: string; facts: EventFacts; mayEdit: boolean }) {
  const say = useWords(words);
  const change = useChangeFacts(id);
  return (
    <Card title={say('facts')}>
      <Stack gap="sm">
        <Text c="dimmed">{say('factsAbout')}</Text>
        <ProblemNote error={change.error} />
        <SimpleGrid cols={{ base: 2, xs: 3, md: 1 }} spacing={4}>
          {FACTS.map((fact) => (
            <Switch
              key={fact}
              size="md"
              py={6}
              label={say(fact)}
              description={
                <Text span inherit visibleFrom="md">
                  {say(`${fact}About`)}
                </Text>
              }
              checked={facts[fact]}
              disabled={!mayEdit}
              onChange={({ currentTarget: { checked } }) => change.mutate({ [fact]: checked })}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Card>
  );
}
