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

/** Whether an organizer may move an event so. Staying is no move, and nothing leads out of an ended event. */
export function mayMove(from: Status, to: Status): boolean {
  return MOVES[from].includes(to);
}

/** Statuses with which the date of an event may lie in the past. */
export function endsEvent(status: Status | undefined): boolean {
  return status === 'cancelled' || status === 'completed';
}

const CHECKLIST_FROM_GUESTS = 100;

/** Whether an event of this size has a compliance checklist. */
export function hasChecklist(maxGuests: number | null): boolean {
  return maxGuests !== null && maxGuests >= CHECKLIST_FROM_GUESTS;
}
