import { ActionIcon, Alert, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Ellipsis, FileDown, FileUp, Plus, Trash2, UsersRound } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { Guest } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useNotify, useNotifyProblem } from '../../../components/notify.ts';
import { useNotifyWithAction } from '../../../components/notify-with-action.tsx';
import { PageHead } from '../../../components/page-head.tsx';

import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { useMayEdit } from '../../events/api/access.ts';
import { countsQuery, eventQuery, isAwaitingReplies } from '../../events/api/events.ts';
import { idsOfFound } from '../api/bulk.ts';
import { readExport } from '../api/export.ts';
import { type GuestListing, guestPageQuery, useDeleteGuest, useRestoreGuest } from '../api/guests.ts';
import { useLiveGuests } from '../api/live.ts';
import { filterOf, type GuestSearch, isFiltered } from '../api/search.ts';
import { ActiveFilters, AnswerChips, FilterButton, SearchField } from '../components/filters.tsx';
import { GuestDrawer } from '../components/guest-drawer.tsx';
import { GuestTable } from '../components/guest-table.tsx';
import classes from '../components/list.module.css';
import { NewGuest } from '../components/new-guest.tsx';
import { useQuickChange } from '../components/quick-change.ts';
import { SelectionBar } from '../components/selection-bar.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/guests');
const DESK = '(min-width: 62em)';

export function GuestList() {
  const { eventId } = route.useParams();
  // The key resets all state with another event.
  return <GuestsOf key={eventId} eventId={eventId} />;
}

