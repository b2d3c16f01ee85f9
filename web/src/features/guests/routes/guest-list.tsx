import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, UsersRound } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useMayEdit, useSeesContacts } from '../../events/api/access.ts';
import { countsQuery, eventQuery, isAwaitingReplies } from '../../events/api/events.ts';
import { type GuestListing, guestPageQuery } from '../api/guests.ts';
import { useLiveGuests } from '../api/live.ts';
import { filterOf, type GuestSearch, isFiltered, listSearchOf } from '../api/search.ts';
import { ActiveFilters, AnswerChips, FilterButton, SearchField } from '../components/filters.tsx';
import { GuestListMenu } from '../components/guest-list-menu.tsx';
import { useGuestSelection } from '../components/guest-selection.ts';
import { GuestTable } from '../components/guest-table.tsx';
import classes from '../components/list.module.css';
import { useQuickChange } from '../components/quick-change.ts';
import { useRemoveGuest } from '../components/remove-guest.ts';
import { SelectionBar } from '../components/selection-bar.tsx';
import { words } from '../words.ts';

const loadSideSheets = () => import('../components/guest-side-sheets.tsx');
const GuestSideSheets = lazy(async () => ({ default: (await loadSideSheets()).GuestSideSheets }));

const route = getRouteApi('/inside/events/$eventId/guests');
/** Delay before the code of the side sheets is loaded, in milliseconds. */
const SIDE_SHEETS_MS = 1_000;
const DESK = '(min-width: 62em)';
const WAITING_LIST: GuestSearch = { answer: ['waiting'], order: 'waiting' };
const NO_FILTER: GuestSearch = {
  q: undefined,
  answer: undefined,
  tag: undefined,
  food: undefined,
  invited: undefined,
  plus_ones: undefined,
};

export function GuestList() {
  const { eventId } = route.useParams();
  // For another event React gets another key and makes a new page, so that no state of the former event remains.
  return <GuestsOf key={eventId} eventId={eventId} />;
}

