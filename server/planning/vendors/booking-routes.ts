import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import type { Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { readPage } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { etag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { readableEvent } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import { type EventWrite, writeInEvent } from '../events/write.ts';
import {
  addBooking,
  bookableVendor,
  changeBooking,
  findBooking,
  listBookings,
  removeBooking,
  type StoredBooking,
} from './booking-store.ts';
import {
  BOOKING_STATUSES,
  createBookingSchema,
  deleteBookingSchema,
  listBookingsSchema,
  MOST_BOOKINGS,
  readBookingSchema,
  updateBookingSchema,
} from './contract.ts';
import { readBooking } from './input.ts';
import { messages } from './messages.ts';
import type { VendorParts } from './parts.ts';

const SUBJECT = 'booking';

/** The vendors booked for an event. */
export function serveBookings(server: Server, { db, authenticate, once, clock }: VendorParts): void {
  serveArea(server, authenticate, '/api/events/:id/bookings', (area) => {
    area.get('', { schema: listBookingsSchema }, async (request) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      const page = readPage(request.query);
      const { status } = request.query as Record<string, unknown>;
      const known = BOOKING_STATUSES.find((one) => one === status);
      return { ...(await listBookings(db, event.id, known, page)), page: page.page, limit: page.limit };
    });

    area.post('', { schema: createBookingSchema }, (request, reply) =>
      once(request, reply, request.caller.id, async (through) => {
        const { caller, params, body } = request;
        const { booking, version } = await writeInEvent(
          through,
          caller,
          params.id,
          clock(),
          async (write) => {
            const { transaction, event, now, note } = write;
            const input = readBooking(body);
            const name = await vendorName(write, caller, input.vendor_id);
            const added = await addBooking(transaction, event.id, name, input, now);
            if (!added) throw new Refusal(400, 'too_many', messages.tooManyBookings(MOST_BOOKINGS));
            await note(SUBJECT, added.booking.id, 'created');
            return added;
          },
        );
        const location = `/api/events/${booking.event_id}/bookings/${booking.id}`;
        return { status: 201, headers: { location, etag: etag(version) }, body: { booking } };
      }),
    );

    area.get('/:bookingId', { schema: readBookingSchema }, async (request, reply) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      const { booking, version } = await find(db, event.id, request.params.bookingId);
      reply.header('etag', etag(version));
      return { booking };
    });

    area.put('/:bookingId', { schema: updateBookingSchema }, async (request, reply) => {
      const { caller, params, body } = request;
      const unchanged = ifMatch(request);
      const { booking, version } = await writeInEvent(db, caller, params.id, clock(), async (write) => {
        const { transaction, event, now, note } = write;
        const { booking: before, version } = await find(transaction, event.id, params.bookingId);
        const input = readBooking(body, before);
        const other = input.vendor_id !== null && input.vendor_id !== before.vendor_id;
        const name = other ? await vendorName(write, caller, input.vendor_id) : undefined;
        unchanged(version);
        const after = await changeBooking(transaction, event.id, before.id, input, name, now);
        await note(SUBJECT, before.id, 'changed', changesBetween(before, after.booking));
        return after;
      });
      reply.header('etag', etag(version));
      return { booking };
    });

    area.delete('/:bookingId', { schema: deleteBookingSchema }, async (request, reply) => {
      const { caller, params } = request;
      const unchanged = ifMatch(request);
      await writeInEvent(db, caller, params.id, clock(), async ({ transaction, event, now, note }) => {
        const { booking, version } = await find(transaction, event.id, params.bookingId);
        unchanged(version);
        await removeBooking(transaction, booking.id, now);
        await note(SUBJECT, booking.id, 'deleted');
      });
      return reply.code(204).send(null);
    });
  });
}

async function find(db: Kysely<unknown>, eventId: string, id: string): Promise<StoredBooking> {
  const found = isUuid(id) ? await findBooking(db, eventId, id) : undefined;
  if (!found) throw new Refusal(404, 'not_found', messages.noSuchBooking);
  return found;
}

/** The vendor's name; a 400 unless it is one of the event's organizer or of the caller. */
async function vendorName(
  { transaction, event }: EventWrite,
  caller: Caller,
  vendorId: string | null,
): Promise<string> {
  const name = vendorId && (await bookableVendor(transaction, vendorId, [event.organizer_id, caller.id]));
  if (!name) throw new Refusal(400, 'invalid_field', messages.unknownVendor);
  return name;
}
