import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BackLink } from '../../../components/back-link.tsx';
import { DeletedList } from '../../../components/deleted-list.tsx';
import { useNotify } from '../../../components/notify.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime, shortDate } from '../../../lib/dates.ts';
import { restoreKeyOf } from '../../../lib/idempotency-key.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { deletedEventsQuery, useRestoreEvent } from '../api/events.ts';
import { words } from '../words.ts';

/** Page with the deleted events that can still be restored. */
export function DeletedEvents() {
  const say = useWords(words);
  const notify = useNotify();
  const { language } = useLanguage();
  const navigate = useNavigate();
  const { data: events, error, refetch, isPending } = useQuery(deletedEventsQuery);
  const restore = useRestoreEvent();
  const bringBack = (event: { id: string; until: string }) => {
    const { id } = event;
    restore.mutate(
      { id, key: restoreKeyOf(event) },
      {
        onSuccess() {
          notify(say('restoredNow'));
          navigate({ to: '/events/$eventId', params: { eventId: id } }).catch(() => {});
        },
      },
    );
  };
  return (
    <Stack gap="md">
      <BackLink to="/events">{say('title')}</BackLink>
      <PageHead title={say('deleted')} about={say('deletedAbout')} />
      <ProblemNote error={error} onRetry={() => refetch()} />
      <ProblemNote error={restore.error} />
      {isPending && <Skeleton height={240} radius="lg" />}
      {events && (
        <DeletedList
          deleted={events.map(({ id, title, deleted_at: at, until, venue_name: venue }) => ({
            id,
            name: title,
            until,
            about: (
              <>
                <bdi>{venue}</bdi> · {say('deletedOn', { when: dateAndTime(at, language) })} ·{' '}
                {say('until', { when: shortDate(until, language) })}
              </>
            ),
          }))}
          none={say('noneDeleted')}
          restore={say('restore')}
          restoreNamed={(name) => say('restoreNamed', { name })}
          restoring={restore.isPending ? restore.variables.id : undefined}
          onRestore={bringBack}
        />
      )}
    </Stack>
  );
}