function GuestsOf({ eventId }: { eventId: string }) {
  const say = useWords(words);
  const mayChange = useMayEdit(eventId);
  const seesContacts = useSeesContacts(eventId);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const listing = useListing(search);
  const { data: first, isPlaceholderData } = useQuery({
    ...guestPageQuery(eventId, listing, 0),
    placeholderData: keepPreviousData,
  });
  useLiveGuests(eventId, listing);
  const removeGuest = useRemoveGuest(eventId);
  const hasSideSheets = useSideSheets(search);

  const changeSearch = (change: GuestSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const close = () => changeSearch({ guest: undefined, add: undefined });
  const add = () =>
    void navigate({ search: (before) => ({ ...before, add: true as const }), resetScroll: false });

  // The list renders only its visible rows, so the browser's own printing would leave out the others.
  const print = () =>
    void navigate({ to: '/events/$eventId/guests/print', params: { eventId }, search: listSearchOf(search) });
  useHotkeys([['mod+P', print]], []);

  const total = first?.total;
  const hasNone = total === 0 && !isPlaceholderData;
  const filtered = isFiltered(search);
  return (
    <Stack gap="md">
      <PageHead order={2} title={say('title')}>
        <Group gap={4} wrap="nowrap">
          {mayChange && (
            <Button onClick={add} leftSection={<Plus size={20} aria-hidden />}>
              {say('add')}
            </Button>
          )}
          {seesContacts && (
            <GuestListMenu eventId={eventId} search={search} filtered={filtered} mayChange={mayChange} />
          )}
        </Group>
      </PageHead>
      {hasNone && !filtered ? (
        <NoGuests eventId={eventId} onAdd={mayChange ? add : undefined} />
      ) : (
        <FoundGuests
          eventId={eventId}
          search={search}
          listing={listing}
          total={total}
          hasNone={hasNone}
          mayChange={mayChange}
          onSearchChange={changeSearch}
        />
      )}
      <Suspense>
        {hasSideSheets && (
          <GuestSideSheets
            eventId={eventId}
            search={search}
            mayChange={mayChange}
            onClose={close}
            onRemove={removeGuest}
          />
        )}
      </Suspense>
    </Stack>
  );
}

/**
 * True once a side sheet was to be shown. The code of the side sheets is loaded after the list, which people see first.
 */
function useSideSheets({ guest, add }: GuestSearch): boolean {
  const isShown = guest !== undefined || add === true;
  const [wasShown, setWasShown] = useState(isShown);
  if (isShown && !wasShown) setWasShown(true);
  useEffect(() => {
    const wait = setTimeout(() => loadSideSheets().catch(() => {}), SIDE_SHEETS_MS);
    return () => clearTimeout(wait);
  }, []);
  return isShown || wasShown;
}

/** Filter and order of the guest list. The returned object stays the same until the filter or the order changes. */
function useListing(search: GuestSearch): GuestListing {
  const filterName = JSON.stringify(filterOf(search));
  const { order = 'name' } = search;
  return useMemo(() => ({ filter: JSON.parse(filterName), order }), [filterName, order]);
}

interface FoundGuestsProps {
  eventId: string;
  search: GuestSearch;
  listing: GuestListing;
  /** Number of guests that match the filters; undefined until the server has counted them. */
  total: number | undefined;
  /** True if no guest matches the filters of the list. */
  hasNone: boolean;
  mayChange: boolean;
  onSearchChange(change: GuestSearch): void;
}

/** Guests that match the filters, with the filters above them and bulk operations for the selected guests. */
function FoundGuests({
  eventId,
  search,
  listing,
  total,
  hasNone,
  mayChange,
  onSearchChange,
}: FoundGuestsProps) {
  const say = useWords(words);
  const isDesk = useMediaQuery(DESK, undefined, { getInitialValueInEffect: false }) ?? false;
  const { chosen, isReadingAll, choose, chooseAll, clear } = useGuestSelection(eventId, listing.filter);
  const changeQuickly = useQuickChange(eventId);
  const showWaiting = () => onSearchChange(WAITING_LIST);
  return (
    <>
      <Stack gap="sm" className="on-screen">
        <div className={classes.bar}>
          <SearchField eventId={eventId} search={search} onSearchChange={onSearchChange} />
          <FilterButton
            eventId={eventId}
            search={search}
            onSearchChange={onSearchChange}
            isDesk={isDesk}
            total={total}
          />
        </div>
        <AnswerChips eventId={eventId} search={search} onSearchChange={onSearchChange} />
        <ActiveFilters search={search} onSearchChange={onSearchChange} />
      </Stack>
      <NoPlacesNote eventId={eventId} onShowWaiting={showWaiting} />
      <Group justify="space-between" mih={28} gap="xs">
        <Text c="dimmed" size="sm" role="status">
          {total !== undefined && say(isFiltered(search) ? 'found' : 'inAll', { n: total })}
        </Text>
      </Group>
      {hasNone ? (
        <NobodyFound onClear={() => onSearchChange(NO_FILTER)} />
      ) : (
        <>
          <Text className="on-paper">{say('printWhole')}</Text>
          <div className="on-screen">
            <GuestTable
              eventId={eventId}
              listing={listing}
              isDesk={isDesk}
              chosen={chosen}
              onChoose={choose}
              onChooseAll={(isAll) => (isAll ? chooseAll() : clear())}
              change={mayChange ? changeQuickly : undefined}
            />
          </div>
        </>
      )}
      {chosen.size > 0 && (
        <SelectionBar
          eventId={eventId}
          chosen={chosen}
          foundBesides={total !== undefined && chosen.size < total ? total : undefined}
          isReadingAll={isReadingAll}
          onChooseAll={chooseAll}
          onClear={clear}
          onShowWaiting={showWaiting}
        />
      )}
    </>
  );
}

/** Note that all places of the event are taken, with a link to the waiting list. */
function NoPlacesNote({ eventId, onShowWaiting }: { eventId: string; onShowWaiting(): void }) {
  const say = useWords(words);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { data: counts } = useQuery(countsQuery(eventId));
  if (!isAwaitingReplies(event) || !counts || counts.places_left === null || counts.places_left > 0)
    return null;
  return (
    <Alert role="status" color="gray" py="xs">
      <Group gap="sm" justify="space-between">
        <Text>{say('noPlaces')}</Text>
        {counts.waiting > 0 && (
          <Button variant="default" size="sm" h={44} onClick={onShowWaiting}>
            {say('showWaiting')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function NobodyFound({ onClear }: { onClear(): void }) {
  const say = useWords(words);
  return (
    <Card>
      <Stack align="center" py="xl">
        <Text>{say('nobodyFound')}</Text>
        <Button variant="default" onClick={onClear}>
          {say('clearFilters')}
        </Button>
      </Stack>
    </Card>
  );
}

function NoGuests({ eventId, onAdd }: { eventId: string; onAdd: (() => void) | undefined }) {
  const say = useWords(words);
  return (
    <EmptyState icon={UsersRound} title={say('emptyTitle')} about={say('empty')}>
      {onAdd && (
        <Group justify="center">
          <Button size="lg" onClick={onAdd}>
            {say('add')}
          </Button>
          <ButtonLink size="lg" variant="default" to="/events/$eventId/guests/import" params={{ eventId }}>
            {say('importFile')}
          </ButtonLink>
        </Group>
      )}
    </EmptyState>
  );
}
