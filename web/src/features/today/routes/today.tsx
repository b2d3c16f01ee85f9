import { Alert, Anchor, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { Plus, TriangleAlert } from 'lucide-react';
import type { Today as ReadToday } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime, longDay, todayInIsrael } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { todayQuery, useNoteVisit } from '../api/today.ts';
import { NewReplies } from '../components/new-replies.tsx';
import { toDosOf } from '../components/to-do.ts';
import { ToDoList } from '../components/to-do-list.tsx';
import { UpcomingEvents } from '../components/upcoming-events.tsx';
import { words } from '../words.ts';

/** Number of upcoming events on the start page; the others are on the page of all events. */
const NEXT = 5;

/** Start page of the organizer: tasks, new replies and upcoming events. */
export function Today() {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data, error, refetch } = useQuery(todayQuery);
  useNoteVisit(data !== undefined);
  // Without upcoming events the user is sent to the list of events, which says how to begin.
  if (data?.events.length === 0) return <Navigate to="/events" replace />;
  return (
    <Stack gap="lg">
      <PageHead title={say('title')} about={longDay(todayInIsrael(), language)}>
        <ButtonLink to="/events/new" leftSection={<Plus size={20} aria-hidden />}>
          {say('create')}
        </ButtonLink>
      </PageHead>
      <ProblemNote error={error} onRetry={() => refetch()} />
      {data ? (
        <Seen {...data} />
      ) : (
        !error && (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Skeleton height={260} radius="lg" />
            <Skeleton height={260} radius="lg" />
          </SimpleGrid>
        )
      )}
    </Stack>
  );
}

function Seen({ since, events, mail_stopped: mailStopped }: ReadToday) {
  const say = useWords(words);
  const { language } = useLanguage();
  const toDos = toDosOf(events);
  const news = events.filter(({ answers }) => answers.guests > 0);
  const coming = events.filter(({ days_to_go: days }) => days >= 0);
  const showsEvent = events.length > 1;
  return (
    <>
      {mailStopped && (
        <Alert
          role="alert"
          color="var(--simcha-bad-ink)"
          bg="var(--simcha-bad)"
          c="var(--simcha-bad-ink)"
          icon={<TriangleAlert aria-hidden />}
        >
          {mailStopped.message}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Card title={say('toDo')}>
          {toDos.length > 0 ? (
            <ToDoList toDos={toDos} showsEvent={showsEvent} />
          ) : (
            <Text c="dimmed">{say('nothingToDo')}</Text>
          )}
        </Card>
        <Stack gap="lg">
          <Card title={say('news')}>
            <Text size="sm" c="dimmed" mb={news.length > 0 ? 'md' : 0}>
              {news.length > 0
                ? say('since', { when: dateAndTime(since, language) })
                : say('noNews', { when: dateAndTime(since, language) })}
            </Text>
            {news.length > 0 && <NewReplies events={news} showsEvent={showsEvent} />}
          </Card>
          {coming.length > 0 && (
            <Card title={say('coming')}>
              <UpcomingEvents events={coming.slice(0, NEXT)} />
              <Anchor
                mt="md"
                py={6}
                display="inline-block"
                renderRoot={(props) => <Link to="/events" {...props} />}
              >
                {say('allEvents')}
              </Anchor>
            </Card>
          )}
        </Stack>
      </SimpleGrid>
    </>
  );
}
