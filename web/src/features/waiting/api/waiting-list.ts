import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { type Guest, listGuests } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { useChangeGuest } from '../../guests/api/guests.ts';

const PAGE = 100;

/** Query for the guests on the waiting list, in the order of the list. */
export const waitingListQuery = (eventId: string) =>
  infiniteQueryOptions({
    queryKey: ['guests', eventId, 'line'],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam: page }) => {
      const query = { status: 'waiting', order: 'waiting', page, limit: PAGE } as const;
      return (await listGuests({ client, signal, path: { id: eventId }, query })).data;
    },
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });

interface WaitingListActions {
  /** Gives a guest on the waiting list a place, even beyond the event's limit. */
  seat(guest: Guest): Promise<unknown>;
  decline(guest: Guest): Promise<unknown>;
  /** Confirms a guest again. If there is no free place, the guest goes to the end of the waiting list. */
  putBack(guest: Guest): Promise<unknown>;
}

/** Actions for guests on the waiting list. Each returns the promise of its request, which the server may refuse. */
export function useWaitingListActions(eventId: string): WaitingListActions {
  const queries = useQueryClient();
  const change = useChangeGuest(eventId);
  const readAgain = () => queries.invalidateQueries({ queryKey: waitingListQuery(eventId).queryKey });
  const answer = (guest: Guest, body: Parameters<typeof change.mutateAsync>[0]['body']) =>
    change.mutateAsync({ guest, body }).finally(readAgain);
  return {
    seat: (guest) => answer(guest, { rsvp_status: 'confirmed', coming: guest.coming, over_limit: true }),
    decline: (guest) => answer(guest, { rsvp_status: 'declined' }),
    async putBack(guest) {
      const { coming, coming_children } = guest;
      // A guest who already has a place and is confirmed again would keep the place. So the reply is first reset to
      // pending, which frees the place.
      await answer(guest, { rsvp_status: 'pending' });
      return answer(guest, { rsvp_status: 'confirmed', coming, coming_children });
    },
  };
}
