import { invalidField } from '../../kernel/fields.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { messages } from './messages.ts';

export const MOST_CALENDAR_DAYS = 100;
/**
 * Years that the calendar supports: for them the formulas of the sun and today's rules of the memorial days are valid.
 */
const [FIRST_YEAR, LAST_YEAR] = [2000, 2100];

/**
 * Query parameters for the days of the calendar: the first and last day, and the language that decides whose holidays
 * are included.
 */
export const daysQuery = {
  from: queryTypes.date(`The first day, in the years ${FIRST_YEAR} to ${LAST_YEAR}.`),
  to: queryTypes.date(`The last day; at most ${MOST_CALENDAR_DAYS} days in all.`),
  language: queryTypes.oneOfOr(
    LANGUAGE_NAMES,
    'hebrew',
    'The event’s `language_pref`: `arabic` includes Muslim, Christian and Druze days, and Jewish days of rest; others include Jewish days.',
  ),
};

/**
 * Days between the first and the last day of a query. Throws if there are none, too many, or days outside the supported
 * years.
 */
export function readDays({
  from,
  to,
}: {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}): Temporal.PlainDate[] {
  for (const [field, day] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (day.year < FIRST_YEAR || day.year > LAST_YEAR) {
      throw invalidField(field, messages.beyondYears(FIRST_YEAR, LAST_YEAR));
    }
  }
  const count = from.until(to).days + 1;
  if (count < 1) throw invalidField('to', messages.endsBeforeItBegins);
  if (count > MOST_CALENDAR_DAYS) throw invalidField('to', messages.tooManyDays(MOST_CALENDAR_DAYS));
  return Array.from({ length: count }, (_, days) => from.add({ days }));
}
