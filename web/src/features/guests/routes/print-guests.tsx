import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Guest } from 'simcha-client';
import { BackLink } from '../../../components/back-link.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime, formatNumber, joinTexts } from '../../../lib/dates.ts';
import { formatPhone } from '../../../lib/format-phone.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { useSeesContacts } from '../../events/api/access.ts';
import { eventCalendarQuery } from '../../events/api/events.ts';
import { allGuestsQuery } from '../api/all-guests.ts';
import { answerOf } from '../api/answer.ts';
import type { GuestListing } from '../api/guests.ts';
import { filterOf, isFiltered, listSearchOf } from '../api/search.ts';
import { filterNames } from '../components/active-filters.ts';
import { words } from '../words.ts';
import classes from './print-guests.module.css';

const route = getRouteApi('/inside/events/$eventId/guests/print');

/** Guest list for paper: all guests of the list's filter in one plain table. It opens the print dialog by itself. */
export function PrintGuests() {
  const say = useWords(words);
  const { language } = useLanguage();
  const { eventId } = route.useParams();
  const search = route.useSearch();
  const listing: GuestListing = { filter: filterOf(search), order: search.order ?? 'name' };
  const { data: guests, error, refetch, dataUpdatedAt } = useQuery(allGuestsQuery(eventId, listing));
  // The event's frame prints the Hebrew date, which this query reads.
  const { isPending: isDatePending } = useQuery(eventCalendarQuery(eventId));
  usePrintOnce(guests !== undefined && !isDatePending);
  return (
    <Stack gap="md">
      <Group justify="space-between" className="on-screen">
        <BackLink to="/events/$eventId/guests" params={{ eventId }} search={listSearchOf(search)}>
          {say('backToList')}
        </BackLink>
        <Button
          leftSection={<Printer size={20} aria-hidden />}
          disabled={!guests}
          onClick={() => window.print()}
        >
          {say('printNow')}
        </Button>
      </Group>
      <div>
        <Title order={2} size="h3">
          {say('list')}
        </Title>
        {isFiltered(search) && (
          <Text>
            <bdi>{joinTexts(filterNames(search, say), language)}</bdi>
          </Text>
        )}
        {guests && (
          <Text c="dimmed" size="sm">
            {say(isFiltered(search) ? 'found' : 'inAll', { n: guests.length })}
            {' · '}
            {say('printedAt', { at: dateAndTime(new Date(dataUpdatedAt).toISOString(), language) })}
          </Text>
        )}
      </div>
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {guests && <Sheet eventId={eventId} guests={guests} />}
      {!guests && !error && <Skeleton height={320} />}
    </Stack>
  );
}

/** Opens the browser's print dialog once the page has all that is printed. */
function usePrintOnce(isReady: boolean): void {
  const wasPrinted = useRef(false);
  useEffect(() => {
    if (!isReady || wasPrinted.current) return;
    wasPrinted.current = true;
    document.fonts.ready.then(
      () => window.print(),
      () => {},
    );
  }, [isReady]);
}

function Sheet({ eventId, guests }: { eventId: string; guests: readonly Guest[] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const seesContacts = useSeesContacts(eventId);
  const sumOf = (pick: (guest: Guest) => number) =>
    formatNumber(
      guests.reduce((sum, guest) => sum + pick(guest), 0),
      language,
    );
  const columns = [
    'name',
    'party',
    'answer',
    'coming',
    ...(seesContacts ? ['phone' as const] : []),
    'tags',
  ] as const;
  return (
    <table className={classes.sheet} aria-label={say('list')}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" className={classes[name]}>
              {say(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {guests.map((guest) => (
          <Row key={guest.id} guest={guest} hasPhone={seesContacts} />
        ))}
        <tr className={classes.sums}>
          <th scope="row">{say('printSum')}</th>
          <td>{sumOf(({ party_size: party }) => party)}</td>
          <td />
          <td>{sumOf(({ coming }) => coming)}</td>
          {seesContacts && <td className={classes.phone} />}
          <td className={classes.tags} />
        </tr>
      </tbody>
    </table>
  );
}

function Row({ guest, hasPhone }: { guest: Guest; hasPhone: boolean }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { name, members, party_size: party, coming, phone, tags } = guest;
  const others = members.flatMap((member) => (member.name && member.name !== name ? [member.name] : []));
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {others.length > 0 && (
          <span className={classes.members}>
            <bdi>{joinTexts(others, language)}</bdi>
          </span>
        )}
      </th>
      <td>{formatNumber(party, language)}</td>
      <td className={classes.answer}>{say(answerOf(guest))}</td>
      <td>{coming > 0 && formatNumber(coming, language)}</td>
      {hasPhone && <td className={classes.phone}>{phone && <bdi dir="ltr">{formatPhone(phone)}</bdi>}</td>}
      <td className={classes.tags}>
        <bdi>{joinTexts(tags, language)}</bdi>
      </td>
    </tr>
  );
}
