import { Button, Skeleton, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useSite } from '../../sites/api/sites.ts';
import { releasesOf } from '../api/release-list.ts';
import { releasesQuery } from '../api/releases.ts';
import { ReleaseEntry } from '../components/release-entry.tsx';
import classes from '../components/releases.module.css';
import { words } from '../words.ts';

/** Page with the releases of a site that were live, and the way back to each. */
export function Releases() {
  const say = useWords(words);
  const { name } = useSite();
  const query = useInfiniteQuery(releasesQuery(name));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const releases = data && releasesOf(data.pages.flatMap(({ deployments }) => deployments));
  const current = releases?.find(({ isCurrent }) => isCurrent);
  const others = releases?.filter((one) => one !== current) ?? [];
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')} about={say('about')} />
      <ProblemNote error={error} onRetry={() => refetch()} />
      {!releases && !error && <Skeleton height={200} radius="lg" />}
      {releases?.length === 0 && !hasNextPage && (
        <EmptyState icon={Package} title={say('noneTitle')} about={say('none')}>
          <ButtonLink to="/sites/$name/deployments" params={{ name }}>
            {say('toDeployments')}
          </ButtonLink>
        </EmptyState>
      )}
      {current && (
        <Card aria-label={say('current')} className={classes.current}>
          <ReleaseEntry release={current} current={current} />
        </Card>
      )}
      {others.length > 0 && (
        <Card title={say('earlier')}>
          <ul className={classes.list}>
            {others.map((release) => (
              <li key={release.deployment.deployment_uuid}>
                <ReleaseEntry release={release} current={current} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {hasNextPage && (
        <Button
          variant="default"
          style={{ alignSelf: 'center' }}
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {say('older')}
        </Button>
      )}
    </Stack>
  );
}
