import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Round, RoundGuest } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SearchInput } from '../../../components/search-input.tsx';
import { dateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { useMarkGuest } from '../api/contact-list.ts';
import { roundGuestsQuery } from '../api/rounds.ts';
import { DELIVERIES, type RoundSearch } from '../api/search.ts';
import { words } from '../words.ts';
import { Calls } from './calls.tsx';
import classes from './messages.module.css';

interface RoundGuestsProps {
  eventId: string;
  round: Round;
  search: RoundSearch;
  mayWrite: boolean;
  onSearchChange(change: RoundSearch): void;
}

/** List of a round's guests by name, each with the state of the message. */
export function RoundGuests({ eventId, round, search, mayWrite, onSearchChange }: RoundGuestsProps) {
  const say = useWords(words);
  const query = useInfiniteQuery(roundGuestsQuery(eventId, round, search));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const guests = data?.pages.flatMap((page) => page.guests);
  return (
    <Card title={say('guests')}>
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <SearchInput
            label={say('searchGuests')}
            placeholder={say('searchHint')}
            q={search.q}
            onSearchChange={(q) => onSearchChange({ q })}
          />
          <Select
            label={say('show')}
            maw={220}
            allowDeselect={false}
            value={search.show ?? ''}
            data={[
              { value: '', label: say('everybody') },
              ...DELIVERIES.map((value) => ({ value, label: say(`one_${value}`) })),
            ]}
            onChange={(value) => onSearchChange({ show: DELIVERIES.find((delivery) => delivery === value) })}
          />
        </Group>
        {error && <ProblemNote error={error} onRetry={() => refetch()} />}
        {!guests && !error && <Skeleton height={220} />}
        {guests?.length === 0 && <Text c="dimmed">{say('nobodyHere')}</Text>}
        {guests && guests.length > 0 && (
          <ul className={classes.list} style={{ gap: 0 }}>
            {guests.map((guest) => (
              <Guest key={guest.guest_id} eventId={eventId} guest={guest} round={round} mayWrite={mayWrite} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <Group justify="center">
            <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
              {say('showMore')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}

interface GuestProps {
  eventId: string;
  round: Round;
  guest: RoundGuest;
  mayWrite: boolean;
}

function Guest({ eventId, round, guest, mayWrite }: GuestProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { name, email, phone, delivery, left_out: why, problem, answered, tries, call_at: callAt } = guest;
  const isBad = delivery === 'bounced';
  return (
    <li className={classes.guest}>
      <div>
        <Text component="bdi" fw={500}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          <bdi dir="ltr">{round.channel === 'mail' ? email : phone}</bdi>
        </Text>
      </div>
      <div className={classes.became}>
        <Text size="sm" fw={isBad ? 600 : 400} c={isBad ? 'var(--mantine-color-error)' : undefined}>
          {say(why ? `why_${why}` : nameOf(round, delivery))}
          {answered && ` · ${say('hasAnswered')}`}
        </Text>
        {problem && <Text size="sm">{problem}</Text>}
        {guest.waits_until && (
          <Text size="sm" c="dimmed">
            {say('waitsUntil', { at: dateAndTime(guest.waits_until, language) })}
          </Text>
        )}
        {guest.outcome === 'call_again' && callAt && (
          <Text size="sm" c="dimmed">
            {say('callAt', { at: dateAndTime(callAt, language) })}
          </Text>
        )}
        {mayWrite && round.channel === 'by_hand' && (
          <MarkButton eventId={eventId} round={round} guest={guest} />
        )}
      </div>
      {tries > 0 && <CallsOf eventId={eventId} roundId={round.id} guest={guest} />}
    </li>
  );
}

const nameOf = ({ channel }: Round, delivery: RoundGuest['delivery']) => {
  if (channel !== 'phone') return `one_${delivery}` as const;
  return delivery === 'waiting'
    ? 'one_toCall'
    : delivery === 'sent'
      ? 'one_called'
      : (`one_${delivery}` as const);
};

/** Button that marks the message to one guest as sent or as not sent, whatever the order of the guests. */
function MarkButton({
  eventId,
  round,
  guest: { guest_id: guestId, name, delivery },
}: Omit<GuestProps, 'mayWrite'>) {
  const say = useWords(words);
  const mark = useMarkGuest(eventId, round.id);
  const isTold = delivery === 'sent';
  if (!isTold && delivery !== 'waiting') return null;
  return (
    <>
      <Button
        variant="subtle"
        px={6}
        aria-label={say(isTold ? 'notSentNamed' : 'sentNamed', { name })}
        loading={mark.isPending}
        onClick={() => mark.mutate({ guestId, mark: isTold ? 'not_told' : 'told' })}
      >
        {say(isTold ? 'notSent' : 'sentIt')}
      </Button>
      <ProblemNote error={mark.error} />
    </>
  );
}

function CallsOf({ eventId, roundId, guest }: { eventId: string; roundId: string; guest: RoundGuest }) {
  const say = useWords(words);
  const [isOpen, setOpen] = useState(false);
  const { guest_id: guestId, name, tries } = guest;
  return (
    <div className={classes.calls}>
      <Button
        variant="subtle"
        px={6}
        aria-expanded={isOpen}
        aria-label={say('callsTo', { name, n: tries })}
        onClick={() => setOpen(!isOpen)}
      >
        {say('callsN', { n: tries })}
      </Button>
      {isOpen && <Calls eventId={eventId} roundId={roundId} guestId={guestId} />}
    </div>
  );
}
