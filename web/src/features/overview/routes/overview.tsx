import { Anchor, Box, Group, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Radio, TriangleAlert, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CountedEvent, GuestCounts } from 'simcha-client';
import { Advice } from '../../../components/advice.tsx';
import { Card } from '../../../components/card.tsx';
import { Later } from '../../../components/later.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { daysUntil, formatShekels, shortDate } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { useAccess, useSeesContacts } from '../../events/api/access.ts';
import {
  budgetQuery,
  countsQuery,
  eventCalendarQuery,
  eventQuery,
  isAwaitingReplies,
  warningsQuery,
} from '../../events/api/events.ts';
import { totalQuery } from '../../guests/api/guests.ts';
import { useLiveNumbers } from '../../questions/api/live.ts';
import { numbersQuery } from '../../questions/api/numbers.ts';
import { invitationsText, invitedText } from '../../questions/api/standing-texts.ts';
import { type Standing, standingsOf } from '../../questions/api/standings.ts';
import { AnswersOverTime } from '../components/answers-over-time.tsx';
import { EventStatus } from '../components/event-status.tsx';
import { ExampleNote } from '../components/example-note.tsx';
import { MealsCard } from '../components/meals-card.tsx';
import { NextSteps } from '../components/next-steps.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId');

/** Overview page of an event, which shows changes at once. */
export function Overview() {
  const { eventId } = route.useParams();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const mayEdit = useAccess(eventId) !== 'view';
  const seesContacts = useSeesContacts(eventId);
  return (
    <Stack gap="lg">
      <ExampleNote eventId={eventId} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <EventStatus event={event} />
        {mayEdit && <NextSteps event={event} />}
        <Answers event={event} />
        <Later>
          <AnswersOverTime id={eventId} />
          <Day event={event} />
          {seesContacts && <Money id={eventId} />}
          <MealsCard id={eventId} />
          {seesContacts && <Warnings event={event} />}
        </Later>
      </SimpleGrid>
    </Stack>
  );
}

function Answers({ event }: { event: CountedEvent }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const isConnected = useLiveNumbers(event.id);
  const { data: counts, error, refetch } = useQuery(countsQuery(event.id));
  const { data: numbers } = useQuery(numbersQuery(event.id));
  if (error && !counts) return <ProblemNote error={error} onRetry={() => refetch()} />;
  const standings = numbers && standingsOf(numbers);
  const parts = counts && partsOf(counts);
  return (
    <Card title={say('answers')}>
      {!counts || !parts ? (
        <Skeleton height={140} />
      ) : (
        <Stack gap="md">
          <Text fz={28} fw={600} lh={1.2} aria-live="polite">
            {say('people', { n: counts.people })}
          </Text>
          <Progress.Root size={14} radius="xl" aria-hidden>
            {parts.map(({ name, guests, color }) => (
              <Progress.Section
                key={name}
                value={counts.rsvp_total ? (100 * guests) / counts.rsvp_total : 0}
                color={color}
              />
            ))}
          </Progress.Root>
          <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm" component="dl" m={0}>
            {parts.map(({ name, color }) => (
              <div key={name}>
                <Group component="dt" gap={8} wrap="nowrap" fz="sm" c="dimmed">
                  <Box w={12} h={12} bg={color} style={{ borderRadius: 4, flex: 'none' }} aria-hidden />
                  {say(name)}
                </Group>
                <People standing={standings?.find((standing) => standing.name === name)} />
              </div>
            ))}
          </SimpleGrid>
          {numbers && <Text>{invitedText(numbers, language)}</Text>}
          <Group justify="space-between">
            <Text c="dimmed">
              {counts.places_left === null
                ? say('noLimit')
                : `${say('placesOf', placesOf(counts, counts.places_left))} · ${say('placesLeft', { n: Math.max(0, counts.places_left) })}`}
              {counts.held > 0 && ` · ${say('held', { n: counts.held })}`}
            </Text>
            <Group gap={6} c="dimmed">
              {isConnected ? <Radio size={16} aria-hidden /> : <WifiOff size={16} aria-hidden />}
              <Text size="sm">{say(isConnected ? 'live' : 'notLive')}</Text>
            </Group>
          </Group>
        </Stack>
      )}
    </Card>
  );
}

/** People of one state of answers, and their invitations. */
function People({ standing }: { standing: Standing | undefined }) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (!standing) return <Skeleton component="dd" m={0} height={50} width="60%" />;
  return (
    <>
      <Text component="dd" m={0} ps={20} fw={600} fz="lg">
        {say('peopleN', { n: standing.people })}
      </Text>
      <Text component="dd" m={0} ps={20} size="sm" c="dimmed">
        {invitationsText(standing, language)}
      </Text>
    </>
  );
}

