export const STATUSES = ['draft', 'published', 'cancelled', 'completed'] as const;
export type Status = (typeof STATUSES)[number];

const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  draft: ['published', 'cancelled'],
  published: ['cancelled', 'completed'],
  cancelled: [],
  completed: [],
};

export function isStatus(value: unknown): value is Status {
  return STATUSES.some((status) => status === value);
}

/**
 * True if an organizer may make this change of status. Keeping the status is no change; an ended event has none left.
 */
export function mayMove(from: Status, to: Status): boolean {
  return MOVES[from].includes(to);
}

/** True if an event with this status may have a date in the past. */
export function endsEvent(status: Status | undefined): boolean {
  return status === 'cancelled' || status === 'completed';
}

const CHECKLIST_FROM_GUESTS = 100;

/** True if an event of this size has a compliance checklist. */
export function hasChecklist(maxGuests: number | null): boolean {
  return maxGuests !== null && maxGuests >= CHECKLIST_FROM_GUESTS;
}
