import { Button, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { HandCoins, Plus } from 'lucide-react';
import type { Booking, EventWarning } from 'simcha-client';
import { EmptyState } from '../../../components/empty-state.tsx';
import { CardGrid } from '../../../components/link-card.tsx';
import { useNotify } from '../../../components/notify.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { dayOf, todayInIsrael } from '../../../lib/dates.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { useMayEdit } from '../../events/api/access.ts';
import { eventQuery, warningsQuery } from '../../events/api/events.ts';
import { bookingsQuery, useRemoveBooking, useRestoreBooking } from '../api/bookings.ts';
import { BOOKING_STATES, type BookingSearch, type BookingState } from '../api/search.ts';
import { BookingCard } from '../components/booking-card.tsx';
import { BookingDetails } from '../components/booking-details.tsx';
import { DeletedBookings } from '../components/deleted-bookings.tsx';
import { DueList } from '../components/due-list.tsx';
import { dueMonths } from '../components/due-payments.ts';
import { Money } from '../components/money.tsx';
import { NewBooking } from '../components/new-booking.tsx';
import { words } from '../words.ts';
import classes from './bookings.module.css';

const route = getRouteApi('/inside/events/$eventId/vendors');
/** Number of bookings from which on the list of bookings has a filter. */
const MANY = 5;

/** Page with an event's vendors, their costs and payments. */
export function Bookings() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const { status, booking: open } = route.useSearch();
  const navigate = route.useNavigate();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { data: bookings, error, refetch } = useQuery(bookingsQuery(eventId));
  const { data: warnings = [] } = useQuery(warningsQuery(eventId));
  const mayEdit = useMayEdit(eventId);
  const { removeWithUndo, removalError } = useRemoveWithUndo(eventId);
  const changeSearch = (search: BookingSearch) =>
    navigate({ search: { ...(status && { status }), ...search }, resetScroll: false }).catch(() => {});
  const close = () => changeSearch({});
  if (error && !bookings) return <ProblemNote error={error} onRetry={() => refetch()} />;
  const about = (id: string | null) => warnings.filter(({ booking_id: booking }) => booking === id);
  const eventDay = event.event_date && dayOf(event.event_date);
  // Warnings that are shown at a due payment are not repeated at the booking of that payment.
  const dueWarnings = new Set(
    dueMonths(bookings ?? [], warnings, todayInIsrael()).flatMap(({ payments }) =>
      payments.flatMap((due) => due.warnings),
    ),
  );
  const isEmpty = bookings?.length === 0;
  const isNew = open === 'new';
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')}>
        {mayEdit && !isEmpty && (
          <Button
            leftSection={<Plus size={20} aria-hidden />}
            onClick={() => changeSearch({ booking: 'new' })}
          >
            {say('add')}
          </Button>
        )}
      </PageHead>
      <ProblemNote error={removalError} />
      {isEmpty ? (
        <NoBookings {...(mayEdit && { onAdd: () => changeSearch({ booking: 'new' }) })} />
      ) : (
        <Stack gap="lg" className={classes.page}>
          <div className={classes.money}>
            <Money id={eventId} warnings={about(null)} />
          </div>
          <div className={classes.due}>
            <DueList id={eventId} bookings={bookings} warnings={warnings} mayEdit={mayEdit} />
          </div>
          <div className={classes.bookings}>
            <List
              bookings={bookings}
              status={status}
              about={(id) => about(id).filter((warning) => !dueWarnings.has(warning))}
              onStatus={(chosen) =>
                navigate({
                  search: chosen ? { status: chosen } : {},
                  replace: true,
                  resetScroll: false,
                }).catch(() => {})
              }
            />
          </div>
        </Stack>
      )}
      {mayEdit && <DeletedBookings id={eventId} />}
      <SideSheet
        opened={open !== undefined && (!isNew || mayEdit)}
        onClose={close}
        title={isNew ? say('newTitle') : <bdi>{bookings?.find(({ id }) => id === open)?.vendor_name}</bdi>}
      >
        {isNew ? (
          <NewBooking eventId={eventId} day={eventDay} onAdded={({ id }) => changeSearch({ booking: id })} />
        ) : (
          open && (
            <BookingDetails
              key={open}
              eventId={eventId}
              bookingId={open}
              warnings={about(open)}
              eventDay={eventDay}
              mayEdit={mayEdit}
              onRemove={(booking) => {
                close();
                removeWithUndo(booking);
              }}
            />
          )
        )}
      </SideSheet>
    </Stack>
  );
}

/** Returns a function that removes a booking and offers to undo that. */
function useRemoveWithUndo(eventId: string) {
  const say = useWords(words);
  const notify = useNotify();
  const notifyWithUndo = useNotifyWithUndo();
  const remove = useRemoveBooking(eventId);
  const restore = useRestoreBooking(eventId);
  const removeWithUndo = ({ id, vendor_name: who }: Booking) => {
    const removed = { id, key: crypto.randomUUID() };
    const bringBack = () => restore.mutateAsync(removed).then(() => notify(say('bookingBack', { who })));
    remove.mutate(id, { onSuccess: () => notifyWithUndo(say('bookingGone', { who }), bringBack) });
  };
  return { removeWithUndo, removalError: remove.error ?? restore.error };
}

interface ListProps {
  bookings: readonly Booking[] | undefined;
  status: BookingState | undefined;
  about(id: string): EventWarning[];
  onStatus(status: BookingState | undefined): void;
}

function List({ bookings, status, about, onStatus }: ListProps) {
  const say = useWords(words);
  const found = bookings?.filter((booking) => !status || booking.status === status);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {say('bookings')}
        </Title>
        {bookings && (bookings.length >= MANY || status) && (
          <SegmentedControl
            aria-label={say('status')}
            value={status ?? ''}
            onChange={(value) => onStatus(BOOKING_STATES.find((state) => state === value))}
            data={[
              { value: '', label: say('all') },
              ...BOOKING_STATES.map((value) => ({ value, label: say(value) })),
            ]}
            style={{ maxWidth: '100%', overflowX: 'auto' }}
          />
        )}
      </Group>
      {found?.length === 0 && (
        <Text c="dimmed" role="status">
          {say('noneLike')}
        </Text>
      )}
      <CardGrid columns={2}>
        {found
          ? found.map((booking) => (
              <li key={booking.id}>
                <BookingCard booking={booking} warnings={about(booking.id)} />
              </li>
            ))
          : ['first', 'second'].map((card) => (
              <li key={card}>
                <Skeleton height={190} radius="lg" />
              </li>
            ))}
      </CardGrid>
    </Stack>
  );
}

function NoBookings({ onAdd }: { onAdd?(): void }) {
  const say = useWords(words);
  return (
    <EmptyState icon={HandCoins} title={say('emptyTitle')} about={say('empty')}>
      {onAdd && (
        <Button size="lg" onClick={onAdd}>
          {say('add')}
        </Button>
      )}
    </EmptyState>
  );
}