const placesOf = ({ people, held }: GuestCounts, left: number) => ({
  people,
  places: Math.max(0, people + held + left),
});

function partsOf(counts: GuestCounts) {
  const { rsvp_confirmed: yes, rsvp_declined: no, rsvp_pending: pending, maybe, waiting } = counts;
  return [
    { name: 'yes', guests: yes, color: 'var(--simcha-yes)' },
    { name: 'maybe', guests: maybe, color: 'var(--simcha-maybe)' },
    { name: 'waiting', guests: waiting, color: 'var(--simcha-waiting)' },
    { name: 'no', guests: no, color: 'var(--simcha-no)' },
    { name: 'unanswered', guests: pending - maybe - waiting, color: 'var(--mantine-color-default-border)' },
  ] as const;
}

function Day({ event }: { event: CountedEvent }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: calendar } = useQuery(eventCalendarQuery(event.id));
  const days = event.event_date ? daysUntil(event.event_date) : -1;
  const hebrew = calendar?.hebrew_date;
  return (
    <Card title={say('day')}>
      <Stack gap="sm">
        {days >= 0 && (
          <Text fz={28} fw={600} lh={1.2}>
            {say('daysToGo', { n: days })}
          </Text>
        )}
        {hebrew ? (
          <Text>{language === 'he' ? hebrew.letters : hebrew.text}</Text>
        ) : (
          <Skeleton height={24} width="50%" />
        )}
        <Advice
          advice={(calendar?.advice ?? []).map((one) => ({ ...one, message: `${one.name}: ${one.message}` }))}
        />
      </Stack>
    </Card>
  );
}

function Money({ id }: { id: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: budget, error, refetch } = useQuery(budgetQuery(id));
  if (error && !budget) return <ProblemNote error={error} onRetry={() => refetch()} />;
  return (
    <Card title={say('money')}>
      {!budget ? (
        <Skeleton height={152} />
      ) : (
        <Stack gap="sm">
          <Text fz={28} fw={600} lh={1.2}>
            {budget.budget === null ? say('noBudget') : formatShekels(budget.budget, language)}
          </Text>
          <SimpleGrid cols={3} component="dl" m={0}>
            {(['planned', 'booked', 'paid'] as const).map((name) => (
              <div key={name}>
                <Text component="dt" size="sm" c="dimmed">
                  {say(name)}
                </Text>
                <Text component="dd" m={0} fw={600}>
                  {formatShekels(budget[name], language)}
                </Text>
              </div>
            ))}
          </SimpleGrid>
          {budget.due_next && (
            <Text c={budget.due_next.overdue ? 'var(--mantine-color-error)' : 'dimmed'}>
              {say('dueNext', {
                who: budget.due_next.vendor_name,
                amount: formatShekels(budget.due_next.amount, language),
                date: shortDate(`${budget.due_next.due_date}T12:00:00Z`, language),
              })}
            </Text>
          )}
        </Stack>
      )}
    </Card>
  );
}

function Warnings({ event }: { event: CountedEvent }) {
  const say = useWords(words);
  const { id } = event;
  const { data: warnings } = useQuery(warningsQuery(id));
  const { data: counts } = useQuery(countsQuery(id));
  const { data: plusOnes = 0 } = useQuery({
    ...totalQuery(id, { plus_ones: true }),
    enabled: isAwaitingReplies(event) && (counts?.plus_ones ?? 0) > 0,
  });
  return (
    <Card title={say('warnings')}>
      {!warnings ? (
        <Skeleton height={60} />
      ) : warnings.length === 0 && plusOnes === 0 ? (
        <Text c="dimmed">{say('allWell')}</Text>
      ) : (
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {plusOnes > 0 && (
            <Warning>
              <Anchor
                renderRoot={(props) => (
                  <Link
                    to="/events/$eventId/guests"
                    params={{ eventId: id }}
                    search={{ plus_ones: true }}
                    {...props}
                  />
                )}
              >
                {say('plus_ones', { n: plusOnes })}
              </Anchor>
            </Warning>
          )}
          {warnings.map(({ code, message, booking_id: booking }) => (
            <Warning key={`${code} ${booking} ${message}`}>{message}</Warning>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <Group component="li" gap={10} wrap="nowrap" align="flex-start">
      <TriangleAlert size={20} color="var(--mantine-color-error)" style={{ flex: 'none' }} aria-hidden />
      <Text component="div">{children}</Text>
    </Group>
  );
}
