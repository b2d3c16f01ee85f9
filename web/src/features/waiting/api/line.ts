import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { type Guest, listGuests } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { useChangeGuest } from '../../guests/api/guests.ts';

const PAGE = 100;

/** Who waits for a place, in their order. */
export const lineQuery = (eventId: string) =>
  infiniteQueryOptions({
    queryKey: ['guests', eventId, 'line'],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam: page }) => {
      const query = { status: 'waiting', order: 'waiting', page, limit: PAGE } as const;
      return (await listGuests({ client, signal, path: { id: eventId }, query })).data;
    },
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });

interface Turn {
  /** Whatever is left of the places. */
  seat(guest: Guest): Promise<unknown>;
  decline(guest: Guest): Promise<unknown>;
  /** Their yes once more: where there is no place for it, they wait, behind the others. */
  putBack(guest: Guest): Promise<unknown>;
}

/** What becomes of who waits; gives back what was asked of the server, which may refuse it. */
export function useTurn(eventId: string): Turn {
  const queries = useQueryClient();
  const change = useChangeGuest(eventId);
  const readAgain = () => queries.invalidateQueries({ queryKey: lineQuery(eventId).queryKey });
  const answer = (guest: Guest, body: Parameters<typeof change.mutateAsync>[0]['body']) =>
    change.mutateAsync({ guest, body }).finally(readAgain);
  return {
    seat: (guest) => answer(guest, { rsvp_status: 'confirmed', coming: guest.coming, over_limit: true }),
    decline: (guest) => answer(guest, { rsvp_status: 'declined' }),
    async putBack(guest) {
      const { coming, coming_children } = guest;
      // Who has places would keep them.
      await answer(guest, { rsvp_status: 'pending' });
      return answer(guest, { rsvp_status: 'confirmed', coming, coming_children });
    },
  };
}
