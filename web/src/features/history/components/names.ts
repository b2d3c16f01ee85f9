import { useQueries, useQuery } from '@tanstack/react-query';
import { useMayEdit } from '../../events/api/access.ts';
import { bookingsQuery, deletedBookingsQuery } from '../../vendors/api/bookings.ts';
import { deletedGuestsQuery, guestNameQuery, type HistoryEntry } from '../api/history.ts';

/** Who guests and vendors of these lines are, by their ids, as far as it is still known. */
export function useNames(eventId: string, entries: readonly HistoryEntry[]): ReadonlyMap<string, string> {
  const mayEdit = useMayEdit(eventId);
  const isAbout = (subject: string) => entries.some((entry) => entry.subject === subject);
  const { data: bookings = [] } = useQuery({ ...bookingsQuery(eventId), enabled: isAbout('booking') });
  const { data: gone = [] } = useQuery({
    ...deletedBookingsQuery(eventId),
    enabled: mayEdit && isAbout('booking'),
  });
  const { data: deleted, isPending } = useQuery({
    ...deletedGuestsQuery(eventId),
    enabled: mayEdit && isAbout('guest'),
  });
  const isDeleted = new Set(deleted?.map(({ id }) => id));
  const guests = [
    ...new Set(
      entries
        .filter(({ subject, action }) => subject === 'guest' && action !== 'deleted' && action !== 'erased')
        .flatMap(({ subject_id: id }) => (id && !isDeleted.has(id) ? [id] : [])),
    ),
  ];
  const read = useQueries({
    queries: guests.map((id) => ({ ...guestNameQuery(eventId, id), enabled: !(mayEdit && isPending) })),
  });
  return new Map([
    ...[...bookings, ...gone].map(({ id, vendor_name: name }) => [id, name] as const),
    ...(deleted ?? []).map(({ id, name }) => [id, name] as const),
    ...guests.flatMap((id, index) => {
      const name = read[index]?.data;
      return name ? [[id, name] as const] : [];
    }),
  ]);
}
