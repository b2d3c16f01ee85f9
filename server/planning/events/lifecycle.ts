export const EVENT_STATUSES = ['draft', 'published', 'cancelled', 'completed'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

const MOVES: Readonly<Record<EventStatus, readonly EventStatus[]>> = {
  draft: ['published', 'cancelled'],
  published: ['cancelled', 'completed'],
  cancelled: [],
  completed: [],
};

export function isEventStatus(value: unknown): value is EventStatus {
  return EVENT_STATUSES.some((status) => status === value);
}

/**
 * True if an organizer may change an event's status in this way. Keeping the status is no change; an ended event's
 * status can't change.
 */
export function mayChangeStatus(from: EventStatus, to: EventStatus): boolean {
  return MOVES[from].includes(to);
}

/** True if an event with this status may have a date in the past. */
export function endsEvent(status: EventStatus | undefined): boolean {
  return status === 'cancelled' || status === 'completed';
}

const CHECKLIST_FROM_GUESTS = 100;

/** True if an event with this number of guests has a compliance checklist. */
export function hasChecklist(maxGuests: number | null): boolean {
  return maxGuests !== null && maxGuests >= CHECKLIST_FROM_GUESTS;
}