function GuestsOf({ eventId }: { eventId: string }) {
  const say = useWords(words);
  const notify = useNotify();
  const offer = useNotifyWithAction();
  const mayChange = useMayEdit(eventId);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isDesk = useMediaQuery(DESK, undefined, { getInitialValueInEffect: false }) ?? false;
  const filterName = JSON.stringify(filterOf(search));
  const order = search.order ?? 'name';
  const listing = useMemo(
    (): GuestListing => ({ filter: JSON.parse(filterName), order }),
    [filterName, order],
  );
  const first = useQuery({ ...guestPageQuery(eventId, listing, 0), placeholderData: keepPreviousData });
  const { data: counts } = useQuery(countsQuery(eventId));
  useLiveGuests(eventId, listing);

  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [chosenIn, setChosenIn] = useState(filterName);
  const [isReadingAll, setReadingAll] = useState(false);
  if (chosenIn !== filterName) {
    // Selected guests that are no longer visible are not changed by mistake.
    setChosenIn(filterName);
    setChosen(new Set());
  }
  const choose = useCallback(
    (id: string, isChosen: boolean) =>
      setChosen((before) => {
        const next = new Set(before);
        if (isChosen) next.add(id);
        else next.delete(id);
        return next;
      }),
    [],
  );
  const fail = useNotifyProblem();
  const chooseAll = async (isAll: boolean) => {
    if (!isAll) return setChosen(new Set());
    setReadingAll(true);
    try {
      setChosen(new Set(await idsOfFound(eventId, listing.filter)));
    } catch (error) {
      fail(error);
    } finally {
      setReadingAll(false);
    }
  };

  const look = (change: Partial<GuestSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const close = () => look({ guest: undefined, add: undefined });
  const add = () =>
    void navigate({ search: (before) => ({ ...before, add: true as const }), resetScroll: false });
  const quickly = useQuickChange(eventId);
  const remove = useDeleteGuest(eventId);
  const restore = useRestoreGuest(eventId);
  const removeGuest = ({ id }: Guest) => {
    close();
    const again = { id, key: crypto.randomUUID() };
    const bringBack = () => restore.mutateAsync(again).then(() => notify(say('restored', { n: 1 })));
    remove.mutateAsync(id).then(
      () =>
        offer({
          message: say('removed', { n: 1 }),
          action: say('undo'),
          act: bringBack,
        }),
      fail,
    );
  };

  const total = first.data?.total;
  const filtered = isFiltered(search);
  const isEmpty = total === 0 && !filtered && !first.isPlaceholderData;
  return (
    <Stack gap="md">
      <PageHead order={2} title={say('title')}>
        <Group gap={4} wrap="nowrap">
          {mayChange && (
            <Button onClick={add} leftSection={<Plus size={20} aria-hidden />}>
              {say('add')}
            </Button>
          )}
          <MoreMenu eventId={eventId} search={search} filtered={filtered} mayChange={mayChange} />
        </Group>
      </PageHead>
      {isEmpty ? (
        <NoGuests eventId={eventId} onAdd={mayChange ? add : undefined} />
      ) : (
        <>
          <Stack gap="sm">
            <div className={classes.bar}>
              <SearchField search={search} onLook={look} />
              <FilterButton eventId={eventId} search={search} onLook={look} isDesk={isDesk} total={total} />
            </div>
            <AnswerChips eventId={eventId} search={search} onLook={look} />
            <ActiveFilters search={search} onLook={look} />
          </Stack>
          {isAwaitingReplies(event) && counts && counts.places_left !== null && counts.places_left <= 0 && (
            <Alert role="status" color="gray" py="xs">
              <Group gap="sm" justify="space-between">
                <Text>{say('noPlaces')}</Text>
                {counts.waiting > 0 && (
                  <Button
                    variant="default"
                    size="sm"
                    h={44}
                    onClick={() => look({ answer: ['waiting'], order: 'waiting' })}
                  >
                    {say('showWaiting')}
                  </Button>
                )}
              </Group>
            </Alert>
          )}
          <Group justify="space-between" mih={28} gap="xs">
            <Text c="dimmed" size="sm" role="status">
              {total !== undefined && say(filtered ? 'found' : 'inAll', { n: total })}
            </Text>
          </Group>
          {total === 0 && !first.isPlaceholderData ? (
            <Card>
              <Stack align="center" py="xl">
                <Text>{say('nobodyFound')}</Text>
                <Button
                  variant="default"
                  onClick={() =>
                    look({
                      q: undefined,
                      answer: undefined,
                      tag: undefined,
                      food: undefined,
                      invited: undefined,
                    })
                  }
                >
                  {say('clearFilters')}
                </Button>
              </Stack>
            </Card>
          ) : (
            <GuestTable
              eventId={eventId}
              listing={listing}
              isDesk={isDesk}
              chosen={chosen}
              onChoose={choose}
              onChooseAll={(isAll) => void chooseAll(isAll)}
              change={mayChange ? quickly : undefined}
            />
          )}
          {chosen.size > 0 && (
            <SelectionBar
              eventId={eventId}
              chosen={chosen}
              foundBesides={total !== undefined && chosen.size < total ? total : undefined}
              isReadingAll={isReadingAll}
              onChooseAll={() => void chooseAll(true)}
              onClear={() => setChosen(new Set())}
              onShowWaiting={() => look({ answer: ['waiting'], order: 'waiting' })}
            />
          )}
        </>
      )}
      <GuestDrawer
        mayChange={mayChange}
        eventId={eventId}
        id={search.guest}
        onClose={close}
        onRemove={removeGuest}
      />
      {mayChange && <NewGuest eventId={eventId} isOpen={search.add ?? false} onClose={close} />}
    </Stack>
  );
}

interface MoreMenuProps {
  eventId: string;
  search: GuestSearch;
  filtered: boolean;
  mayChange: boolean;
}

function MoreMenu({ eventId, search, filtered, mayChange }: MoreMenuProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const notifyProblem = useNotifyProblem();
  const download = async (format: 'csv' | 'xlsx') => {
    const id = notifications.show({
      message: say('preparing'),
      loading: true,
      autoClose: false,
      withCloseButton: false,
    });
    try {
      saveFile(await readExport({ eventId, format, language, filter: filterOf(search) }));
    } catch (error) {
      notifyProblem(error);
    } finally {
      notifications.hide(id);
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={say('more')} color="gray" c="var(--mantine-color-text)">
          <Ellipsis size={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{say(filtered ? 'exportFound' : 'export')}</Menu.Label>
        <Menu.Item leftSection={<FileDown size={18} aria-hidden />} onClick={() => void download('xlsx')}>
          {say('exportXlsx')}
        </Menu.Item>
        <Menu.Item leftSection={<FileDown size={18} aria-hidden />} onClick={() => void download('csv')}>
          {say('exportCsv')}
        </Menu.Item>
        {mayChange && (
          <>
            <Menu.Divider />
            <Menu.Item
              renderRoot={(props) => (
                <Link to="/events/$eventId/guests/import" params={{ eventId }} {...props} />
              )}
              leftSection={<FileUp size={18} aria-hidden />}
            >
              {say('importFile')}
            </Menu.Item>
            <Menu.Item
              renderRoot={(props) => (
                <Link to="/events/$eventId/guests/deleted" params={{ eventId }} {...props} />
              )}
              leftSection={<Trash2 size={18} aria-hidden />}
            >
              {say('deleted')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
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
