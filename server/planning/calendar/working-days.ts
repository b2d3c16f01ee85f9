import { ALL_OCCASIONS, OCCASIONS, type Occasion, occasionsOn } from './occasions.ts';

/**
 * Days on which banks in Israel do no business, and most offices are shut: Bank of Israel, Proper Conduct of Banking
 * Business Directive 402. The eve of Yom Kippur is one as well; election days are not known here.
 */
const CLOSED: readonly Occasion[] = [
  ...ALL_OCCASIONS.filter((occasion) => OCCASIONS[occasion].span === 'rest'),
  'purim',
  'independence_day',
  'tisha_beav',
];

/** Why banks are shut. */
export interface Closure {
  occasion: Occasion;
  isEve: boolean;
}

/** Why banks are shut on a day; undefined when they are not. */
export function closureOn(date: Temporal.PlainDate): Closure | undefined {
  // A holiday's name says more than that it is Shabbat, too.
  const occasion = occasionsOn(date, CLOSED).at(-1);
  if (occasion) return { occasion, isEve: false };
  const [tomorrow] = occasionsOn(date.add({ days: 1 }), ['yom_kippur']);
  return tomorrow && { occasion: tomorrow, isEve: true };
}

const FRIDAY = 5;

/** Why people are not at work on a day: on Fridays few are. undefined when they are. */
export function offOn(date: Temporal.PlainDate): Closure | 'friday' | undefined {
  return closureOn(date) ?? (date.dayOfWeek === FRIDAY ? 'friday' : undefined);
}

/** The last day up to this one on which people are at work. */
export function lastWorkingDay(date: Temporal.PlainDate): Temporal.PlainDate {
  let day = date;
  while (offOn(day)) day = day.subtract({ days: 1 });
  return day;
}
