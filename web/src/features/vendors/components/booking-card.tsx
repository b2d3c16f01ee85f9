import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Booking, EventWarning } from 'simcha-client';
import { LinkCard } from '../../../components/link-card.tsx';
import { formatShekels, shortDay } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { isVendorKind } from '../api/search.ts';
import { words } from '../words.ts';
import classes from './booking-card.module.css';
import { paymentsOf } from './due-payments.ts';
import { Hours } from './hours.tsx';
import { KindIcon } from './kind-icon.tsx';
import { PlatePrice } from './plate-price.tsx';
import { StatusBadge } from './status-badge.tsx';
import { WarningList } from './warning-list.tsx';

/** Card of a vendor booked for an event, with a link to the booking's details. */
export function BookingCard({ booking, warnings }: { booking: Booking; warnings: readonly EventWarning[] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const money = (amount: number) => formatShekels(amount, language);
  const { id, event_id: eventId, vendor_name: name, vendor_kind: kind, status, total } = booking;
  const payments = paymentsOf(booking);
  const paid = payments.reduce((sum, { amount, paid_date: day }) => (day ? sum + amount : sum), 0);
  const next = payments
    .filter(({ due_date: due, paid_date: done }) => due && !done && status !== 'cancelled')
    .sort((a, b) => (a.due_date ?? '').localeCompare(b.due_date ?? ''))[0];
  return (
    <LinkCard className={classes.card} data-status={status}>
      <Stack gap={8} h="100%">
        <Group wrap="nowrap" gap="sm" align="flex-start">
          <Box className={classes.icon}>
            <KindIcon kind={kind} />
          </Box>
          <div style={{ flex: 1, minWidth: 0 }}>
            <Title order={3} size="h5" lineClamp={2}>
              <Link
                from="/events/$eventId/vendors"
                to="/events/$eventId/vendors"
                params={{ eventId }}
                search={(before) => ({ ...before, booking: id })}
              >
                <bdi>{name}</bdi>
              </Link>
            </Title>
            <Text size="sm" c="dimmed">
              {say(`kind_${isVendorKind(kind) ? kind : 'other'}`)}
            </Text>
          </div>
          <StatusBadge status={status} />
        </Group>
        <div>
          <Text fw={600} fz="lg">
            {total === null ? (
              <Text span c="dimmed" fw={400} fz="md">
                {say('noPrice')}
              </Text>
            ) : (
              money(total)
            )}
          </Text>
          <Text size="sm" c="dimmed">
            <PlatePrice booking={booking} />
          </Text>
        </div>
        {total !== null && total > 0 && (
          <div>
            <div className={classes.bar} aria-hidden>
              <div style={{ inlineSize: `${Math.min(100, (100 * paid) / total)}%` }} />
            </div>
            <Text size="sm" mt={4}>
              {say('paidOf', { paid: money(paid), total: money(total) })}
            </Text>
          </div>
        )}
        {next?.due_date && (
          <Text size="sm" c="dimmed">
            {say('nextDue', { amount: money(next.amount), date: shortDay(next.due_date, language) })}
          </Text>
        )}
        <Hours booking={booking} />
        <WarningList warnings={warnings} />
      </Stack>
    </LinkCard>
  );
}
