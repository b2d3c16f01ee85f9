import { dayAfter, dayOf, timeOfDay, todayInIsrael } from '../../../lib/dates.ts';

/** Deadline for guests' answers after the event's date was changed, as local time in Israel. */
export interface MovedDeadline {
  until: string;
  /** True if the former deadline hardly fits: the event is later now, or the deadline would be after it. */
  isAdvised: boolean;
}

const MS_A_DAY = 86_400_000;

/**
 * Deadline moved by as many days as the event; undefined if it is to stay, or would be in the past or after the event.
 */
export function movedDeadline(
  answerUntil: string | null,
  { from, to }: { from: string | null; to: string | null },
  today = todayInIsrael(),
): MovedDeadline | undefined {
  if (answerUntil === null || from === null || to === null) return undefined;
  const days = (Date.parse(dayOf(to)) - Date.parse(dayOf(from))) / MS_A_DAY;
  const day = dayAfter(dayOf(answerUntil), days);
  const until = `${day}T${timeOfDay(answerUntil, 'en')}`;
  const isPossible = days !== 0 && day > today && until <= `${dayOf(to)}T${timeOfDay(to, 'en')}`;
  return isPossible ? { until, isAdvised: days > 0 || answerUntil > to } : undefined;
}
