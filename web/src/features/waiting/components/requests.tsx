import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DoorOpen, Inbox } from 'lucide-react';
import { useState } from 'react';
import type { GuestRequest } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useNotify } from '../../../components/notify.ts';
import { useNotifyWithAction } from '../../../components/notify-with-action.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { eventQuery, isAwaitingReplies } from '../../events/api/events.ts';
import { rsvpSettingsQuery } from '../../guests/api/guests.ts';
import { requestsQuery, useAccept, useDecline, useDeclineAll } from '../api/requests.ts';
import { words } from '../words.ts';
import { RequestCard } from './request-card.tsx';
import classes from './waiting.module.css';

interface RequestsProps {
  eventId: string;
  status: 'waiting' | 'declined';
  mayEdit: boolean;
}

/** List of requests to come from people who were not invited. */
export function Requests({ eventId, status, mayEdit }: RequestsProps) {
  const say = useWords(words);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    requestsQuery(eventId, status),
  );
  const decideOf = useDecide(eventId);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  if (error && !data) return <ProblemNote error={error} onRetry={() => refetch()} />;
  const requests = data?.pages.flatMap((page) => page.requests);
  const isOpen = status === 'waiting';
  const total = data?.pages[0]?.total ?? 0;
  if (requests?.length === 0 && isOpen && !isAwaitingReplies(event))
    return <EmptyState icon={DoorOpen} title={say('noRequests')} about={say('notAwaiting')} />;
  if (requests?.length === 0)
    return isOpen ? (
      <NoRequests eventId={eventId} mayEdit={mayEdit} />
    ) : (
      <EmptyState icon={Inbox} title={say('noneDeclined')} about={say('noneDeclinedAbout')} />
    );
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          {say(isOpen ? 'requests' : 'declinedTitle')}
        </Title>
        {isOpen && <Text c="dimmed">{say(isAwaitingReplies(event) ? 'requestsAbout' : 'notAwaiting')}</Text>}
      </div>
      {isOpen && mayEdit && total > 1 && <DeclineAll eventId={eventId} total={total} />}
      {requests ? (
        <ul className={classes.requests}>
          {requests.map((request) => (
            <li key={request.id}>
              <RequestCard
                eventId={eventId}
                request={request}
                requests={requests}
                {...(mayEdit && isOpen && { decide: decideOf(request) })}
              />
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height={220} radius="lg" />
      )}
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {say('more')}
        </Button>
      )}
    </Stack>
  );
}

function DeclineAll({ eventId, total }: { eventId: string; total: number }) {
  const say = useWords(words);
  const notify = useNotify();
  const { mutate, isPending, error } = useDeclineAll(eventId);
  return (
    <ConfirmButton
      label={say('declineAll', { n: total })}
      keep={say('keepAll')}
      about={say('declineAllAbout')}
      error={error}
      isPending={isPending}
      onConfirm={() =>
        mutate(undefined, { onSuccess: (declined) => notify(say('declinedAll', { n: declined })) })
      }
    />
  );
}

/**
 * Accepts and declines requests to come. The hook belongs to the list: the card of a request is removed once it is
 * decided.
 */
function useDecide(eventId: string) {
  const say = useWords(words);
  const notify = useNotify();
  const offer = useNotifyWithAction();
  const navigate = useNavigate();
  const accept = useAccept(eventId);
  const decline = useDecline(eventId);
  const [failed, setFailed] = useState<{ id: string; error: unknown }>();
  return ({ id, name }: GuestRequest) => ({
    isPending: [accept, decline].some(({ isPending, variables }) => isPending && variables === id),
    error: failed?.id === id ? failed.error : undefined,
    accept() {
      setFailed(undefined);
      accept.mutateAsync(id).then(
        ({ guest }) =>
          offer({
            message: say(guest.waiting_since ? 'acceptedWaits' : 'accepted', { name: guest.name }),
            action: say('openGuest'),
            act: () =>
              void navigate({
                to: '/events/$eventId/guests',
                params: { eventId },
                search: { guest: guest.id },
              }),
          }),
        (error) => setFailed({ id, error }),
      );
    },
    decline() {
      setFailed(undefined);
      decline.mutateAsync(id).then(
        () => notify(say('declined', { name })),
        (error) => setFailed({ id, error }),
      );
    },
  });
}

function NoRequests({ eventId, mayEdit }: { eventId: string; mayEdit: boolean }) {
  const say = useWords(words);
  const { data: settings } = useQuery(rsvpSettingsQuery(eventId));
  if (!settings) return <Skeleton height={330} radius="lg" />;
  return (
    <EmptyState
      icon={DoorOpen}
      title={say('noRequests')}
      about={say(settings.open ? 'noRequestsAbout' : 'linkClosed')}
    >
      {mayEdit && (
        <ButtonLink
          to="/events/$eventId/invitation"
          search={{ part: 'answers' }}
          params={{ eventId }}
          {...(settings.open && { variant: 'default' })}
        >
          {say(settings.open ? 'toOpenLink' : 'openLink')}
        </ButtonLink>
      )}
    </EmptyState>
  );
}
