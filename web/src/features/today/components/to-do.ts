import type { EventToday } from 'simcha-client';

interface Of {
  event: EventToday['event'];
  /** Day on which the task is due; null if the task has none. */
  day: string | null;
  overdue: boolean;
}

/** Task of the organizer, with the identifiers that the link to its page needs. */
export type ToDo = Of &
  (
    | { kind: 'requests' | 'plus_ones'; guests: number }
    | { kind: 'missed'; guests: number; roundId: string }
    | { kind: 'call' | 'send'; guests: number; roundId: string }
    | { kind: 'payment'; vendor: string; amount: number; bookingId: string }
    | { kind: 'approval'; title: string }
  );

/** Tasks of all events: overdue tasks first, then tasks without a day, then the others by day. */
export function toDosOf(events: readonly EventToday[]): ToDo[] {
  return events.flatMap(ofEvent).sort(byUrgency);
}

function ofEvent({ event, requests, plus_ones, missed, to_tell, payments, approvals }: EventToday): ToDo[] {
  const now = { event, day: null, overdue: false };
  return [
    ...(requests > 0 ? [{ ...now, kind: 'requests', guests: requests } as const] : []),
    ...(plus_ones > 0 ? [{ ...now, kind: 'plus_ones', guests: plus_ones } as const] : []),
    ...missed.map(({ round_id: roundId, guests }) => ({ ...now, kind: 'missed', guests, roundId }) as const),
    ...to_tell.map(
      ({ round_id: roundId, channel, guests }) =>
        ({ ...now, kind: channel === 'phone' ? 'call' : 'send', guests, roundId }) as const,
    ),
    ...payments.map(
      ({ booking_id: bookingId, vendor_name: vendor, amount, due_date: day, overdue }) =>
        ({ event, kind: 'payment', vendor, amount, bookingId, day, overdue }) as const,
    ),
    ...approvals.map(
      ({ title, due_date: day, overdue }) => ({ event, kind: 'approval', title, day, overdue }) as const,
    ),
  ];
}

const rank = ({ overdue, day }: ToDo): number => (overdue ? 0 : day === null ? 1 : 2);

function byUrgency(one: ToDo, other: ToDo): number {
  return rank(one) - rank(other) || (one.day ?? '').localeCompare(other.day ?? '');
}
