import { useQueryClient } from '@tanstack/react-query';
import { useThrottled } from '../../../lib/throttled.ts';
import { useEventStream } from '../../events/api/live.ts';
import {
  type GuestListing,
  guestPageQuery,
  guestQuery,
  reloadList,
  reloadNumbers,
  showGuest,
} from './guests.ts';

/** Minimum time between two reloads of the guest list, in milliseconds. */
const APART_MS = 700;

/**
 * Shows changes of guests live. A visible guest is changed in place, even if the filter no longer matches, so that
 * nothing moves under a finger. If guests were added or removed, the visible pages are reloaded.
 */
export function useLiveGuests(eventId: string, listing: GuestListing): boolean {
  const queries = useQueryClient();
  const readAgain = useThrottled(APART_MS, () => {
    // Failed reloads of guests are repeated when the page is visible again; the offline bar already says why they
    // failed.
    Promise.all([reloadList(queries, eventId), reloadNumbers(queries, eventId)]).catch(() => {});
  });
  const isWhole = listing.order === 'name' && Object.keys(listing.filter).length === 0;
  const total = () => queries.getQueryData(guestPageQuery(eventId, listing, 0).queryKey)?.total;

  return useEventStream(eventId, (change) => {
    if (change.event === 'answer' || change.event === 'guest') {
      const { guest } = change.data;
      const isListed = showGuest(queries, guest);
      queries.invalidateQueries({ queryKey: guestQuery(eventId, guest.id).queryKey }).catch(() => {});
      // If the list shows all guests by name, a change of a guest moves no rows. Only a new guest does, and the stream
      // reports new guests by its event `counts`.
      if (!isListed && !isWhole) readAgain();
    } else if (change.event === 'counts') {
      if (isWhole && total() !== undefined && total() !== change.data.rsvp_total) readAgain();
    } else if (change.event === 'removed' || change.event === 'changed') readAgain();
  });
}
