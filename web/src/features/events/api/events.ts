import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type CountedEvent,
  countGuests,
  createEvent,
  deleteEvent,
  duplicateEvent,
  type EventChanges,
  type EventCopy,
  listDeletedEvents,
  listEvents,
  listSharedEvents,
  type NewEvent,
  type RsvpSettingsChanges,
  readBudget,
  readEvent,
  readEventCalendar,
  readWarnings,
  restoreEvent,
  updateEvent,
  updateRsvpSettings,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { daysUntil } from '../../../lib/dates.ts';

/** Page size of event lists: the server's maximum, which is more than any user's number of events. */
const ALL = 1_000;

export const eventsQuery = queryOptions({
  queryKey: ['events'],
  queryFn: async ({ signal }) => (await listEvents({ client, signal, query: { limit: ALL } })).data.events,
});

export const sharedEventsQuery = queryOptions({
  queryKey: ['events', 'shared'],
  queryFn: async ({ signal }) =>
    (await listSharedEvents({ client, signal, query: { limit: ALL } })).data.events,
});

export interface ReadEvent {
  event: CountedEvent;
  /** Version of the event, which each change must send. */
  etag: string;
}

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id],
    async queryFn({ signal }): Promise<ReadEvent> {
      const { data, response } = await readEvent({ client, signal, path: { id } });
      return { event: data.event, etag: response.headers.get('etag') ?? '' };
    },
  });

/** True for an event whose guests may still reply: it is neither over nor cancelled. */
export const isAwaitingReplies = ({ status, event_date: at }: CountedEvent): boolean =>
  (status === 'draft' || status === 'published') && (at === null || Date.parse(at) > Date.now());

/** True for an event that is over: it took place, or its day has passed. */
export const isPast = ({ status, event_date: at }: Pick<CountedEvent, 'status' | 'event_date'>): boolean =>
  status === 'completed' || (at !== null && daysUntil(at) < 0);

export const eventCalendarQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'calendar'],
    queryFn: async ({ signal }) => (await readEventCalendar({ client, signal, path: { id } })).data.calendar,
  });

export const countsQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'counts'],
    queryFn: async ({ signal }) => (await countGuests({ client, signal, path: { id } })).data.counts,
  });

export const budgetQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'budget'],
    queryFn: async ({ signal }) => (await readBudget({ client, signal, path: { id } })).data.budget,
  });

export const warningsQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'warnings'],
    queryFn: async ({ signal }) => (await readWarnings({ client, signal, path: { id } })).data.warnings,
  });

interface EventCreation {
  body: NewEvent;
  settings: RsvpSettingsChanges;
  key: string;
}

/**
 * Creates an event and then its RSVP settings. If only the settings can't be saved, the event is there all the same,
 * and `settingsError` says why.
 */
export function useCreateEvent() {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ body, settings, key }: EventCreation) {
      const { data } = await createEvent({ client, body, headers: { 'idempotency-key': key } });
      const path = { id: data.event.id };
      const settingsError = await updateRsvpSettings({ client, path, body: settings }).then(
        () => undefined,
        (error: unknown) => error,
      );
      return { ...data, settingsError };
    },
    onSuccess: () => reloadEventLists(queries),
  });
}

export function useChangeEvent(id: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ body, etag }: { body: EventChanges; etag?: string }) {
      const { data, response } = await updateEvent({
        client,
        path: { id },
        body,
        ...(etag && { headers: { 'if-match': etag } }),
      });
      return { ...data, etag: response.headers.get('etag') ?? '' };
    },
    onSuccess({ event, etag }) {
      queries.setQueryData(eventQuery(id).queryKey, { event, etag });
      return Promise.all([
        reloadEventLists(queries),
        queries.invalidateQueries({
          queryKey: ['event', id],
          predicate: ({ queryKey }) => queryKey.length > 2,
        }),
      ]);
    },
  });
}

export function useDuplicateEvent(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key }: { body: EventCopy; key: string }) =>
      (await duplicateEvent({ client, path: { id }, body, headers: { 'idempotency-key': key } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['events'] }),
  });
}

/** Dry run of completing or cancelling an event; the result lists the consequences. */
export const stepPreviewQuery = (id: string, status: 'completed' | 'cancelled') =>
  queryOptions({
    queryKey: ['event', id, 'step', status],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await updateEvent({ client, signal, path: { id }, query: { dry_run: true }, body: { status } })).data,
  });

export const deletedEventsQuery = queryOptions({
  queryKey: ['events', 'deleted'],
  queryFn: async ({ signal }) =>
    (await listDeletedEvents({ client, signal, query: { limit: ALL } })).data.events,
});

export function useDeleteEvent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => deleteEvent({ client, path: { id } }),
    onSuccess: () => reloadEventLists(queries),
  });
}

export function useRestoreEvent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, key }: { id: string; key: string }) =>
      (await restoreEvent({ client, path: { id }, headers: { 'idempotency-key': key } })).data.event,
    onSuccess: ({ id }) =>
      Promise.all([reloadEventLists(queries), queries.invalidateQueries({ queryKey: ['event', id] })]),
  });
}

/** Reloads all queries whose results contain several events: events, vendors and the start page. */
export const reloadEventLists = (queries: QueryClient) =>
  Promise.all(
    [['events'], ['vendors'], ['today']].map((queryKey) => queries.invalidateQueries({ queryKey })),
  );
