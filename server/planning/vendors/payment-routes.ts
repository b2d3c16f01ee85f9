import { readWhole } from '../../kernel/field-types.ts';
import type { Server } from '../../kernel/http/app.ts';
import { newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { serveArea } from '../events/area.ts';
import { REMOVED, type RequestedWrite } from '../events/write.ts';
import { BOOKING_SUBJECT } from './booking-routes.ts';
import { changeBooking, requireBooking, type StoredBooking } from './booking-store.ts';
import { addPaymentSchema, deletePaymentSchema, type Payment, updatePaymentSchema } from './contract.ts';
import { bookingFields, type ListedPayment, MOST_PAYMENTS } from './fields.ts';
import { readPayment, requireConsistentBooking } from './input.ts';
import { messages } from './messages.ts';
import { todayInIsrael, type VendorParts } from './parts.ts';

/**
 * Routes that add or change a single payment of a booking. In contrast, a change of the booking by its own routes
 * replaces all its payments at once.
 */
export function servePayments(server: Server, { writer, authenticate }: VendorParts): void {
  serveArea(server, authenticate, '/api/events/:id/bookings/:bookingId/payments', (area) => {
    area.post('', { schema: addPaymentSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => {
        const added = { id: newId(), ...readPayment(request.body, todayInIsrael(write.now)) };
        const { version, booking } = await changePayments(write, request.params.bookingId, (payments) => {
          if (payments.length >= MOST_PAYMENTS) {
            throw new Refusal(400, 'too_many', messages.tooManyPayments(MOST_PAYMENTS));
          }
          return [...payments, added];
        });
        return { status: 201, version, body: { payment: requirePayment(booking.payments, added.id) } };
      }),
    );

    area.put('/:paymentId', { schema: updatePaymentSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => {
        const { bookingId, paymentId } = request.params;
        const { version, booking } = await changePayments(write, bookingId, (payments) => {
          const { id, ...current } = requirePayment(payments, paymentId);
          const changed = { id, ...readPayment(request.body, todayInIsrael(write.now), current) };
          return payments.map((one) => (one.id === id ? changed : one));
        });
        return { version, body: { payment: requirePayment(booking.payments, paymentId) } };
      }),
    );

    area.delete('/:paymentId', { schema: deletePaymentSchema }, (request, reply) =>
      writer.change(request, reply, async (write) => {
        const { bookingId, paymentId } = request.params;
        await changePayments(write, bookingId, (payments) => {
          const gone = requirePayment(payments, paymentId);
          return payments.filter(({ id }) => id !== gone.id);
        });
        return REMOVED;
      }),
    );
  });
}

/** Changes the payments of a booking and returns the changed booking. */
async function changePayments(
  { transaction, event, now, note, unchanged }: RequestedWrite,
  bookingId: string,
  change: (payments: readonly ListedPayment[]) => ListedPayment[],
): Promise<StoredBooking> {
  const { booking: before, version } = await requireBooking(transaction, event.id, bookingId);
  const input = requireConsistentBooking(
    readWhole(bookingFields, {}, { ...before, payments: change(before.payments) }),
    todayInIsrael(now),
  );
  unchanged(version);
  if (!changesBetween(before, input)) return { booking: before, version };
  const after = await changeBooking(transaction, event.id, before.id, input, undefined, now);
  note(BOOKING_SUBJECT, before.id, 'changed', changesBetween(before, after.booking));
  return after;
}

function requirePayment(payments: readonly ListedPayment[], id: string): Payment {
  const found = payments.find((one) => one.id === id.toLowerCase());
  if (!found?.id) throw new Refusal(404, 'not_found', messages.noSuchPayment);
  return { ...found, id: found.id };
}
