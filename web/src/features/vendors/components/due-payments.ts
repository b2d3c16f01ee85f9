import type { Booking, EventWarning } from 'simcha-client';

export type PaymentOfBooking = Booking['payments'][number] & { id: string };

/** Payments of a booking from the server, all of which have an id. */
export const paymentsOf = (booking: Booking): PaymentOfBooking[] =>
  booking.payments.flatMap((payment) => (payment.id ? [{ ...payment, id: payment.id }] : []));

export interface DuePayment {
  booking: Booking;
  payment: PaymentOfBooking;
  warnings: EventWarning[];
}

export interface DueMonth {
  /** Name of a group of payments: `overdue`, `undated`, or the month in which they are due, such as `2027-06`. */
  name: string;
  payments: DuePayment[];
}

/** Unpaid payments to vendors: overdue ones first, then by month, then those without a date. */
export function dueMonths(
  bookings: readonly Booking[],
  warnings: readonly EventWarning[],
  today: string,
): DueMonth[] {
  const due = bookings
    .filter(({ status }) => status !== 'cancelled')
    .flatMap((booking) => {
      const unpaid = paymentsOf(booking).filter(({ paid_date: paid }) => !paid);
      const ahead = unpaid.filter(({ due_date: day }) => day && day >= today);
      return unpaid.map((payment) => ({
        booking,
        payment,
        // A warning names a booking, but no payment. It is shown at a payment only if that is the booking's only
        // payment still to come; otherwise it is shown at the booking.
        warnings:
          ahead.length === 1 && ahead[0] === payment
            ? warnings.filter(
                ({ code, booking_id: id }) => code === 'payment_on_closed_day' && id === booking.id,
              )
            : [],
      }));
    })
    .sort((a, b) => dayOf(a).localeCompare(dayOf(b)));
  const groups = Map.groupBy(due, ({ payment: { due_date: day } }) => {
    if (!day) return 'undated';
    return day < today ? 'overdue' : day.slice(0, 7);
  });
  return [...groups].map(([name, payments]) => ({ name, payments }));
}

const dayOf = ({ payment }: DuePayment): string => payment.due_date ?? '9999';
