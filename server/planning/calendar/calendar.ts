import {
  LANGUAGE_NAMES,
  type Language,
  languageCodeOf,
  localeOf,
  type Words,
} from '../../kernel/languages.ts';
import { type Advice, adviceAt, adviceDuring, type CalendarContext, createAlmanac } from './advice.ts';
import type {
  CalendarAdvice,
  CalendarDay,
  EventCalendar,
  FormattedHebrewDate,
  NamedAdvice,
} from './contract.ts';
import { hebrewDateOf, hebrewNumeral, hebrewYear } from './hebrew-dates.ts';
import { messages, type OccasionTimes } from './messages.ts';
import { nightfallOn, sunriseOn, sunsetOn } from './sun.ts';

const UNDATED = {
  date: null,
  sunset: null,
  after_sunset: null,
  hebrew_date: null,
  hebrew_date_before_sunset: null,
  hebrew_date_after_sunset: null,
  advice: [],
};

/**
 * Calendar of an event: its date in the other calendars, and advice. `begins` is null for an event without a date. With
 * `lasts` null (length unknown) the advice is about the event's beginning only.
 */
export function buildCalendar(
  begins: Temporal.Instant | null,
  circle: CalendarContext,
  language: Language,
  lasts: Temporal.Duration | null = null,
): EventCalendar {
  const place = placeOf(circle).name[language];
  if (!begins) return { place, ...UNDATED };
  const date = begins.toZonedDateTimeISO(circle.zone).toPlainDate();
  const { day, part } = hebrewDayAt(begins, circle);
  return {
    place,
    date: date.toString(),
    sunset: hourOf(sunsetOn(date, circle.place), circle.zone),
    after_sunset: part === 'night',
    hebrew_date: formatHebrewDate(day, part, language),
    ...bothDates(date, language),
    advice: adviceDuring({ begins, ends: lasts ? begins.add(lasts) : begins }, circle).map((advice) =>
      toCalendarAdvice(advice, circle, language),
    ),
  };
}

/**
 * Hebrew date of an instant as people write it. From sunset to sunrise, the date is that of the coming day, written as
 * its eve.
 */
export function hebrewDateAt(
  instant: Temporal.Instant,
  where: Pick<CalendarContext, 'zone' | 'place'>,
  language: Language,
): string {
  const { day, part } = hebrewDayAt(instant, where);
  return formatHebrewDate(day, part, language).text;
}

/** Hebrew day of an instant, and whether it is in that day's daylight or in the night before. */
function hebrewDayAt(
  instant: Temporal.Instant,
  { zone, place }: Pick<CalendarContext, 'zone' | 'place'>,
): { day: Temporal.PlainDate; part: 'day' | 'night' } {
  const today = instant.toZonedDateTimeISO(zone).toPlainDate();
  if (Temporal.Instant.compare(instant, sunsetOn(today, place)) >= 0) {
    return { day: today.add({ days: 1 }), part: 'night' };
  }
  const isLight = Temporal.Instant.compare(instant, sunriseOn(today, place)) >= 0;
  return { day: today, part: isLight ? 'day' : 'night' };
}

/** Describes days for a date picker: dates in other calendars, holidays and advice. */
export function buildCalendarDays(
  days: readonly Temporal.PlainDate[],
  circle: CalendarContext,
  language: Language,
): CalendarDay[] {
  const almanac = createAlmanac();
  const named = (instant: Temporal.Instant) =>
    adviceAt(instant, circle, almanac).map((advice) => nameOf(advice, language));
  return days.map((date) => ({
    date: date.toString(),
    sunset: hourOf(sunsetOn(date, circle.place), circle.zone),
    ...bothDates(date, language),
    advice_before_sunset: named(
      date.toZonedDateTime({ timeZone: circle.zone, plainTime: '12:00' }).toInstant(),
    ),
    advice_after_sunset: named(nightfallOn(date, circle.place)),
  }));
}

function bothDates(date: Temporal.PlainDate, language: Language) {
  return {
    hebrew_date_before_sunset: formatHebrewDate(date, 'day', language),
    hebrew_date_after_sunset: formatHebrewDate(date.add({ days: 1 }), 'night', language),
  };
}

/** Writes the Hebrew date of a day: the date of its daylight, or of the night before. */
function formatHebrewDate(
  date: Temporal.PlainDate,
  part: 'day' | 'night',
  language: Language,
): FormattedHebrewDate {
  const hebrew = hebrewDateOf(date);
  const { year, month, day } = hebrew;
  const { he, ar, en } = messages.months[month];
  const byDay: Words = {
    he: `${hebrewNumeral(day)} ב${he} ${hebrewYear(year)}`,
    ar: `${day} ${ar} ${year}`,
    en: `${day} ${en} ${year}`,
  };
  const words = part === 'night' ? messages.eveOf(byDay) : byDay;
  return { ...hebrew, text: words[language], letters: words.he };
}

function nameOf({ code, occasion, strength }: Advice, language: Language): NamedAdvice {
  const { name } = messages.occasions[occasion];
  return { code, name: (besideOf(code)?.name(name) ?? name)[language], strength };
}

function toCalendarAdvice(advice: Advice, circle: CalendarContext, language: Language): CalendarAdvice {
  const { code, occasion, keptByOthers, custom } = advice;
  const own = besideOf(code)?.says ?? messages.occasions[occasion].says;
  const says = keptByOthers ? messages.restOfOthers : own;
  return {
    ...nameOf(advice, language),
    at_start: advice.atStart,
    custom,
    custom_name: messages.customs[custom][language],
    message: (typeof says === 'function' ? says(timesOf(advice, circle)) : says)[language],
  };
}

/** Words for the evening before a day of rest or after it; undefined if the advice is about the occasion itself. */
function besideOf(code: Advice['code']) {
  if (code === 'shabbat_eve' || code === 'holiday_eve') return messages.eve;
  if (code === 'shabbat_end' || code === 'holiday_end') return messages.end;
  return undefined;
}

/**
 * Times of an occasion in whole minutes: the beginning is rounded down and the end up, so that the period never gets
 * shorter.
 */
function timesOf({ begins, ends }: Advice, circle: CalendarContext): OccasionTimes {
  const { zone } = circle;
  const from = begins.round({ smallestUnit: 'minute', roundingMode: 'floor' });
  const until = ends.round({ smallestUnit: 'minute', roundingMode: 'ceil' });
  const { where } = placeOf(circle);
  return { begins: momentOf(from, zone), ends: momentOf(until, zone), endsAt: hourOf(until, zone), where };
}

/** Names of the place whose sunset counts for an event. */
function placeOf({ place }: CalendarContext) {
  return messages.places[place ? 'event' : 'jerusalem'];
}

function momentOf(instant: Temporal.Instant, zone: string): Words {
  const day = instant.toZonedDateTimeISO(zone).toPlainDate();
  const weekdays = LANGUAGE_NAMES.map((name) => [
    languageCodeOf(name),
    day.toLocaleString(localeOf(name), { weekday: 'long' }),
  ]);
  return messages.hourOf(Object.fromEntries(weekdays) as Words, hourOf(instant, zone));
}

function hourOf(instant: Temporal.Instant, zone: string): string {
  return instant.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' });
}
