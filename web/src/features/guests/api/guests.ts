import {
  infiniteQueryOptions,
  notifyManager,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import {
  createGuest,
  deleteGuest,
  type Guest,
  type GuestChanges,
  type GuestPage,
  listDeletedGuests,
  listGuests,
  listQuestions,
  listTags,
  type NewGuest,
  type RsvpSettings,
  readGuest,
  readGuestLink,
  readHistory,
  readRsvpSettings,
  restoreGuest,
  revokeGuestLink,
  updateGuest,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { countsQuery } from '../../events/api/events.ts';
import type { GuestFilter, GuestOrder } from './search.ts';

/**
 * Page size of the list. Measured with 10,000 guests on the machine of the tests: a page of this size is 65 KB after 15
 * to 40 ms, the whole list 6.5 MB after a second, and after ten on a phone's network. So only pages that are scrolled
 * to are loaded.
 */
export const PAGE_SIZE = 50;

/**
 * Query key of an event's guest list. Queries below `['event', id]` are reloaded one by one, which would make the list
 * jump, so this key is separate: `reloadList` reloads all visible pages of the list together.
 */
const listKey = (eventId: string) => ['guests', eventId, 'list'] as const;
const guestKey = (eventId: string, id: string) => ['guests', eventId, 'one', id] as const;

export interface GuestListing {
  filter: GuestFilter;
  order: GuestOrder;
}

/** Query for one page of the guest list; pages are counted from 0. */
export const guestPageQuery = (eventId: string, listing: GuestListing, page: number) =>
  queryOptions({
    queryKey: [...listKey(eventId), listing, page] as const,
    // The event stream reports changes of guests, so a page of the list is not reloaded each time it is shown.
    staleTime: 60_000,
    queryFn: ({ signal }) => readPage(eventId, listing, page, signal),
  });

async function readPage(
  eventId: string,
  { filter, order }: GuestListing,
  page: number,
  signal?: AbortSignal,
): Promise<GuestPage> {
  const query = { ...filter, order, page: page + 1, limit: PAGE_SIZE };
  return (await listGuests({ client, path: { id: eventId }, query, ...(signal && { signal }) })).data;
}

export const totalsKey = (eventId: string) => ['guests', eventId, 'total'] as const;

/** Query for the number of guests that match a filter. */
export const totalQuery = (eventId: string, filter: GuestFilter) =>
  queryOptions({
    queryKey: [...totalsKey(eventId), filter],
    queryFn: async ({ signal }) =>
      (await listGuests({ client, signal, path: { id: eventId }, query: { ...filter, limit: 1 } })).data
        .total,
  });

/** Reloads the visible pages of the guest list at once; the other pages are loaded when they are scrolled to. */
export async function reloadList(queries: QueryClient, eventId: string): Promise<void> {
  const queryKey = listKey(eventId);
  queries.removeQueries({ queryKey, type: 'inactive' });
  const visible = queries.getQueryCache().findAll({ queryKey, type: 'active' });
  const pages = await Promise.all(
    visible.map(async ({ queryKey: key }) => {
      const [, , , listing, page] = key as ReturnType<typeof guestPageQuery>['queryKey'];
      return { key, page: await readPage(eventId, listing, page) };
    }),
  );
  notifyManager.batch(() => {
    for (const { key, page } of pages) queries.setQueryData(key, page);
  });
}

/** Replaces a guest in all loaded pages of the list. Returns true if one of the pages contains the guest. */
export function showGuest(queries: QueryClient, guest: Guest): boolean {
  let isListed = false;
  queries.setQueriesData<GuestPage>({ queryKey: listKey(guest.event_id) }, (page) => {
    const known = page?.guests.find(({ id }) => id === guest.id);
    if (!page || !known) return page;
    isListed = true;
    // A guest from the event stream may be older than the stored one, if the user has changed the guest meanwhile.
    if (known.updated_at > guest.updated_at) return page;
    return { ...page, guests: page.guests.map((one) => (one.id === guest.id ? guest : one)) };
  });
  return isListed;
}

export interface ReadGuest {
  guest: Guest;
  etag: string;
}

export const guestQuery = (eventId: string, id: string) =>
  queryOptions({
    queryKey: guestKey(eventId, id),
    async queryFn({ signal }): Promise<ReadGuest> {
      const path = { id: eventId, guestId: id };
      const { data, response } = await readGuest({ client, signal, path });
      return { guest: data.guest, etag: response.headers.get('etag') ?? '' };
    },
  });

export const linkQuery = (eventId: string, id: string) =>
  queryOptions({
    queryKey: [...guestKey(eventId, id), 'link'],
    queryFn: async ({ signal }) =>
      (await readGuestLink({ client, signal, path: { id: eventId, guestId: id } })).data.link,
  });

/** Revokes a guest's personal link. The server makes a new link when the link is next read. */
export function useRevokeLink(eventId: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn() {
      await revokeGuestLink({ client, path: { id: eventId, guestId: id } });
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: linkQuery(eventId, id).queryKey }),
        queries.invalidateQueries({ queryKey: historyQuery(eventId, id).queryKey }),
      ]),
  });
}

