import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { BackLink } from '../../../components/back-link.tsx';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { Failure } from '../../../components/failure.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGE_NAMES, LANGUAGES } from '../../../lib/languages.ts';
import { useAccess } from '../../events/api/access.ts';
import { eventQuery } from '../../events/api/events.ts';
import { isByPeople, isStillSent } from '../api/kinds.ts';
import { type ReadRound, roundQuery } from '../api/rounds.ts';
import type { RoundSearch } from '../api/search.ts';
import { DeliveryBar } from '../components/delivery-bar.tsx';
import { LeftOut } from '../components/left-out.tsx';
import { RoundGuests } from '../components/round-guests.tsx';
import { RoundState } from '../components/round-state.tsx';
import { ScheduledRound } from '../components/scheduled-round.tsx';
import { UnreachedGuests } from '../components/unreached-guests.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/messages/$roundId');

/** Page of a round: its guests with their messages and, while it is scheduled, its texts and time. */
export function RoundPage() {
  const say = useWords(words);
  const { language } = useLanguage();
  const { eventId, roundId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const mayWrite = useAccess(eventId) !== 'view';
  const { data, error, refetch } = useQuery(roundQuery(eventId, roundId));
  const changeSearch = (change: RoundSearch) =>
    navigate({ search: { ...search, ...change }, replace: true, resetScroll: false }).catch(() => {});
  if (error && !data) return <Failure error={error} reset={() => refetch()} />;
  if (!data) return <LoadingSkeleton />;
  const { round } = data;
  const { kind, channel, state, automatic, send_at: sendAt, created_at: at } = round;
  const when = dateAndTime(sendAt ?? at, language);
  return (
    <Stack gap="lg">
      <BackLink to="/events/$eventId/messages" params={{ eventId }}>
        {say('back')}
      </BackLink>
      <div>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Title order={2} size="h3">
              {say(kind)}
            </Title>
            <Text c="dimmed">
              {state === 'scheduled' ? say('goesAt', { at: when }) : when}
              {' · '}
              {say(channel)}
              {automatic && ` · ${say('automatic')}`}
            </Text>
          </div>
          <div aria-live="polite" style={{ flex: 'none' }}>
            <RoundState state={state} />
          </div>
        </Group>
      </div>
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {state === 'scheduled' && (
        <ScheduledRound
          eventId={eventId}
          read={data}
          guestsLanguage={event.language_pref}
          mayWrite={mayWrite}
        />
      )}
      {round.called_off_because && (
        <Card>
          <Text>{say(`off_${round.called_off_because}`)}</Text>
        </Card>
      )}
      {(state === 'sending' || state === 'sent') && (
        <>
          <Card title={say('progress')}>
            <Stack gap="md">
              <DeliveryBar round={round} isWhole />
              {mayWrite && isByPeople(channel) && state === 'sending' && isStillSent(round, event) && (
                <Group>
                  <ButtonLink
                    size="lg"
                    to="/events/$eventId/messages/$roundId/walk"
                    params={{ eventId, roundId }}
                    leftSection={<ListChecks size={22} aria-hidden />}
                  >
                    {say(round.sent > 0 ? 'continueList' : 'startList')}
                  </ButtonLink>
                </Group>
              )}
              <LeftOut leftOut={round.left_out} />
            </Stack>
          </Card>
          <UnreachedGuests eventId={eventId} round={round} mayWrite={mayWrite} />
          <RoundGuests
            eventId={eventId}
            round={round}
            search={search}
            mayWrite={mayWrite}
            onSearchChange={changeSearch}
          />
        </>
      )}
      <OwnWordsRead round={round} />
    </Stack>
  );
}

function OwnWordsRead({ round: { subject, message } }: Pick<ReadRound, 'round'>) {
  const say = useWords(words);
  const written = LANGUAGE_NAMES.filter((name) => subject?.[name] || message?.[name]);
  if (written.length === 0) return null;
  return (
    <Card title={say('own')}>
      <Stack gap="md">
        {written.map((name) => (
          <div key={name} lang={CODE_OF[name]} dir={LANGUAGES[CODE_OF[name]].dir}>
            <Text size="sm" c="dimmed">
              {LANGUAGES[CODE_OF[name]].name}
            </Text>
            {subject?.[name] && <Text fw={500}>{subject[name]}</Text>}
            <Text style={{ whiteSpace: 'pre-wrap' }}>{message?.[name]}</Text>
          </div>
        ))}
      </Stack>
    </Card>
  );
}
