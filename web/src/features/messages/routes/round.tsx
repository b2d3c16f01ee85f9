import { Alert, Button, Collapse, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import type { Round } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { Failure } from '../../../components/failure.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useTell } from '../../../components/tell.ts';
import { Waiting } from '../../../components/waiting.tsx';
import { dateAndTime, dayOf, momentOf, timeOfDay } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGE_NAMES, LANGUAGES } from '../../../lib/languages.ts';
import { problemOf } from '../../../lib/problems.ts';
import { useAccess } from '../../events/api/access.ts';
import type { DayAndTime as Moment } from '../api/draft.ts';
import { type ReadRound, roundQuery, useChangeRound } from '../api/rounds.ts';
import { DayAndTime } from '../components/day-and-time.tsx';
import { DeliveryBar } from '../components/delivery-bar.tsx';
import { LeftOut } from '../components/left-out.tsx';
import { RoundGuests } from '../components/round-guests.tsx';
import { RoundState } from '../components/round-state.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/messages/$roundId');

/** One round: what became of it at each guest, and while it waits, its time. */
export function RoundPage() {
  const say = useWords(words);
  const { language } = useLanguage();
  const { eventId, roundId } = route.useParams();
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useAccess(eventId) !== 'view';
  const { data, error, refetch } = useQuery(roundQuery(eventId, roundId));
  if (error && !data) return <Failure error={error} reset={() => refetch()} />;
  if (!data) return <Waiting />;
  const { round } = data;
  const { kind, channel, state, automatic, send_at: sendAt, created_at: at } = round;
  const when = dateAndTime(sendAt ?? at, language);
  return (
    <Stack gap="lg">
      <div>
        <ButtonLink
          to="/events/$eventId/messages"
          params={{ eventId }}
          variant="subtle"
          px={6}
          leftSection={<ArrowLeft size={18} className="turns" aria-hidden />}
        >
          {say('back')}
        </ButtonLink>
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
          <div aria-live="polite">
            <RoundState state={state} />
          </div>
        </Group>
      </div>
      {error && <ProblemNote error={error} again={() => refetch()} />}
      {state === 'scheduled' && <Planned eventId={eventId} read={data} mayWrite={mayWrite} />}
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
              <LeftOut leftOut={round.left_out} />
            </Stack>
          </Card>
          <RoundGuests
            eventId={eventId}
            round={round}
            show={show}
            onShow={(shown) =>
              navigate({ search: { show: shown }, replace: true, resetScroll: false }).catch(() => {})
            }
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

const momentFrom = ({ send_at: at }: Round): Moment => ({
  date: at && dayOf(at),
  time: at ? timeOfDay(at, 'en') : '',
});

/** One that waits for its time can be moved and called off. */
function Planned({ eventId, read, mayWrite }: { eventId: string; read: ReadRound; mayWrite: boolean }) {
  const say = useWords(words);
  const tell = useTell();
  const { language } = useLanguage();
  const { round, etag } = read;
  const change = useChangeRound(eventId, round.id);
  const [doing, setDoing] = useState<'move' | 'call-off'>();
  const [moment, setMoment] = useState<Moment>(() => momentFrom(round));
  const problem = change.error ? problemOf(change.error, language) : undefined;
  const isAtTime = problem?.field === 'send_at';
  const sendAt = momentOf(moment);
  const openMove = () => {
    // As it stands now: what is typed after that stays, though somebody else moves it meanwhile.
    setMoment(momentFrom(round));
    setDoing(doing === 'move' ? undefined : 'move');
  };
  const move = () => {
    if (!sendAt) return;
    const onSuccess = () => {
      setDoing(undefined);
      tell(say('moved'));
    };
    change.mutate({ kind: 'change', etag, body: { send_at: sendAt } }, { onSuccess });
  };
  const callOff = () => change.mutate({ kind: 'call-off' }, { onSuccess: () => tell(say('calledOff')) });
  return (
    <Card>
      <Stack gap="md">
        <Text>{say('lookedUp')}</Text>
        {mayWrite && (
          <Group gap="sm">
            <Button variant="default" aria-expanded={doing === 'move'} onClick={openMove}>
              {say('move')}
            </Button>
            <Button
              variant="subtle"
              color="red"
              aria-expanded={doing === 'call-off'}
              onClick={() => setDoing(doing === 'call-off' ? undefined : 'call-off')}
            >
              {say('callOff')}
            </Button>
          </Group>
        )}
        {!isAtTime && <ProblemNote error={change.error} />}
        <Collapse expanded={doing === 'move'}>
          <Stack gap="md" align="stretch">
            <DayAndTime
              value={moment}
              error={isAtTime ? problem.sentence : sendAt ? undefined : say('pickBoth')}
              onChange={setMoment}
            />
            <Group>
              <Button onClick={move} loading={change.isPending}>
                {say('moveIt')}
              </Button>
            </Group>
          </Stack>
        </Collapse>
        <Collapse expanded={doing === 'call-off'}>
          <Alert color="gray" role="group" aria-label={say('callOff')}>
            <Stack gap="sm">
              <Text>{say('callOffAbout')}</Text>
              <Group gap="sm">
                <Button variant="default" onClick={() => setDoing(undefined)}>
                  {say('keep')}
                </Button>
                <Button color="red" onClick={callOff} loading={change.isPending}>
                  {say('callOff')}
                </Button>
              </Group>
            </Stack>
          </Alert>
        </Collapse>
      </Stack>
    </Card>
  );
}
