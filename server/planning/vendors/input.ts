import { readWhole } from '../../kernel/field-types.ts';
import { type Fields, fieldsAmong, invalidField } from '../../kernel/fields.ts';
import {
  type BookingInput,
  bookingFields,
  type ListedPayment,
  listedPaymentFields,
  type PaymentInput,
  paymentFields,
  type VendorInput,
  vendorFields,
} from './fields.ts';
import { messages } from './messages.ts';
import { type Agorot, toAgorot } from './money.ts';

/**
 * Reads the values of a new vendor from a request body; with `current` (a stored vendor), the stored values as changed
 * by the body.
 */
export function readVendor(fields: Fields, current?: VendorInput): VendorInput {
  return readWhole(vendorFields, fields, current);
}

/** Reads a new booking from a request body. With `current` (a stored booking) it reads the changed booking. */
export function readBooking(fields: Fields, today: string, current?: BookingInput): BookingInput {
  const booking: BookingInput = readWhole(bookingFields, fields, current);
  if (fields.payments !== undefined) refuseUnknownPayments(booking.payments, current?.payments ?? []);
  return requireConsistentBooking(booking, today);
}

/** Reads a new payment from a request body. With `current` (a stored payment) it reads the changed payment. */
export function readPayment(body: unknown, today: string, current?: PaymentInput): PaymentInput {
  const payment = readWhole(paymentFields, fieldsAmong(listedPaymentFields, body), current);
  refuseFuture('paid_date', payment, today);
  return payment;
}

/** Checks that a booking's prices, hours and payments are consistent, and returns it. `today`: the date in Israel. */
export function requireConsistentBooking(booking: BookingInput, today: string): BookingInput {
  const { deposit, starts_at, ends_at, payments } = booking;
  if (booking.price_per_plate === null) {
    for (const field of ['price_per_child', 'plates', 'minimum_plates'] as const) {
      if (booking[field] !== null) throw invalidField(field, messages.platesWithoutPrice);
    }
  }
  const agreed = agreedPrice(booking);
  if (deposit !== null && agreed !== null && toAgorot(deposit) > agreed) {
    throw invalidField('deposit', messages.depositAbovePrice);
  }
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at) {
    throw invalidField('ends_at', messages.endsBeforeItStarts);
  }
  for (const [index, payment] of payments.entries()) {
    refuseFuture(`payments[${index}].paid_date`, payment, today);
  }
  const sum = payments.reduce((all, { amount }) => all + toAgorot(amount), 0n);
  if (agreed !== null && sum > agreed) throw invalidField('payments', messages.paymentsAbovePrice);
  return booking;
}

function refuseFuture(field: string, { paid_date }: Pick<PaymentInput, 'paid_date'>, today: string): void {
  if (paid_date !== null && paid_date > today) throw invalidField(field, messages.paidInTheFuture);
}

/** Agreed total of a booking; null if there is no price, or if the plates or their prices follow the guests' answers. */
function agreedPrice({
  price,
  price_per_plate,
  price_per_child,
  plates,
  minimum_plates,
}: BookingInput): Agorot | null {
  if (price_per_plate === null) return price === null ? null : toAgorot(price);
  if (plates === null || price_per_child !== null) return null;
  return toAgorot(price ?? 0) + toAgorot(price_per_plate) * BigInt(Math.max(plates, minimum_plates ?? 0));
}

/**
 * Throws if one of the given payments has an id that no payment of the booking has, or that another given payment has
 * too.
 */
function refuseUnknownPayments(payments: readonly ListedPayment[], there: readonly ListedPayment[]): void {
  const left = new Set(there.map(({ id }) => id));
  for (const [index, { id }] of payments.entries()) {
    if (id !== null && !left.delete(id)) {
      throw invalidField(`payments[${index}].id`, messages.unknownPayment);
    }
  }
}
