import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Round, RoundGuest } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { roundGuestsQuery } from '../api/rounds.ts';
import { DELIVERIES } from '../api/search.ts';
import { words } from '../words.ts';
import classes from './messages.module.css';

/** So many are shown at first, and with each step. */
const STEP = 50;

interface RoundGuestsProps {
  eventId: string;
  round: Round;
  show: RoundGuest['delivery'] | undefined;
  onShow(show: RoundGuest['delivery'] | undefined): void;
}

/** What became of it at each guest: first who needs a hand. */
export function RoundGuests({ eventId, round, show, onShow }: RoundGuestsProps) {
  const say = useWords(words);
  const { data: guests, error, refetch } = useQuery(roundGuestsQuery(eventId, round));
  const [most, setMost] = useState(STEP);
  const there = DELIVERIES.filter(
    (delivery) => delivery === show || guests?.some((guest) => guest.delivery === delivery),
  );
  const found = there
    .filter((delivery) => !show || delivery === show)
    .flatMap((delivery) => guests?.filter((guest) => guest.delivery === delivery) ?? []);
  return (
    <Card title={say('guests')}>
      <Stack gap="sm">
        {error && <ProblemNote error={error} again={() => refetch()} />}
        {!guests && !error && <Skeleton height={220} />}
        {guests && (
          <>
            <Select
              label={say('show')}
              maw={260}
              allowDeselect={false}
              value={show ?? ''}
              data={[
                { value: '', label: say('everybody') },
                ...there.map((value) => ({ value, label: say(`one_${value}`) })),
              ]}
              onChange={(value) => {
                setMost(STEP);
                onShow(DELIVERIES.find((delivery) => delivery === value));
              }}
            />
            {found.length === 0 ? (
              <Text c="dimmed">{say('nobodyHere')}</Text>
            ) : (
              <ul className={classes.list} style={{ gap: 0 }}>
                {found.slice(0, most).map((guest) => (
                  <Guest key={guest.guest_id} guest={guest} channel={round.channel} />
                ))}
              </ul>
            )}
            {found.length > most && (
              <Group justify="center">
                <Button variant="default" onClick={() => setMost(most + STEP)}>
                  {say('more', { n: Math.min(STEP, found.length - most) })}
                </Button>
              </Group>
            )}
          </>
        )}
      </Stack>
    </Card>
  );
}

function Guest({ guest, channel }: { guest: RoundGuest; channel: Round['channel'] }) {
  const say = useWords(words);
  const { name, email, phone, delivery, left_out: why, problem, answered } = guest;
  const isBad = delivery === 'bounced';
  return (
    <li className={classes.guest}>
      <div>
        <Text component="bdi" fw={500}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          <bdi dir="ltr">{channel === 'mail' ? email : phone}</bdi>
        </Text>
      </div>
      <div>
        <Text size="sm" fw={isBad ? 600 : 400} c={isBad ? 'var(--mantine-color-error)' : undefined}>
          {why ? say(`why_${why}`) : say(`one_${delivery}`)}
          {answered && ` · ${say('hasAnswered')}`}
        </Text>
        {problem && <Text size="sm">{problem}</Text>}
      </div>
    </li>
  );
}
