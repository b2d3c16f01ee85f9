import { queryOptions } from '@tanstack/react-query';
import { type Guest, listGuests, paginate } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import type { GuestListing } from './guests.ts';

/** Maximum number of guests in one page of the API's list. */
const AT_ONCE = 1_000;

/** Reads all guests that match a filter. A guest who is on two pages, as others were added meanwhile, comes once. */
export async function readAllGuests(
  eventId: string,
  { filter, order }: { filter: GuestListing['filter']; order?: GuestListing['order'] },
  signal?: AbortSignal,
): Promise<Guest[]> {
  const guests = new Map<string, Guest>();
  const read = (page: { page: number; limit: number }) =>
    listGuests({
      client,
      path: { id: eventId },
      query: { ...filter, ...(order && { order }), ...page },
      ...(signal && { signal }),
    });
  for await (const guest of paginate(read, AT_ONCE)) guests.set(guest.id, guest);
  return [...guests.values()];
}

/** Query for all guests of a list, to print them. They are read again at each visit and not kept. */
export const allGuestsQuery = (eventId: string, listing: GuestListing) =>
  queryOptions({
    queryKey: ['guests', eventId, 'all', listing],
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => readAllGuests(eventId, listing, signal),
  });
