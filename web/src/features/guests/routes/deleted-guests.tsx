import { Button, Skeleton, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { BackLink } from '../../../components/back-link.tsx';
import { DeletedList } from '../../../components/deleted-list.tsx';
import { useNotify, useNotifyProblem } from '../../../components/notify.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime, shortDate } from '../../../lib/dates.ts';
import { restoreKeyOf } from '../../../lib/idempotency-key.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { useAccess, useMayEdit } from '../../events/api/access.ts';
import { deletedGuestsQuery, useRestoreGuest } from '../api/guests.ts';
import { useNotifyShortage } from '../components/quick-change.ts';
import { words as importWords } from '../import-words.ts';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/guests/deleted');

/** Page with the deleted guests who can still be restored. */
export function DeletedGuests() {
  const say = useWords(words);
  const sayOfLists = useWords(importWords);
  const notify = useNotify();
  const notifyProblem = useNotifyProblem();
  const { language } = useLanguage();
  const { eventId } = route.useParams();
  const mayEdit = useMayEdit(eventId);
  // Users who may only view an event can't see its deleted guests.
  const mayLook = useAccess(eventId) !== 'view';
  const read = useInfiniteQuery({ ...deletedGuestsQuery(eventId), enabled: mayLook });
  const restore = useRestoreGuest(eventId);
  const notifyShortage = useNotifyShortage(eventId);
  const guests = read.data?.pages.flatMap((page) => page.guests);
  const bringBack = (guest: { id: string; until: string }) =>
    restore.mutateAsync({ id: guest.id, key: restoreKeyOf(guest) }).then((saved) => {
      notify(say('restored', { n: 1 }));
      notifyShortage(saved);
    }, notifyProblem);
  return (
    <Stack gap="md">
      <BackLink to="/events/$eventId/guests" params={{ eventId }}>
        {say('backToList')}
      </BackLink>
      <PageHead
        order={2}
        title={say('deleted')}
        about={mayLook ? say('deletedAbout') : sayOfLists('onlyLook')}
      />
      <ProblemNote error={read.error} onRetry={() => read.refetch()} />
      {read.isLoading && <Skeleton height={240} radius="lg" />}
      {guests && (
        <DeletedList
          deleted={guests.map(({ id, name, deleted_at: at, until, party_size: party }) => ({
            id,
            name,
            until,
            about: `${say('people', { n: party })} · ${say('deletedOn', { when: dateAndTime(at, language) })} · ${say('until', { when: shortDate(until, language) })}`,
          }))}
          none={say('noneDeleted')}
          restore={say('restore')}
          restoreNamed={(name) => say('restoreNamed', { name })}
          restoring={restore.isPending ? restore.variables.id : undefined}
          onRestore={mayEdit ? (one) => void bringBack(one) : undefined}
        >
          {read.hasNextPage && (
            <Button
              variant="default"
              mt="lg"
              loading={read.isFetchingNextPage}
              onClick={() => read.fetchNextPage()}
            >
              {say('showMore')}
            </Button>
          )}
        </DeletedList>
      )}
    </Stack>
  );
}
