import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Event, readRsvpSettings, suggestRounds, updateRsvpSettings } from 'simcha-client';
import { client } from '../../../lib/api.ts';

/** An event before and after a change of its date or place. */
export interface EventMove {
  from: Event;
  to: Event;
}

/** True if guests have to know of the change. */
export const hasMoved = ({ from, to }: EventMove): boolean =>
  (['event_date', 'venue_name', 'venue_address'] as const).some((field) => from[field] !== to[field]);

/**
 * Number of guests who know only the former date or place, and the best channel by which to tell them of the change.
 */
export interface UninformedGuests {
  guests: number;
  channel: 'mail' | 'by_hand' | 'phone';
}

/** What may have to follow a change of an event: guests to tell, and the deadline for answers. */
export const afterMoveQuery = ({ to }: EventMove) =>
  queryOptions({
    queryKey: ['event', to.id, 'after-move', to.updated_at],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    async queryFn({ signal }) {
      const path = { id: to.id };
      const [suggested, settings] = await Promise.all([
        suggestRounds({ client, signal, path }),
        readRsvpSettings({ client, signal, path }),
      ]);
      const change = suggested.data.suggested.find(({ kind }) => kind === 'change');
      return {
        uninformed: change && uninformedGuestsOf(change),
        answerUntil: settings.data.settings.answer_until,
        etag: settings.response.headers.get('etag') ?? '',
      };
    },
  });

interface Counts {
  guests: number;
  without_email: number;
  unsubscribed: number;
}

function uninformedGuestsOf({ guests, without_email, unsubscribed }: Counts): UninformedGuests {
  const channel = guests > 0 ? 'mail' : without_email > 0 ? 'by_hand' : 'phone';
  return { guests: guests + without_email + unsubscribed, channel };
}

export function useMoveDeadline(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ until, etag }: { until: string; etag: string }) =>
      updateRsvpSettings({
        client,
        path: { id },
        body: { answer_until: until },
        headers: { 'if-match': etag },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['event', id] }),
  });
}
