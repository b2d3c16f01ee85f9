import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SectionNav } from '../../../components/section-nav.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { checklistQuery } from '../../checklist/api/checklist.ts';
import { historyQuery } from '../api/history.ts';
import { HISTORY_FILTERS } from '../api/search.ts';
import { HistoryEntries } from '../components/history-entries.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/history');

/** Page with the history of an event by day, which loads more entries while the user scrolls. */
export function History() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const { about } = route.useSearch();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(historyQuery(eventId, about));
  // A new entry moves the last entry of each page to the next page. Such an entry may be read twice, so duplicates are
  // removed.
  const entries = [
    ...new Map(data?.pages.flatMap(({ history }) => history).map((entry) => [entry.id, entry])).values(),
  ];
  const isOfChecklist = entries.some(({ subject }) => subject === 'checklist');
  const { data: checklist } = useQuery({ ...checklistQuery(eventId), enabled: isOfChecklist });
  const items = new Map(checklist?.items.map(({ item, title }) => [item as string, title]));

  const { ref, entry: endOfList } = useIntersection({ rootMargin: '600px' });
  const isEndNear = endOfList?.isIntersecting ?? false;
  useEffect(() => {
    if (isEndNear && hasNextPage && !isFetchingNextPage && !isFetchNextPageError)
      fetchNextPage().catch(() => {});
  }, [isEndNear, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  return (
    <Stack gap="lg" maw={760}>
      <PageHead order={2} title={say('title')} />
      <SectionNav
        label={say('about')}
        open={about ?? 'all'}
        parts={[
          { name: 'all', label: say('all'), search: {} },
          ...HISTORY_FILTERS.map((value) => ({
            name: value,
            label: say(`about_${value}`),
            search: { about: value },
          })),
        ]}
      />
      {!data && !error && <Coming />}
      {!data && error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {data && (
        <Card>
          {entries.length === 0 ? (
            <Text c="dimmed" role="status">
              {say('nothing')}
            </Text>
          ) : (
            <HistoryEntries entries={entries} items={items} />
          )}
          <div ref={ref} />
          {isFetchingNextPage && <Skeleton height={60} mt="md" />}
          {error && <ProblemNote error={error} onRetry={() => fetchNextPage()} />}
          {hasNextPage && !isFetchingNextPage && !error && (
            <Group justify="center" mt="md">
              <Button variant="default" onClick={() => fetchNextPage()}>
                {say('more')}
              </Button>
            </Group>
          )}
          {!hasNextPage && entries.length > 0 && !about && (
            <Text c="dimmed" size="sm" mt="md">
              {say('beginning')}
            </Text>
          )}
          <VisuallyHidden role="status">{isFetchingNextPage ? '…' : ''}</VisuallyHidden>
        </Card>
      )}
    </Stack>
  );
}

function Coming() {
  return (
    <Card aria-busy="true">
      <Stack gap="lg">
        <Skeleton height={24} width="40%" />
        {['first', 'second', 'third', 'fourth'].map((line) => (
          <Group key={line} wrap="nowrap" align="flex-start">
            <Skeleton height={36} circle style={{ flex: 'none' }} />
            <Stack gap={6} style={{ flex: 1 }}>
              <Skeleton height={18} width="70%" />
              <Skeleton height={14} width="30%" />
            </Stack>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
