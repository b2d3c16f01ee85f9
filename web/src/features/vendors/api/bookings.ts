import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  addPayment,
  type Booking,
  type BookingChanges,
  createBooking,
  deleteBooking,
  deletePayment,
  idempotencyKey,
  listBookings,
  listDeletedBookings,
  type NewBooking,
  type NewPayment,
  type PaymentChanges,
  paginate,
  readBooking,
  restoreBooking,
  updateBooking,
  updatePayment,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

/** Number of bookings in one page of the API, larger than the server's maximum of bookings per event. */
const AT_ONCE = 1_000;

export const bookingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'bookings'],
    queryFn: ({ signal }) =>
      Array.fromAsync(
        paginate((page) => listBookings({ client, signal, path: { id }, query: page }), AT_ONCE),
      ),
  });

export const deletedBookingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'bookings', 'deleted'],
    queryFn: async ({ signal }) =>
      (await listDeletedBookings({ client, signal, path: { id }, query: { limit: AT_ONCE } })).data.bookings,
  });

export interface ReadBooking {
  booking: Booking;
  /** Version of the booking. A change of one of its payments changes this version as well. */
  etag: string;
}

export const bookingQuery = (id: string, bookingId: string) =>
  queryOptions({
    queryKey: ['event', id, 'bookings', bookingId],
    async queryFn({ signal }): Promise<ReadBooking> {
      const { data, response } = await readBooking({ client, signal, path: { id, bookingId } });
      return { booking: data.booking, etag: response.headers.get('etag') ?? '' };
    },
  });

/** Reloads all queries that depend on an event's bookings, such as budget, warnings and history. */
const readAgain = (queries: QueryClient, id: string) =>
  queries.invalidateQueries({ queryKey: ['event', id], predicate: ({ queryKey }) => queryKey.length > 2 });

export function useAddBooking(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key }: { body: NewBooking; key: string }) =>
      (await createBooking({ client, path: { id }, body, headers: { 'idempotency-key': key } })).data.booking,
    onSuccess: () => readAgain(queries, id),
  });
}

export function useChangeBooking(id: string, bookingId: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ body, etag }: { body: BookingChanges; etag: string }): Promise<ReadBooking> {
      const { data, response } = await updateBooking({
        client,
        path: { id, bookingId },
        body,
        headers: { 'if-match': etag },
      });
      return { booking: data.booking, etag: response.headers.get('etag') ?? '' };
    },
    onSuccess(read) {
      queries.setQueryData(bookingQuery(id, bookingId).queryKey, read);
      return readAgain(queries, id);
    },
  });
}

export function useRemoveBooking(id: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(bookingId: string): Promise<void> {
      await deleteBooking({ client, path: { id, bookingId } });
    },
    onSuccess(_done, bookingId) {
      queries.removeQueries({ queryKey: bookingQuery(id, bookingId).queryKey });
      return readAgain(queries, id);
    },
  });
}

export function useRestoreBooking(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id: bookingId, key }: { id: string; key: string }) => {
      const headers = { 'idempotency-key': key };
      return (await restoreBooking({ client, path: { id, bookingId }, headers })).data.booking;
    },
    onSettled: () => readAgain(queries, id),
  });
}

export function useAddPayment(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ bookingId, body, key }: { bookingId: string; body: NewPayment; key?: string }) =>
      (
        await addPayment({
          client,
          path: { id, bookingId },
          body,
          headers: { ...idempotencyKey(), ...(key && { 'idempotency-key': key }) },
        })
      ).data.payment,
    onSuccess: () => readAgain(queries, id),
  });
}

interface ChangedPayment {
  bookingId: string;
  paymentId: string;
  body: PaymentChanges;
  /** Version of the booking. Missing for changes that fit every version, such as marking a payment as paid. */
  etag?: string;
}

export function useChangePayment(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ bookingId, paymentId, body, etag }: ChangedPayment) =>
      (
        await updatePayment({
          client,
          path: { id, bookingId, paymentId },
          body,
          ...(etag && { headers: { 'if-match': etag } }),
        })
      ).data.payment,
    // Payments are reloaded even after status 412 (changed by somebody else), to show the current ones.
    onSettled: () => readAgain(queries, id),
  });
}

export function useRemovePayment(id: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ bookingId, paymentId }: { bookingId: string; paymentId: string }): Promise<void> {
      await deletePayment({ client, path: { id, bookingId, paymentId } });
    },
    onSettled: () => readAgain(queries, id),
  });
}
