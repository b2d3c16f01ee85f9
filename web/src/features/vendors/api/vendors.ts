import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createVendor,
  deleteVendor,
  listBookedVendors,
  listVendors,
  type NewVendor,
  paginate,
  readVendor,
  updateVendor,
  type Vendor,
  type VendorChanges,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

/** Number of vendors in one page of the API, the server's maximum. */
const AT_ONCE = 1_000;

/** Query for all vendors of the user, by name. */
export const vendorsQuery = queryOptions({
  queryKey: ['vendors'],
  queryFn: ({ signal }) =>
    Array.fromAsync(paginate((page) => listVendors({ client, signal, query: page }), AT_ONCE)),
});

export interface ReadVendor {
  vendor: Vendor;
  etag: string;
}

export const vendorQuery = (vendorId: string) =>
  queryOptions({
    queryKey: ['vendors', vendorId],
    async queryFn({ signal }): Promise<ReadVendor> {
      const { data, response } = await readVendor({ client, signal, path: { vendorId } });
      return { vendor: data.vendor, etag: response.headers.get('etag') ?? '' };
    },
  });

/** Query for an event's booked vendors with their contact data, only for users who may edit the event. */
export const bookedVendorsQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'vendors'],
    queryFn: ({ signal }) =>
      Array.fromAsync(
        paginate((page) => listBookedVendors({ client, signal, path: { id }, query: page }), AT_ONCE),
      ),
  });

/** Reloads vendors, and the bookings, which also show the name and the certificate of a vendor. */
const readAgain = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['vendors'] }),
    queries.invalidateQueries({ queryKey: ['event'], predicate: ({ queryKey }) => queryKey.length > 2 }),
  ]);

export function useAddVendor() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key }: { body: NewVendor; key: string }) =>
      (await createVendor({ client, body, headers: { 'idempotency-key': key } })).data.vendor,
    onSuccess: () => readAgain(queries),
  });
}

export function useChangeVendor(vendorId: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ body, etag }: { body: VendorChanges; etag: string }): Promise<ReadVendor> {
      const { data, response } = await updateVendor({
        client,
        path: { vendorId },
        body,
        headers: { 'if-match': etag },
      });
      return { vendor: data.vendor, etag: response.headers.get('etag') ?? '' };
    },
    onSuccess(read) {
      queries.setQueryData(vendorQuery(vendorId).queryKey, read);
      return readAgain(queries);
    },
  });
}

export function useRemoveVendor(vendorId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<void> => {
      await deleteVendor({ client, path: { vendorId } });
    },
    onSuccess() {
      queries.removeQueries({ queryKey: vendorQuery(vendorId).queryKey });
      return readAgain(queries);
    },
  });
}
