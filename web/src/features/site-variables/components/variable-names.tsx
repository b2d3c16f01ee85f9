import { Skeleton, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { listVariableNames } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { client } from '../../../lib/api.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { siteKey, useSite } from '../../sites/api/sites.ts';
import { words } from '../words.ts';
import classes from './variables.module.css';

const variableNamesQuery = (name: string) =>
  queryOptions({
    queryKey: [...siteKey(name), 'variable-names'],
    queryFn: async ({ signal }) =>
      (await listVariableNames({ client, signal, path: { uuid: name } })).data.names,
  });

/** Names of a site's variables, for people whose role does not allow them to see the values. */
export function VariableNames() {
  const say = useWords(words);
  const { name } = useSite();
  const { data: names, error, refetch } = useQuery(variableNamesQuery(name));
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')} about={say('namesOnly')} />
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!names && !error && <Skeleton height={120} radius="lg" />}
      {names?.length === 0 && <Text c="dimmed">{say('noneTitle')}</Text>}
      {names && names.length > 0 && (
        <Card aria-label={say('title')}>
          <ul className={classes.list}>
            {names.map((one) => (
              <li key={one}>
                <code dir="ltr">{one}</code>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Stack>
  );
}
