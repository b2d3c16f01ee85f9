import { Button, Divider, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Booking, EventWarning } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { formatShekels } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { bookingQuery } from '../api/bookings.ts';
import { isVendorKind } from '../api/search.ts';
import { bookedVendorsQuery, vendorsQuery } from '../api/vendors.ts';
import { words } from '../words.ts';
import { Agreement } from './agreement.tsx';
import { Hours } from './hours.tsx';
import { Payments } from './payments.tsx';
import { PlatePrice } from './plate-price.tsx';
import { StatusBadge } from './status-badge.tsx';
import { VendorContact } from './vendor-contact.tsx';
import { WarningList } from './warning-list.tsx';

interface BookingDetailsProps {
  eventId: string;
  bookingId: string;
  warnings: readonly EventWarning[];
  eventDay: string | null;
  mayEdit: boolean;
  onRemove(booking: Booking): void;
}

/** Details of a vendor's booking for an event. */
export function BookingDetails({
  eventId,
  bookingId,
  warnings,
  eventDay,
  mayEdit,
  onRemove,
}: BookingDetailsProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: read, error, refetch } = useQuery(bookingQuery(eventId, bookingId));
  const { data: booked } = useQuery({ ...bookedVendorsQuery(eventId), enabled: mayEdit });
  const { data: own } = useQuery(vendorsQuery);
  if (error && !read) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!read) return <Skeleton height={420} />;
  const { booking } = read;
  const { vendor_kind: kind, total } = booking;
  const vendor = booked?.find(({ id }) => id === booking.vendor_id);
  const isOwn = own?.some(({ id }) => id === booking.vendor_id);
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Group gap="sm">
          <Text c="dimmed">{say(`kind_${isVendorKind(kind) ? kind : 'other'}`)}</Text>
          <StatusBadge status={booking.status} />
        </Group>
        <Group gap="sm" align="baseline">
          <Text fz={24} fw={600} lh={1.2}>
            {total === null ? say('noPrice') : formatShekels(total, language)}
          </Text>
          <Text c="dimmed">
            <PlatePrice booking={booking} />
          </Text>
        </Group>
        <Hours booking={booking} />
        {!mayEdit && booking.note && (
          <Text>
            <bdi>{booking.note}</bdi>
          </Text>
        )}
        {vendor && <VendorContact vendor={vendor} />}
        {isOwn && booking.vendor_id && (
          <Group>
            <Button
              variant="subtle"
              px={6}
              renderRoot={(props) => (
                <Link to="/vendors" search={{ vendor: booking.vendor_id ?? '' }} {...props} />
              )}
            >
              {say('vendorCard')}
            </Button>
          </Group>
        )}
      </Stack>
      <WarningList warnings={warnings} />
      <Part title={say('payments')}>
        <Payments booking={booking} etag={read.etag} mayEdit={mayEdit} />
      </Part>
      {mayEdit && (
        <>
          <Part title={say('agreed')}>
            <Agreement read={read} eventDay={eventDay} />
          </Part>
          <Divider />
          <Group>
            <Button
              variant="subtle"
              color="red"
              leftSection={<Trash2 size={18} aria-hidden />}
              onClick={() => onRemove(booking)}
            >
              {say('removeBooking')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  );
}
