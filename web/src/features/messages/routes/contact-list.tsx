import { Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CircleCheckBig, Hourglass } from 'lucide-react';
import type { NextGuest, Round } from 'simcha-client';
import { BackLink } from '../../../components/back-link.tsx';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Failure } from '../../../components/failure.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useAccess } from '../../events/api/access.ts';
import { eventQuery } from '../../events/api/events.ts';
import { nextGuestQuery, remainingGuestsQuery } from '../api/contact-list.ts';
import { isByPeople, isStillSent } from '../api/kinds.ts';
import { roundQuery } from '../api/rounds.ts';
import { ByHand } from '../components/by-hand.tsx';
import { ByPhone } from '../components/by-phone.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/messages/$roundId/walk');

/** Page on which the user writes to or calls the guests of a round, one at a time. Several users can share it. */
export function ContactList() {
  const say = useWords(words);
  const { eventId, roundId } = route.useParams();
  const mayWrite = useAccess(eventId) !== 'view';
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { data, error, refetch } = useQuery(roundQuery(eventId, roundId));
  if (error && !data) return <Failure error={error} reset={() => refetch()} />;
  if (!data) return <LoadingSkeleton />;
  const { round } = data;
  const isList = isByPeople(round.channel) && round.state !== 'scheduled';
  const why = !mayWrite
    ? 'onlyLook'
    : !isList
      ? 'noList'
      : !isStillSent(round, event)
        ? 'noLongerSent'
        : undefined;
  return (
    <Stack gap="md" maw={640} mx="auto" w="100%">
      <BackLink to="/events/$eventId/messages/$roundId" params={{ eventId, roundId }}>
        {say('backToRound')}
      </BackLink>
      <div>
        <Title order={2} size="h3">
          {say(round.kind)} · {say(round.channel)}
        </Title>
      </div>
      {why ? (
        <Card>
          <Text>{say(why)}</Text>
        </Card>
      ) : (
        <OpenContactList eventId={eventId} round={round} />
      )}
    </Stack>
  );
}

function OpenContactList({ eventId, round }: { eventId: string; round: Round }) {
  const { data: guest, error, isError, refetch } = useQuery(nextGuestQuery(eventId, round.id));
  return (
    <>
      <Left eventId={eventId} round={round} />
      {isError ? (
        <ProblemNote error={error} onRetry={() => refetch()} />
      ) : guest === undefined ? (
        <Skeleton height={420} radius="lg" />
      ) : guest === null ? (
        <Nobody eventId={eventId} round={round} />
      ) : (
        <Guest key={guest.guest_id} eventId={eventId} round={round} guest={guest} />
      )}
    </>
  );
}

function Guest(props: { eventId: string; round: Round; guest: NextGuest }) {
  return props.round.channel === 'phone' ? <ByPhone {...props} /> : <ByHand {...props} />;
}

/** Progress of a round's contact list: how many guests are done and how many are left. */
function Left({ eventId, round }: { eventId: string; round: Round }) {
  const say = useWords(words);
  const { data: left } = useQuery(remainingGuestsQuery(eventId, round.id));
  const { sent, chosen } = round;
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text fw={500} role="status">
          {left !== undefined && say('left', { n: left })}
        </Text>
        <Text size="sm" c="dimmed">
          {say('doneOf', { done: sent, of: chosen })}
        </Text>
      </Group>
      <Progress
        value={chosen ? (100 * sent) / chosen : 0}
        size={10}
        radius="xl"
        color="var(--simcha-yes)"
        aria-hidden
      />
    </Stack>
  );
}

function Nobody({ eventId, round }: { eventId: string; round: Round }) {
  const say = useWords(words);
  const isDone = round.waiting === 0;
  return (
    <EmptyState
      icon={isDone ? CircleCheckBig : Hourglass}
      title={say(isDone ? 'allDone' : 'nobodyNow')}
      about={say(isDone ? 'allDoneAbout' : 'nobodyNowAbout')}
    >
      <ButtonLink
        variant={isDone ? 'filled' : 'default'}
        to="/events/$eventId/messages/$roundId"
        params={{ eventId, roundId: round.id }}
      >
        {say('backToRound')}
      </ButtonLink>
    </EmptyState>
  );
}
