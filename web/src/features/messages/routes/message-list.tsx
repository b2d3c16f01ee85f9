import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { MailOpen, Plus } from 'lucide-react';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useAccess } from '../../events/api/access.ts';
import { eventQuery } from '../../events/api/events.ts';
import { ROUNDS_A_PAGE, roundsQuery } from '../api/rounds.ts';
import classes from '../components/messages.module.css';
import { Notices } from '../components/notices.tsx';
import { RoundCard } from '../components/round-card.tsx';
import { Suggestions } from '../components/suggestions.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/messages');

/** Page with the messages to guests, sent and scheduled, the newest first. */
export function MessageList() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const mayWrite = useAccess(eventId) !== 'view';
  const { data, error, refetch } = useQuery(roundsQuery(eventId, page));
  const isOpen = mayWrite && event.status !== 'draft';
  const last = Math.ceil((data?.total ?? 0) / ROUNDS_A_PAGE);
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')}>
        {isOpen && data && data.total > 0 && (
          <ButtonLink
            to="/events/$eventId/messages/new"
            params={{ eventId }}
            leftSection={<Plus size={20} aria-hidden />}
          >
            {say('write')}
          </ButtonLink>
        )}
      </PageHead>
      {isOpen && <Suggestions eventId={eventId} />}
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeletons />}
      {data?.total === 0 && (
        <Nothing eventId={eventId} isDraft={event.status === 'draft'} mayWrite={mayWrite} />
      )}
      {data && data.total > 0 && (
        <ul className={classes.list}>
          {data.rounds.map((round) => (
            <li key={round.id}>
              <RoundCard eventId={eventId} round={round} />
            </li>
          ))}
        </ul>
      )}
      {last > 1 && (
        <Group justify="space-between">
          {page > 1 ? (
            <ButtonLink
              variant="default"
              to="/events/$eventId/messages"
              params={{ eventId }}
              search={page > 2 ? { page: page - 1 } : {}}
            >
              {say('newer')}
            </ButtonLink>
          ) : (
            <span />
          )}
          {page < last && (
            <ButtonLink
              variant="default"
              to="/events/$eventId/messages"
              params={{ eventId }}
              search={{ page: page + 1 }}
            >
              {say('older')}
            </ButtonLink>
          )}
        </Group>
      )}
      {mayWrite && <Notices eventId={eventId} mayEdit={event.status !== 'cancelled'} />}
    </Stack>
  );
}

function Skeletons() {
  return (
    <Stack gap={12} aria-busy="true">
      <Skeleton height={150} radius="lg" />
      <Skeleton height={150} radius="lg" />
    </Stack>
  );
}

function Nothing({ eventId, isDraft, mayWrite }: { eventId: string; isDraft: boolean; mayWrite: boolean }) {
  const say = useWords(words);
  return (
    <Card>
      <Stack align="center" ta="center" py={40} gap="md">
        <MailOpen size={56} strokeWidth={1.4} color="var(--mantine-primary-color-filled)" aria-hidden />
        <Title order={3} size="h3">
          {say(isDraft ? 'draftTitle' : 'emptyTitle')}
        </Title>
        <Text c="dimmed" maw={460}>
          {say(isDraft ? 'draft' : 'empty')}
        </Text>
        {mayWrite &&
          (isDraft ? (
            <ButtonLink to="/events/$eventId" params={{ eventId }} size="lg">
              {say('toOverview')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/events/$eventId/messages/new" params={{ eventId }} size="lg">
              {say('write')}
            </ButtonLink>
          ))}
      </Stack>
    </Card>
  );
}
