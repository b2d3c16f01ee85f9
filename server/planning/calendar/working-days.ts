import { ALL_OCCASIONS, OCCASIONS, type Occasion, occasionsOn } from './occasions.ts';

/**
 * Days on which banks and most offices in Israel are closed: Bank of Israel, Proper Conduct of Banking Business
 * Directive 402. The eve of Yom Kippur is handled in `closureOn`; election days are not covered.
 */
const CLOSED: readonly Occasion[] = [
  ...ALL_OCCASIONS.filter((occasion) => OCCASIONS[occasion].span === 'rest'),
  'purim',
  'independence_day',
  'tisha_beav',
];

export interface Closure {
  occasion: Occasion;
  isEve: boolean;
}

/** Reason why banks are closed on a day; undefined if they are open. */
export function closureOn(date: Temporal.PlainDate): Closure | undefined {
  // A day may have several occasions; the last one names the reason why banks are closed. If a holiday falls on
  // Shabbat, the holiday is the better name, and holidays come later in the list.
  const occasion = occasionsOn(date, CLOSED).at(-1);
  if (occasion) return { occasion, isEve: false };
  const [tomorrow] = occasionsOn(date.add({ days: 1 }), ['yom_kippur']);
  return tomorrow && { occasion: tomorrow, isEve: true };
}

const FRIDAY = 5;

/**
 * Reason why people are not at work on a day; undefined on a working day. Friday counts as a day off, since few people
 * work then.
 */
export function dayOffOn(date: Temporal.PlainDate): Closure | 'friday' | undefined {
  return closureOn(date) ?? (date.dayOfWeek === FRIDAY ? 'friday' : undefined);
}

/** Last day, up to and including the given date, on which banks work. */
export function lastWorkingDay(date: Temporal.PlainDate): Temporal.PlainDate {
  let day = date;
  while (dayOffOn(day)) day = day.subtract({ days: 1 });
  return day;
}
