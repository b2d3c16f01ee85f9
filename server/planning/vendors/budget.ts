import type { BookingStatus } from './fields.ts';
import { type Agorot, toShekels } from './money.ts';

export interface PlannedPayment {
  id: string;
  amount: Agorot;
  dueDate: string | null;
  paidDate: string | null;
}

export interface PlannedBooking {
  id: string;
  vendorName: string;
  kind: string | null;
  status: BookingStatus;
  /** Total price of the booking, with the price of its plates; null if it has no price. */
  price: Agorot | null;
  payments: readonly PlannedPayment[];
}

export interface Sums {
  planned: number;
  booked: number;
  paid: number;
}

export interface NextPayment {
  booking_id: string;
  payment_id: string;
  vendor_name: string;
  amount: number;
  due_date: string;
  overdue: boolean;
}

export interface BudgetSummary extends Sums {
  budget: number | null;
  left: number | null;
  over_budget: boolean;
  owed: number;
  overdue: number;
  due_next: NextPayment | null;
  by_kind: (Sums & { kind: string })[];
}

/**
 * Sums up an event's bookings. Planned: prices of all bookings that are not cancelled. Booked: prices of confirmed
 * ones. Paid: all payments made, including those for cancelled bookings, since the money is gone.
 */
export function summarizeBudget(
  budget: Agorot | null,
  bookings: readonly PlannedBooking[],
  today: string,
): BudgetSummary {
  const all = sumsOf(bookings);
  const due = upcomingPayments(bookings, today);
  return {
    budget: budget === null ? null : toShekels(budget),
    ...toSums(all),
    left: budget === null ? null : toShekels(budget - all.booked),
    over_budget: budget !== null && all.booked > budget,
    owed: toShekels(total(bookings.map(outstandingOf))),
    overdue: toShekels(total(due.filter(({ payment }) => payment.overdue).map(({ amount }) => amount))),
    due_next: due[0]?.payment ?? null,
    by_kind: kindsOf(bookings).map(([kind, ofKind]) => ({ kind, ...toSums(sumsOf(ofKind)) })),
  };
}

function sumsOf(bookings: readonly PlannedBooking[]) {
  const prices = (those: readonly PlannedBooking[]) => total(those.map(({ price }) => price ?? 0n));
  return {
    planned: prices(bookings.filter(({ status }) => status !== 'cancelled')),
    booked: prices(bookings.filter(({ status }) => status === 'confirmed')),
    paid: total(bookings.map(paidOf)),
  };
}

function toSums({ planned, booked, paid }: ReturnType<typeof sumsOf>): Sums {
  return { planned: toShekels(planned), booked: toShekels(booked), paid: toShekels(paid) };
}

function paidOf({ payments }: PlannedBooking): Agorot {
  return total(payments.filter(({ paidDate }) => paidDate !== null).map(({ amount }) => amount));
}

/** Amount of a confirmed booking that is not paid yet; never negative, even if more than the price was paid. */
function outstandingOf(booking: PlannedBooking): Agorot {
  if (booking.status !== 'confirmed') return 0n;
  const rest = (booking.price ?? 0n) - paidOf(booking);
  return rest > 0n ? rest : 0n;
}

/** Unpaid payments of an event's bookings that have a due date, the earliest first. */
function upcomingPayments(
  bookings: readonly PlannedBooking[],
  today: string,
): { payment: NextPayment; amount: Agorot }[] {
  return bookings
    .filter(({ status }) => status !== 'cancelled')
    .flatMap((booking) =>
      booking.payments.flatMap(({ id, amount, dueDate, paidDate }) => {
        if (dueDate === null || paidDate !== null) return [];
        const payment = {
          booking_id: booking.id,
          payment_id: id,
          vendor_name: booking.vendorName,
          amount: toShekels(amount),
          due_date: dueDate,
          overdue: dueDate < today,
        };
        return [{ payment, amount }];
      }),
    )
    .sort((a, b) => (a.payment.due_date < b.payment.due_date ? -1 : 1));
}

function kindsOf(bookings: readonly PlannedBooking[]): [string, PlannedBooking[]][] {
  const groups = Map.groupBy(bookings, ({ kind }) => kind ?? 'other');
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

function total(amounts: readonly Agorot[]): Agorot {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
