import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { fieldsAmong, invalidField } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { type OpenEvent, readableEvent, requireEditable } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import { REMOVED } from '../events/write.ts';
import {
  addBooking,
  changeBooking,
  findBookableVendor,
  hasRoomForBooking,
  listBookings,
  listDeletedBookings,
  removeBooking,
  requireBooking,
  restoreBooking,
} from './booking-store.ts';
import {
  Booking,
  createBookingSchema,
  deleteBookingSchema,
  listBookingsSchema,
  listDeletedBookingsSchema,
  MOST_BOOKINGS,
  readBookingSchema,
  restoreBookingSchema,
  updateBookingSchema,
} from './contract.ts';
import { bookingFields, bookingFilter } from './fields.ts';
import { readBooking } from './input.ts';
import { messages } from './messages.ts';
import { todayInIsrael, type VendorParts } from './parts.ts';

export const BOOKING_SUBJECT = 'booking';

/** Routes of an event's bookings. */
export function serveBookings(server: Server, { db, writer, authenticate, clock }: VendorParts): void {
  serveArea(server, authenticate, '/api/events/:id/bookings', (area) => {
    area.get('', { schema: listBookingsSchema }, async (request) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      const page = readPage(request.query);
      const { status } = readQuery(bookingFilter, request.query);
      return addPage(page, await listBookings(db, event.id, status, page));
    });

    area.post('', { schema: createBookingSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note }) => {
        const input = readBooking(fieldsAmong(bookingFields, request.body), todayInIsrael(now));
        const name = await vendorName(transaction, event, request.caller, input.vendor_id);
        const added = await addBooking(transaction, event.id, name, input, now);
        if (!added) throw new Refusal(400, 'too_many', messages.tooManyBookings(MOST_BOOKINGS));
        const { booking, version } = added;
        note(BOOKING_SUBJECT, booking.id, 'created');
        const location = `/api/events/${booking.event_id}/bookings/${booking.id}`;
        return { status: 201, headers: { location }, version, body: { booking } };
      }),
    );

    area.get('/deleted', { schema: listDeletedBookingsSchema }, async ({ caller, params, query }) => {
      const event = requireEditable(await readableEvent(db, caller, params.id));
      const page = readPage(query);
      return addPage(page, await listDeletedBookings(db, event.id, clock(), page));
    });

    area.post('/:bookingId/restore', { schema: restoreBookingSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note }) => {
        if (!(await hasRoomForBooking(transaction, event.id))) {
          throw new Refusal(400, 'too_many', messages.tooManyBookings(MOST_BOOKINGS));
        }
        const restored = await restoreBooking(transaction, event.id, request.params.bookingId, now);
        if (!restored) throw new Refusal(404, 'not_found', messages.notDeleted);
        note(BOOKING_SUBJECT, restored.booking.id, 'restored');
        return { version: restored.version, body: { booking: restored.booking } };
      }),
    );

    area.get('/:bookingId', { schema: readBookingSchema }, async (request, reply) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      const { booking, version } = await requireBooking(db, event.id, request.params.bookingId);
      reply.header('etag', entityTag(version));
      return { booking };
    });

    area.put('/:bookingId', { schema: updateBookingSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note, unchanged }) => {
        const { booking: before, version } = await requireBooking(
          transaction,
          event.id,
          request.params.bookingId,
        );
        const fields = fieldsAmong(Booking.properties, request.body);
        const input = readBooking(fields, todayInIsrael(now), before);
        const other = input.vendor_id !== null && input.vendor_id !== before.vendor_id;
        const name = other
          ? await vendorName(transaction, event, request.caller, input.vendor_id)
          : undefined;
        unchanged(version);
        if (!changesBetween(before, input)) return { version, body: { booking: before } };
        const after = await changeBooking(transaction, event.id, before.id, input, name, now);
        note(BOOKING_SUBJECT, before.id, 'changed', changesBetween(before, after.booking));
        return { version: after.version, body: { booking: after.booking } };
      }),
    );

    area.delete('/:bookingId', { schema: deleteBookingSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note, unchanged }) => {
        const { booking, version } = await requireBooking(transaction, event.id, request.params.bookingId);
        unchanged(version);
        await removeBooking(transaction, booking.id, now);
        note(BOOKING_SUBJECT, booking.id, 'deleted');
        return REMOVED;
      }),
    );
  });
}

/**
 * Name of the vendor that a booking is for. Throws a 400 unless the vendor belongs to the event's organizer or to the
 * caller.
 */
async function vendorName(
  transaction: Kysely<unknown>,
  event: OpenEvent,
  caller: Caller,
  vendorId: string | null,
): Promise<string> {
  const name = vendorId && (await findBookableVendor(transaction, vendorId, [event.organizer_id, caller.id]));
  if (!name) throw invalidField('vendor_id', messages.unknownVendor);
  return name;
}
