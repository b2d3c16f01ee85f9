import { ActionIcon, Button, Group, Paper, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { Check, CircleCheck, Pencil, Plus, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Booking } from 'simcha-client';
import { AmountInput } from '../../../components/amount-input.tsx';
import { DayInput } from '../../../components/day-input.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { formatShekels, shortDay, todayInIsrael } from '../../../lib/dates.ts';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { readStored } from '../../../lib/stored-value.ts';
import { useAddPayment, useChangePayment, useRemovePayment } from '../api/bookings.ts';
import { words } from '../words.ts';

import { type PaymentOfBooking, paymentsOf } from './due-payments.ts';

interface PaymentsProps {
  booking: Booking;
  etag: string;
  mayEdit: boolean;
}

/** List of a booking's payments with their due dates and payment dates. */
export function Payments({ booking, etag, mayEdit }: PaymentsProps) {
  const say = useWords(words);
  const notifyWithUndo = useNotifyWithUndo();
  const { id: bookingId, event_id: eventId } = booking;
  const payments = paymentsOf(booking);
  const [open, setOpen] = useState(() => keptOpen(booking));
  const change = useChangePayment(eventId);
  const add = useAddPayment(eventId);
  const remove = useRemovePayment(eventId);
  const mark = (paymentId: string, paid_date: string | null) =>
    change.mutate({ bookingId, paymentId, body: { paid_date } });
  const drop = ({ id: paymentId, amount, due_date, paid_date, note }: PaymentOfBooking) =>
    remove.mutate(
      { bookingId, paymentId },
      {
        onSuccess: () =>
          notifyWithUndo(say('paymentGone'), () =>
            add.mutateAsync({ bookingId, body: { amount, due_date, paid_date, note } }),
          ),
      },
    );
  return (
    <Stack gap="sm">
      <ProblemNote error={change.error ?? remove.error ?? add.error} />
      {payments.length === 0 && open !== 'new' && <Text c="dimmed">{say('noPayments')}</Text>}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {payments.map((payment) => (
          <li key={payment.id}>
            {open === payment.id ? (
              <PaymentForm
                booking={booking}
                etag={etag}
                payment={payment}
                onDone={() => setOpen(undefined)}
              />
            ) : (
              <Row
                payment={payment}
                mayEdit={mayEdit}
                isPending={change.isPending && change.variables.paymentId === payment.id}
                onMark={(paid) => mark(payment.id, paid)}
                onOpen={() => setOpen(payment.id)}
                onRemove={() => drop(payment)}
              />
            )}
          </li>
        ))}
      </Stack>
      {mayEdit &&
        (open === 'new' ? (
          <PaymentForm booking={booking} etag={etag} onDone={() => setOpen(undefined)} />
        ) : (
          <Group>
            <Button
              variant="default"
              leftSection={<Plus size={18} aria-hidden />}
              onClick={() => setOpen('new')}
            >
              {say('addPayment')}
            </Button>
          </Group>
        ))}
    </Stack>
  );
}

/** Id of the payment whose form has a draft from before a reload of the page, or `new`. */
const keptOpen = (booking: Booking): string | undefined =>
  readStored(draftKey(booking)) === undefined
    ? paymentsOf(booking).find((payment) => readStored(draftKey(booking, payment)) !== undefined)?.id
    : 'new';
const draftKey = ({ id }: Booking, payment?: PaymentOfBooking) => `payment-${payment?.id ?? id}`;

interface RowProps {
  payment: PaymentOfBooking;
  mayEdit: boolean;
  isPending: boolean;
  onMark(paid: string | null): void;
  onOpen(): void;
  onRemove(): void;
}

function Row({ payment, mayEdit, isPending, onMark, onOpen, onRemove }: RowProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const amount = formatShekels(payment.amount, language);
  const { due_date: due, paid_date: paid, note } = payment;
  const isLate = !paid && due !== null && due !== undefined && due < todayInIsrael();
  return (
    <Paper bg="var(--simcha-card)" withBorder px="sm" py={6}>
      <Group gap={6} justify="space-between">
        <div style={{ flex: '1 1 130px', minWidth: 0 }}>
          <Group gap={6}>
            <Text fw={600}>{amount}</Text>
            {paid && <CircleCheck size={18} color="var(--simcha-yes)" aria-hidden />}
          </Group>
          <Text size="sm" c={isLate ? 'var(--mantine-color-error)' : 'dimmed'}>
            {paid
              ? say('paidOn', { date: shortDay(paid, language) })
              : due
                ? say('dueOn', { date: shortDay(due, language) })
                : say('dueAnyTime')}
          </Text>
          {note && (
            <Text size="sm">
              <bdi>{note}</bdi>
            </Text>
          )}
        </div>
        {mayEdit && (
          <Group gap={2} wrap="nowrap">
            {paid ? (
              <Button
                variant="subtle"
                px="xs"
                loading={isPending}
                leftSection={<Undo2 size={18} className="turns" aria-hidden />}
                aria-label={say('notPaidNamed', { amount })}
                onClick={() => onMark(null)}
              >
                {say('notPaid')}
              </Button>
            ) : (
              <Button
                variant="light"
                px="sm"
                loading={isPending}
                leftSection={<Check size={18} aria-hidden />}
                aria-label={say('markPaidAmount', { amount })}
                onClick={() => onMark(todayInIsrael())}
              >
                {say('markPaid')}
              </Button>
            )}
            <ActionIcon color="gray" aria-label={say('changePaymentNamed', { amount })} onClick={onOpen}>
              <Pencil size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon color="gray" aria-label={say('removePaymentNamed', { amount })} onClick={onRemove}>
              <Trash2 size={18} aria-hidden />
            </ActionIcon>
          </Group>
        )}
      </Group>
    </Paper>
  );
}

interface PaymentFormProps {
  booking: Booking;
  etag: string;
  payment?: PaymentOfBooking;
  onDone(): void;
}

type PaymentValues = {
  amount: number | string;
  due_date: string | null;
  paid_date: string | null;
  note: string;
};

function PaymentForm({ booking, etag, payment, onDone }: PaymentFormProps) {
  const say = useWords(words);
  const { id: bookingId, event_id: eventId } = booking;
  const add = useAddPayment(eventId);
  const change = useChangePayment(eventId);
  const keyOf = useIdempotencyKey();
  // Version of the booking from which the form started. If another version is stored meanwhile, the server refuses
  // instead of overwriting it.
  const [base] = useState(etag);
  const initial: PaymentValues = {
    amount: payment?.amount ?? '',
    due_date: payment?.due_date ?? null,
    paid_date: payment?.paid_date ?? null,
    note: payment?.note ?? '',
  };
  const { form, forget } = useFormDraft(draftKey(booking, payment), initial, ({ amount }) =>
    amount === '' ? { amount: say('missing') } : {},
  );
  const error = add.error ?? change.error;
  // If the payments add up to too much, the API reports an error of the field `payments`; this form shows it at the
  // field `amount`.
  const problem = useFieldProblem(form, error, (field) => (field === 'payments' ? 'amount' : field));
  const submit = ({ amount, due_date, paid_date, note }: PaymentValues) => {
    const body = { amount: Number(amount), due_date, paid_date, note: note.trim() || null };
    const onSuccess = () => {
      forget();
      onDone();
    };
    if (payment) change.mutate({ bookingId, paymentId: payment.id, body, etag: base }, { onSuccess });
    else add.mutate({ bookingId, body, key: keyOf(body) }, { onSuccess });
  };
  return (
    <Paper bg="var(--simcha-card)" withBorder p="md">
      <form noValidate onSubmit={form.onSubmit(submit, (errors) => focusOn(form, Object.keys(errors)[0]))}>
        <Stack gap="sm">
          <AmountInput
            label={say('amount')}
            required
            data-autofocus
            autoFocus
            {...form.getInputProps('amount')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <DayInput label={say('dueDate')} {...form.getInputProps('due_date')} />
            <DayInput
              label={say('paidDate')}
              maxDate={todayInIsrael()}
              {...form.getInputProps('paid_date')}
            />
          </SimpleGrid>
          <Textarea label={say('note')} dir="auto" minRows={1} {...form.getInputProps('note')} />
          <ProblemNote error={problem} />
          <Group gap="sm">
            <Button type="submit" loading={add.isPending || change.isPending}>
              {say(payment ? 'save' : 'addPayment')}
            </Button>
            <Button
              variant="default"
              onClick={() => {
                forget();
                onDone();
              }}
            >
              {say('back')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
