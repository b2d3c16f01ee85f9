import { Anchor, Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { countsQuery } from '../../events/api/events.ts';
import { DIETS } from '../../guests/api/search.ts';
import { numbersQuery } from '../../questions/api/numbers.ts';
import { words } from '../words.ts';

const MEALS = ['regular', ...DIETS.filter((diet) => diet !== 'allergies')] as const;

/** Card with the meals of the guests who come; hidden while nobody comes. */
export function MealsCard({ id }: { id: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: numbers, isPending } = useQuery(numbersQuery(id));
  const { data: counts } = useQuery(countsQuery(id));
  if (isPending && counts && counts.people > 0) {
    return (
      <Card title={say('meals')}>
        <Skeleton height={217} />
      </Card>
    );
  }
  if (!numbers || numbers.people === 0) return null;
  const counted = [
    ...MEALS.map((meal) => ({ name: meal, n: numbers.meals[meal] })),
    { name: 'allergies' as const, n: numbers.allergies },
  ].filter(({ n }) => n > 0);
  return (
    <Card title={say('meals')}>
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm" component="dl" m={0}>
        {counted.map(({ name, n }) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {say(name)}
            </Text>
            <Text component="dd" m={0} fw={600} fz="lg">
              {formatNumber(n, language)}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      <Group mt="sm">
        <Anchor
          py={6}
          renderRoot={(props) => (
            <Link
              to="/events/$eventId/questions"
              params={{ eventId: id }}
              search={{ view: 'numbers' }}
              {...props}
            />
          )}
        >
          {say('allNumbers')}
        </Anchor>
      </Group>
    </Card>
  );
}
