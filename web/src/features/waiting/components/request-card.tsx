import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GuestRequest } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime } from '../../../lib/dates.ts';
import { formatPhone } from '../../../lib/format-phone.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { textIn } from '../../../lib/languages.ts';
import { questionsQuery } from '../../guests/api/guests.ts';
import { DIETS } from '../../guests/api/search.ts';
import { words } from '../words.ts';
import { PartySize } from './party-size.tsx';
import { SimilarGuests } from './similar-guests.tsx';
import classes from './waiting.module.css';

interface RequestCardProps {
  eventId: string;
  request: GuestRequest;
  requests: readonly GuestRequest[];
  /** Functions that accept or decline the request to come; missing for users who may not decide. */
  decide?: { accept(): void; decline(): void; isPending: boolean; error: unknown };
}

/** Card of a request to come: contact data, message, and existing guests who may be the same person. */
export function RequestCard({ eventId, request, requests, decide }: RequestCardProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { name, phone, email, company, role, message, coming, may_be: alike } = request;
  const { created_at: asked, decided_at: decided, status } = request;
  const work = company && role ? say('worksAs', { role, company }) : (company ?? role);
  return (
    <Paper component="article" aria-label={name} bg="var(--simcha-card)" withBorder radius="lg" p="md">
      <Stack gap="sm">
        <div>
          <Title order={3} size="h4">
            <bdi>{name}</bdi>
          </Title>
          <Text>
            <PartySize people={coming} ofThemChildren={request.coming_children} />
            {work && (
              <>
                {' · '}
                <bdi>{work}</bdi>
              </>
            )}
          </Text>
          <div className={classes.facts}>
            {phone && (
              <a href={`tel:${phone}`} className={classes.contact}>
                <bdi dir="ltr">{formatPhone(phone)}</bdi>
              </a>
            )}
            {email && (
              <a href={`mailto:${email}`} className={classes.contact}>
                <bdi dir="ltr">{email}</bdi>
              </a>
            )}
          </div>
          <Text size="sm" c="dimmed">
            {status === 'declined' && decided
              ? say('declinedOn', { when: dateAndTime(decided, language) })
              : say('asked', { when: dateAndTime(asked, language) })}
          </Text>
        </div>
        <Companions request={request} />
        {message && (
          <Text component="blockquote" dir="auto" className={classes.wrote} aria-label={say('wrote')}>
            {message}
          </Text>
        )}
        <Eats request={request} />
        <Answered eventId={eventId} answers={request.answers} />
        {alike.length > 0 && <SimilarGuests eventId={eventId} request={request} requests={requests} />}
        {decide && <Decide name={name} {...decide} />}
      </Stack>
    </Paper>
  );
}

/** Names of the people with whom the author of a request wants to come. */
function Companions({ request: { name, members } }: { request: GuestRequest }) {
  const say = useWords(words);
  const names = members.flatMap((member) => (member.name && member.name !== name ? [member.name] : []));
  if (names.length === 0) return null;
  return (
    <Text size="sm" dir="auto">
      {say('with', { names: names.join(', ') })}
    </Text>
  );
}

function Eats({ request }: { request: GuestRequest }) {
  const say = useWords(words);
  const meals = DIETS.flatMap((diet) =>
    diet !== 'allergies' && request[diet] > 0 ? [say('meal', { what: say(diet), n: request[diet] })] : [],
  );
  const allergies = [request, ...request.members].flatMap((one) => one.allergies ?? []).join(', ');
  if (meals.length === 0 && !allergies) return null;
  return (
    <div className={classes.facts}>
      {meals.map((meal) => (
        <Text key={meal} size="sm">
          {meal}
        </Text>
      ))}
      {allergies && (
        <Text size="sm" fw={600}>
          {say('allergies', { what: allergies })}
        </Text>
      )}
    </div>
  );
}

/** Answers to the event's own questions in a request to come. */
function Answered({ eventId, answers }: { eventId: string; answers: GuestRequest['answers'] }) {
  const { language } = useLanguage();
  const { data: questions = [] } = useQuery(questionsQuery(eventId));
  const given = questions.filter(({ id }) => answers[id] !== undefined);
  if (given.length === 0) return null;
  return (
    <dl style={{ margin: 0 }}>
      {given.map(({ id, text, options }) => {
        const chosen = options.find((option) => option.id === answers[id]);
        return (
          <div key={id}>
            <Text component="dt" size="sm" c="dimmed">
              <bdi>{textIn(text, language)}</bdi>
            </Text>
            <Text component="dd" m={0}>
              <bdi>{chosen ? textIn(chosen.text, language) : answers[id]}</bdi>
            </Text>
          </div>
        );
      })}
    </dl>
  );
}

type DecideProps = NonNullable<RequestCardProps['decide']> & { name: string };

/** Buttons to accept and to decline a request. Declining can't be undone, so it is explained first. */
function Decide({ name, accept, decline, isPending, error }: DecideProps) {
  const say = useWords(words);
  const [isAsked, setAsked] = useState(false);
  return (
    <Stack gap="sm">
      <ProblemNote error={error} />
      {isAsked ? (
        <Alert color="gray" role="group" aria-label={say('declineNamed', { name })}>
          <Stack gap="sm">
            <Text>{say('declineAbout')}</Text>
            <Group gap="sm">
              <Button variant="default" autoFocus onClick={() => setAsked(false)}>
                {say('keep')}
              </Button>
              <Button
                color="red"
                loading={isPending}
                aria-label={say('declineNowNamed', { name })}
                onClick={decline}
              >
                {say('declineNow')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      ) : (
        <Group gap="sm">
          <Button loading={isPending} aria-label={say('acceptNamed', { name })} onClick={accept}>
            {say('accept')}
          </Button>
          <Button
            variant="default"
            disabled={isPending}
            aria-label={say('declineNamed', { name })}
            onClick={() => setAsked(true)}
          >
            {say('decline')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
