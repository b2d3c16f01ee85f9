import { useQueryClient } from '@tanstack/react-query';
import { useAtMostEvery } from '../../../lib/at-most-every.ts';
import { useLive } from '../../events/api/live.ts';
import { guestQuery, type Listing, pageQuery, readListAgain, readNumbersAgain, showGuest } from './guests.ts';

/** However much comes in, a list is not read again more often. */
const APART_MS = 700;

/**
 * What guests do, where it is seen: who is shown is changed in place, even where a filter would not find them any more, so
 * that nothing moves under a finger. What is seen of the list is read again where somebody came or went.
 */
export function useLiveGuests(eventId: string, listing: Listing): boolean {
  const queries = useQueryClient();
  const readAgain = useAtMostEvery(APART_MS, () => {
    // What can't be read now is when the page is next looked at; the bar that says "offline" has said so already.
    Promise.all([readListAgain(queries, eventId), readNumbersAgain(queries, eventId)]).catch(() => {});
  });
  const isWhole = listing.order === 'name' && Object.keys(listing.filter).length === 0;
  const total = () => queries.getQueryData(pageQuery(eventId, listing, 0).queryKey)?.total;

  return useLive(eventId, (told) => {
    if (told.event === 'answer' || told.event === 'guest') {
      const { guest } = told.data;
      const isListed = showGuest(queries, guest);
      queries.invalidateQueries({ queryKey: guestQuery(eventId, guest.id).queryKey }).catch(() => {});
      // In the whole list by name only who is new moves anything, and of these the counts tell.
      if (!isListed && !isWhole) readAgain();
    } else if (told.event === 'counts') {
      if (isWhole && total() !== undefined && total() !== told.data.rsvp_total) readAgain();
    } else if (told.event === 'removed' || told.event === 'changed') readAgain();
  });
}
