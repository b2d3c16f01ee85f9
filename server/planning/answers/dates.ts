import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { type LanguageName, localeOf } from '../../kernel/languages.ts';

const FORMATS = {
  dateAndTime: {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  },
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  time: { hour: '2-digit', minute: '2-digit' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Date and time in Israel as people write them, with the day of the week. */
export function localDate(date: Date, language: LanguageName): string {
  const written = formatterOf(language, 'dateAndTime').format(date);
  // Arabic dates of CLDR put a word for "at" before the time that is only used for places. The word for "hour" replaces
  // it.
  return language === 'arabic' ? written.replace(' في ', ' الساعة ') : written;
}

/** Day of the month with the day of the week, without the time. */
export function localDay(date: Date, language: LanguageName): string {
  return formatterOf(language, 'day').format(date);
}

export function localTime(date: Date, language: LanguageName): string {
  return formatterOf(language, 'time').format(date);
}

/**
 * Formatters that were needed before. Making one takes longer than making the mail for which it is needed, and tens of
 * kilobytes outside of the JavaScript heap, which only a garbage collection frees.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(language: LanguageName, format: keyof typeof FORMATS): Intl.DateTimeFormat {
  const key = `${language} ${format}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(localeOf(language), {
    timeZone: DEFAULT_ZONE,
    hourCycle: 'h23',
    ...FORMATS[format],
  });
  formatters.set(key, made);
  return made;
}
