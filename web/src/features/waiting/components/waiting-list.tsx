import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import type { CountedEvent, Guest, GuestCounts } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useNotify, useNotifyProblem } from '../../../components/notify.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime, formatNumber } from '../../../lib/dates.ts';
import { formatPhone } from '../../../lib/format-phone.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { countsQuery, eventQuery, isAwaitingReplies } from '../../events/api/events.ts';
import { useWaitingListActions, waitingListQuery } from '../api/waiting-list.ts';
import { words } from '../words.ts';
import { PartySize } from './party-size.tsx';
import classes from './waiting.module.css';

/** Waiting list: guests who confirmed and have no place yet, in the order in which they get one. */
export function WaitingList({ eventId, mayEdit }: { eventId: string; mayEdit: boolean }) {
  const say = useWords(words);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    waitingListQuery(eventId),
  );
  const { data: counts } = useQuery(countsQuery(eventId));
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const onSeat = useSeat(eventId);
  const onDecline = useSayNo(eventId);
  if (error && !data) return <ProblemNote error={error} onRetry={() => refetch()} />;
  const guests = data?.pages.flatMap((page) => page.guests);
  if (guests?.length === 0) return <NobodyWaits event={event} counts={counts} mayEdit={mayEdit} />;
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          {say('line')}
        </Title>
        <Text c="dimmed">{say(isAwaitingReplies(event) ? 'lineAbout' : 'notAwaiting')}</Text>
      </div>
      <Card>
        <Room eventId={eventId} counts={counts} mayEdit={mayEdit} />
        {guests ? (
          <ol className={classes.line}>
            {guests.map((guest, at) => (
              <WaitingGuest
                key={guest.id}
                guest={guest}
                turn={at + 1}
                {...(mayEdit && { onSeat: () => onSeat(guest), onDecline: () => onDecline(guest) })}
              />
            ))}
          </ol>
        ) : (
          <Skeleton height={180} />
        )}
      </Card>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {say('more')}
        </Button>
      )}
    </Stack>
  );
}

function Room({
  eventId,
  counts,
  mayEdit,
}: {
  eventId: string;
  counts: GuestCounts | undefined;
  mayEdit: boolean;
}) {
  const say = useWords(words);
  if (!counts) return <Skeleton height={28} />;
  const { places_left: left } = counts;
  return (
    <Group justify="space-between" gap="xs">
      <Text fw={600}>
        {left === null ? say('noLimit') : left < 0 ? say('over', { n: -left }) : say('places', { n: left })}
      </Text>
      {mayEdit && (
        <Anchor
          renderRoot={(props) => <Link to="/events/$eventId/details" params={{ eventId }} {...props} />}
          py={10}
        >
          {say('changeLimit')}
        </Anchor>
      )}
    </Group>
  );
}

interface WaitingGuestProps {
  guest: Guest;
  turn: number;
  onSeat?(): void;
  onDecline?(): void;
}

function WaitingGuest({ guest, turn, onSeat, onDecline }: WaitingGuestProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { id, event_id: eventId, name, waiting_since: since, phone } = guest;
  return (
    <li className={classes.turn}>
      <Text component="span" className={classes.number} aria-hidden>
        {formatNumber(turn, language)}
      </Text>
      <div className={classes.who}>
        <Title order={3} size="h5">
          <Link
            to="/events/$eventId/guests"
            params={{ eventId }}
            search={{ guest: id }}
            className={classes.name}
          >
            <bdi>{name}</bdi>
          </Link>
        </Title>
        <Text size="sm">
          <PartySize people={guest.coming} ofThemChildren={guest.coming_children} />
          {phone && (
            <>
              {' · '}
              <a href={`tel:${phone}`} className={classes.contact}>
                <bdi dir="ltr">{formatPhone(phone)}</bdi>
              </a>
            </>
          )}
        </Text>
        {since && (
          <Text size="sm" c="dimmed">
            {say('since', { when: dateAndTime(since, language) })}
          </Text>
        )}
      </div>
      {onSeat && onDecline && (
        <Group gap="xs" className={classes.ways}>
          <Button variant="light" aria-label={say('seatNamed', { name })} onClick={onSeat}>
            {say('seat')}
          </Button>
          <Button variant="default" aria-label={say('sayNoNamed', { name })} onClick={onDecline}>
            {say('sayNo')}
          </Button>
        </Group>
      )}
    </li>
  );
}

interface NobodyProps {
  event: CountedEvent;
  counts: GuestCounts | undefined;
  mayEdit: boolean;
}

function NobodyWaits({ event, counts, mayEdit }: NobodyProps) {
  const say = useWords(words);
  if (!isAwaitingReplies(event))
    return <EmptyState icon={Hourglass} title={say('nobodyWaits')} about={say('notAwaiting')} />;
  return (
    <EmptyState icon={Hourglass} title={say('nobodyWaits')} about={say('nobodyWaitsAbout')}>
      {mayEdit && counts?.places_left === null && (
        <ButtonLink variant="default" to="/events/$eventId/details" params={{ eventId: event.id }}>
          {say('setLimit')}
        </ButtonLink>
      )}
      {counts && counts.places_left !== null && (
        <Text fw={600}>{say('places', { n: Math.max(0, counts.places_left) })}</Text>
      )}
    </EmptyState>
  );
}

/**
 * Notifies that a guest has left the waiting list, and offers to put them back. The hook belongs to the list, since the
 * guest's card is removed.
 */
function useDone(eventId: string) {
  const say = useWords(words);
  const notify = useNotify();
  const notifyWithUndo = useNotifyWithUndo();
  const { putBack } = useWaitingListActions(eventId);
  const fail = useNotifyProblem();
  const done = (guest: Guest, message: string) =>
    notifyWithUndo(message, () => putBack(guest).then(() => notify(say('backInLine', { name: guest.name }))));
  return { done, fail };
}

function useSeat(eventId: string): (guest: Guest) => void {
  const say = useWords(words);
  const { seat } = useWaitingListActions(eventId);
  const { done, fail } = useDone(eventId);
  return (guest) => void seat(guest).then(() => done(guest, say('seated', { name: guest.name })), fail);
}

function useSayNo(eventId: string): (guest: Guest) => void {
  const say = useWords(words);
  const { decline } = useWaitingListActions(eventId);
  const { done, fail } = useDone(eventId);
  return (guest) => void decline(guest).then(() => done(guest, say('refused', { name: guest.name })), fail);
}
