import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { BackLink } from '../../../components/back-link.tsx';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useTell } from '../../../components/tell.ts';
import { dateAndTime, shortDate } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { deletedEventsQuery, useRestoreEvent } from '../api/events.ts';
import { words } from '../words.ts';

/** Events that may still come back. */
export function DeletedEvents() {
  const say = useWords(words);
  const tell = useTell();
  const { language } = useLanguage();
  const navigate = useNavigate();
  const { data: events, error, refetch, isPending } = useQuery(deletedEventsQuery);
  const restore = useRestoreEvent();
  const bringBack = (id: string) =>
    restore.mutate(id, {
      onSuccess() {
        tell(say('restoredNow'));
        navigate({ to: '/events/$eventId', params: { eventId: id } }).catch(() => {});
      },
    });
  return (
    <Stack gap="md">
      <BackLink to="/events">{say('title')}</BackLink>
      <PageHead title={say('deleted')} about={say('deletedAbout')} />
      <ProblemNote error={error} again={() => refetch()} />
      <ProblemNote error={restore.error} />
      {isPending && <Skeleton height={240} radius="lg" />}
      {events && (
        <Card>
          {events.length === 0 ? (
            <Text ta="center" py="lg" role="status">
              {say('noneDeleted')}
            </Text>
          ) : (
            <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
              {events.map(({ id, title, deleted_at: at, until, venue_name: venue }) => (
                <Group key={id} component="li" justify="space-between" gap="sm">
                  <div style={{ minWidth: 0, flex: '1 1 240px' }}>
                    <Text fw={500}>
                      <bdi>{title}</bdi>
                    </Text>
                    <Text size="sm" c="dimmed">
                      <bdi>{venue}</bdi> · {say('deletedOn', { when: dateAndTime(at, language) })} ·{' '}
                      {say('until', { when: shortDate(until, language) })}
                    </Text>
                  </div>
                  <Button
                    variant="default"
                    aria-label={say('restoreNamed', { name: title })}
                    leftSection={<RotateCcw size={18} aria-hidden />}
                    loading={restore.isPending && restore.variables === id}
                    onClick={() => bringBack(id)}
                  >
                    {say('restore')}
                  </Button>
                </Group>
              ))}
            </Stack>
          )}
        </Card>
      )}
    </Stack>
  );
}