const LINES = 20;

export const historyQuery = (eventId: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [...guestKey(eventId, id), 'history'],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam: page }) => {
      const query = { subject: 'guest', subject_id: id, limit: LINES, page } as const;
      return (await readHistory({ client, signal, path: { id: eventId }, query })).data;
    },
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });

/** Maximum number of an event's tags that are read, far above the number of any event. */
const TAGS = 1_000;

export const tagsQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId, 'tags'],
    queryFn: async ({ signal }) =>
      (await listTags({ client, signal, path: { id: eventId }, query: { limit: TAGS } })).data.tags,
  });

export const questionsQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId, 'questions'],
    queryFn: async ({ signal }) =>
      (await listQuestions({ client, signal, path: { id: eventId } })).data.questions,
  });

export interface ReadRsvpSettings {
  settings: RsvpSettings;
  etag: string;
}

/** Query for the RSVP settings of an event with their version, which a change must send. */
export const versionedRsvpSettingsQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId, 'rsvp-settings'],
    async queryFn({ signal }): Promise<ReadRsvpSettings> {
      const { data, response } = await readRsvpSettings({ client, signal, path: { id: eventId } });
      return { settings: data.settings, etag: response.headers.get('etag') ?? '' };
    },
  });

export const rsvpSettingsQuery = (eventId: string) =>
  queryOptions({ ...versionedRsvpSettingsQuery(eventId), select: ({ settings }) => settings });

export const deletedGuestsQuery = (eventId: string) =>
  infiniteQueryOptions({
    queryKey: ['guests', eventId, 'deleted'],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam: page }) =>
      (await listDeletedGuests({ client, signal, path: { id: eventId }, query: { page, limit: PAGE_SIZE } }))
        .data,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });

/**
 * Reloads the data that is computed from an event's guests, such as counts and tags. The event stream sends new counts
 * too, but not while it is disconnected.
 */
export function reloadNumbers(queries: QueryClient, eventId: string): Promise<unknown> {
  return Promise.all([
    queries.invalidateQueries({ queryKey: countsQuery(eventId).queryKey }),
    queries.invalidateQueries({ queryKey: tagsQuery(eventId).queryKey }),
    queries.invalidateQueries({ queryKey: ['guests', eventId, 'total'] }),
    queries.invalidateQueries({ queryKey: deletedGuestsQuery(eventId).queryKey }),
  ]);
}

export function useAddGuest(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key }: { body: NewGuest; key: string }) =>
      (await createGuest({ client, path: { id: eventId }, body, headers: { 'idempotency-key': key } })).data,
    onSuccess: () => Promise.all([reloadList(queries, eventId), reloadNumbers(queries, eventId)]),
  });
}

interface GuestChange {
  guest: Guest;
  body: GuestChanges;
  /** Version of the guest. Missing for a quick change in the list, which sets one field and fits every version. */
  etag?: string;
}

export function useChangeGuest(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ guest: { id }, body, etag }: GuestChange) {
      const { data, response } = await updateGuest({
        client,
        path: { id: eventId, guestId: id },
        body,
        ...(etag && { headers: { 'if-match': etag } }),
      });
      return { ...data, etag: response.headers.get('etag') ?? '' };
    },
    onSuccess({ guest, etag }) {
      showGuest(queries, guest);
      queries.setQueryData(guestQuery(eventId, guest.id).queryKey, { guest, etag });
      queries.invalidateQueries({ queryKey: historyQuery(eventId, guest.id).queryKey }).catch(() => {});
      reloadNumbers(queries, eventId).catch(() => {});
    },
  });
}

export function useDeleteGuest(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => deleteGuest({ client, path: { id: eventId, guestId: id } }),
    onSuccess: () => Promise.all([reloadList(queries, eventId), reloadNumbers(queries, eventId)]),
  });
}

export function useRestoreGuest(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id: guestId, key }: { id: string; key: string }) => {
      const headers = { 'idempotency-key': key };
      return (await restoreGuest({ client, path: { id: eventId, guestId }, headers })).data;
    },
    onSuccess: () => Promise.all([reloadList(queries, eventId), reloadNumbers(queries, eventId)]),
  });
}
