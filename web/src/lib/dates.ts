import { LANGUAGES, type Language } from './languages.ts';
import { typedTime } from './time-of-day.ts';

/** Time zone of all events, whatever the browser's time zone is. */
export const ZONE = 'Asia/Jerusalem';

/** Locale names of dayjs, which the day picker uses for the names of months and days. */
export const DAYJS: Readonly<Record<Language, string>> = { he: 'he', ar: 'ar-iq', en: 'en' };

const formats = new Map<string, Intl.DateTimeFormat>();

function format(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  const known =
    formats.get(key) ?? new Intl.DateTimeFormat(LANGUAGES[language].locale, { timeZone: ZONE, ...options });
  formats.set(key, known);
  return known;
}

/** Formats an ISO instant as a long date: "Tuesday, 15 June 2027". */
export const longDate = (iso: string, language: Language): string =>
  format(language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(iso));

/** Formats an ISO instant as a short date: "15 Jun 2027". */
export const shortDate = (iso: string, language: Language): string =>
  format(language, { day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(iso));

/** Formats the time of an ISO instant: "19:30". */
export const timeOfDay = (iso: string, language: Language): string =>
  format(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(iso));

/** Formats an ISO instant as a short date and time: "15 Jun 2027, 19:30". */
export const dateAndTime = (iso: string, language: Language): string =>
  joinTexts([shortDate(iso, language), timeOfDay(iso, language)], language);

/** Formats an ISO instant as a long date and time: "Tuesday, 15 June 2027, 19:30". */
export const longDateAndTime = (iso: string, language: Language): string =>
  joinTexts([longDate(iso, language), timeOfDay(iso, language)], language);

/** Joins texts with the comma of the given language. */
export const joinTexts = (texts: readonly string[], language: Language): string =>
  texts.join(language === 'ar' ? '، ' : ', ');

/**
 * Joins a day and a time of day to a local time, which without an offset is Israel's; undefined if either is missing.
 */
export const wallTimeOf = ({ date, time }: { date: string | null; time: string }): string | undefined =>
  date && typedTime(time) ? `${date}T${typedTime(time)}` : undefined;

/** Day of an ISO instant in the time zone of events, as `2027-06-15`. */
export function dayOf(iso: string): string {
  const parts = format('en', { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(
    new Date(iso),
  );
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** Number of whole days from today until the day of an instant; negative if that day has passed. */
export function daysUntil(iso: string, now = new Date()): number {
  const [there, here] = [dayOf(iso), dayOf(now.toISOString())].map((day) => Date.parse(`${day}T00:00:00Z`));
  return Math.round(((there ?? 0) - (here ?? 0)) / 86_400_000);
}

/** Formats an amount in shekels, with agorot only if there are any: `₪185,000`. */
export function formatShekels(amount: number, language: Language): string {
  return new Intl.NumberFormat(LANGUAGES[language].locale, {
    style: 'currency',
    currency: 'ILS',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  }).format(amount);
}

export const formatNumber = (value: number, language: Language): string =>
  new Intl.NumberFormat(LANGUAGES[language].locale).format(value);

/** Day or month of the Hebrew date of a day such as `2027-06-15`, valid until sunset of that day. */
function hebrewPart(day: string, locale: string, part: 'day' | 'month'): string {
  const key = `hebrew ${part} ${locale}`;
  const known =
    formats.get(key) ??
    new Intl.DateTimeFormat(`${locale}-u-ca-hebrew-nu-latn`, {
      timeZone: 'UTC',
      [part]: part === 'day' ? 'numeric' : 'long',
    });
  formats.set(key, known);
  return known.format(Date.parse(`${day}T12:00:00Z`));
}

/**
 * Day of the Hebrew month in letters ("י״ד"), valid until sunset of the civil day. Browsers know no Hebrew numerals:
 * they ignore `nu-hebr`.
 */
export function hebrewDayLetters(day: string): string {
  return hebrewNumeral(Number(hebrewPart(day, 'he', 'day')));
}

const TENS = ['', 'י', 'כ', 'ל'];
const UNITS = ['', 'א', 'ב', 'ג', 'ד', 'ה', 'ו', 'ז', 'ח', 'ט'];

/** Hebrew numeral of a day from 1 to 30. 15 and 16 are ט״ו and ט״ז, as other letters would spell the Name. */
function hebrewNumeral(day: number): string {
  const letters =
    day === 15 || day === 16 ? `ט${UNITS[day - 9]}` : `${TENS[Math.floor(day / 10)]}${UNITS[day % 10]}`;
  return letters.length === 1 ? `${letters}׳` : `${letters.slice(0, -1)}״${letters.slice(-1)}`;
}

/** Names of the Hebrew months that fall within the civil month of a day such as `2027-06-15`: "סיוון–תמוז". */
export function hebrewMonthsOf(day: string, language: Language): string {
  const { locale } = LANGUAGES[language];
  const first = `${day.slice(0, 7)}-01`;
  const last = dayAfter(`${dayAfter(first, 31).slice(0, 7)}-01`, -1);
  const months = [first, dayAfter(first, 14), last].map((one) => hebrewPart(one, locale, 'month'));
  return [...new Set(months)].join('–');
}

/** Instant about noon in Israel on a day such as `2027-06-15`, so surely on that day. */
const noonOf = (day: string): string => `${day}T10:00:00Z`;

/** Short date of a day such as `2027-06-15`: "15 Jun 2027". */
export const shortDay = (day: string, language: Language): string => shortDate(noonOf(day), language);

/** Date without its weekday, of a day such as `2027-06-15`: "15 June 2027". */
export const plainDay = (day: string, language: Language): string =>
  format(language, { day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(noonOf(day)));

/** Long date of a day such as `2027-06-15`: "Tuesday, 15 June 2027". */
export const longDay = (day: string, language: Language): string => longDate(noonOf(day), language);

/** Month of a day such as `2027-06-15`: "June 2027". */
export const monthOf = (day: string, language: Language): string =>
  format(language, { month: 'long', year: 'numeric' }).format(new Date(noonOf(day)));

/** Short name of the month of a day such as `2027-06-15`: "Jun". */
export const shortMonthOf = (day: string, language: Language): string =>
  format(language, { month: 'short' }).format(new Date(noonOf(day)));

/** Short name of the weekday of a day such as `2027-06-15`: "Tue". */
export const weekdayOf = (day: string, language: Language): string =>
  format(language, { weekday: 'short' }).format(new Date(noonOf(day)));

/** Today's date in Israel, the time zone of events, as `2027-06-15`. */
export const todayInIsrael = (): string => dayOf(new Date().toISOString());

/** Day that is a number of days after a day such as `2027-06-15`. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Number of whole days from today until a day such as `2027-06-15`; negative if that day has passed. */
export const daysUntilDay = (day: string): number => daysUntil(noonOf(day));
