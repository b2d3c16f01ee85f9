import { Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { Booking, EventWarning } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import {
  daysUntilDay,
  formatShekels,
  longDay,
  monthOf,
  shortMonthOf,
  todayInIsrael,
  weekdayOf,
} from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { useChangePayment } from '../api/bookings.ts';
import { words } from '../words.ts';
import classes from './due-list.module.css';
import { type DuePayment, dueMonths } from './due-payments.ts';
import { WarningList } from './warning-list.tsx';

interface DueListProps {
  id: string;
  bookings: readonly Booking[] | undefined;
  warnings: readonly EventWarning[];
  mayEdit: boolean;
}

/** List of due payments to vendors, by month; overdue payments come first. */
export function DueList({ id, bookings, warnings, mayEdit }: DueListProps) {
  const say = useWords(words);
  const notifyWithUndo = useNotifyWithUndo();
  const { language } = useLanguage();
  const change = useChangePayment(id);
  const months = dueMonths(bookings ?? [], warnings, todayInIsrael());
  const nameOf = (name: string) =>
    name === 'overdue' || name === 'undated' ? say(name) : monthOf(`${name}-15`, language);
  const pay = ({ booking, payment }: DuePayment) => {
    const which = { bookingId: booking.id, paymentId: payment.id };
    change.mutate(
      { ...which, body: { paid_date: todayInIsrael() } },
      {
        onSuccess: () =>
          notifyWithUndo(say('nowPaid'), () => change.mutateAsync({ ...which, body: { paid_date: null } })),
      },
    );
  };
  return (
    <Card title={say('due')}>
      {!bookings ? (
        <Skeleton height={180} />
      ) : (
        <Stack gap="md">
          <ProblemNote error={change.error} />
          {months.length === 0 && <Text c="dimmed">{say('nothingDue')}</Text>}
          {months.map(({ name, payments }) => (
            <section key={name} aria-label={nameOf(name)}>
              <Title
                order={3}
                size="h5"
                mb={6}
                c={name === 'overdue' ? 'var(--mantine-color-error)' : undefined}
              >
                {nameOf(name)}
              </Title>
              <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
                {payments.map((due) => (
                  <Due
                    key={due.payment.id}
                    eventId={id}
                    due={due}
                    isPending={change.isPending && change.variables.paymentId === due.payment.id}
                    {...(mayEdit && { onPaid: () => pay(due) })}
                  />
                ))}
              </Stack>
            </section>
          ))}
        </Stack>
      )}
    </Card>
  );
}

interface DueProps {
  eventId: string;
  due: DuePayment;
  isPending: boolean;
  onPaid?(): void;
}

function Due({ eventId, due: { booking, payment, warnings }, isPending, onPaid }: DueProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { due_date: day, amount } = payment;
  const days = day ? daysUntilDay(day) : undefined;
  const isLate = days !== undefined && days < 0;
  return (
    <li>
      <Group wrap="nowrap" gap="sm">
        <Leaf day={day ?? null} isLate={isLate} />
        <div className={classes.what}>
          <Text fw={500} lineClamp={2}>
            <Link
              from="/events/$eventId/vendors"
              to="/events/$eventId/vendors"
              params={{ eventId }}
              search={(before) => ({ ...before, booking: booking.id })}
              className={classes.who}
            >
              <bdi>{booking.vendor_name}</bdi>
            </Link>
          </Text>
          <Text size="sm" c={isLate ? 'var(--mantine-color-error)' : 'dimmed'}>
            {formatShekels(amount, language)}
            {days !== undefined &&
              ` · ${days < 0 ? say('daysAgo', { n: -days }) : say('inDays', { n: days })}`}
          </Text>
          {payment.note && (
            <Text size="sm" c="dimmed" lineClamp={2}>
              <bdi>{payment.note}</bdi>
            </Text>
          )}
        </div>
        {onPaid && (
          <Button
            variant="default"
            px="sm"
            loading={isPending}
            leftSection={<Check size={18} aria-hidden />}
            aria-label={say('markPaidNamed', {
              who: booking.vendor_name,
              amount: formatShekels(amount, language),
            })}
            onClick={onPaid}
            style={{ flex: 'none' }}
          >
            {say('markPaid')}
          </Button>
        )}
      </Group>
      {warnings.length > 0 && (
        <Box mt={6}>
          <WarningList warnings={warnings} />
        </Box>
      )}
    </li>
  );
}

/** Date drawn as a leaf of a tear-off calendar: the weekday above the day of the month. */
function Leaf({ day, isLate }: { day: string | null; isLate: boolean }) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (!day)
    return (
      <div className={classes.leaf} role="img" aria-label={say('dueAnyTime')}>
        <span className={classes.number}>—</span>
      </div>
    );
  return (
    <time
      dateTime={day}
      title={longDay(day, language)}
      className={classes.leaf}
      data-late={isLate || undefined}
    >
      <span className={classes.weekday}>{weekdayOf(day, language)}</span>
      <span className={classes.number}>{Number(day.slice(8))}</span>
      {/* Month of an overdue payment. Other payments stand under a heading that names their month. */}
      {isLate && <span className={classes.weekday}>{shortMonthOf(day, language)}</span>}
    </time>
  );
}
