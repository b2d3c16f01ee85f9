import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { type LanguageName, localeOf } from '../../kernel/languages.ts';

/** Date and time in Israel as people write them, with the day of the week. */
export function localDate(date: Date, language: LanguageName): string {
  const written = format(date, language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  // Arabic dates of CLDR put a word for "at" before the time that is only used for places. The word for "hour" replaces
  // it.
  return language === 'arabic' ? written.replace(' في ', ' الساعة ') : written;
}

/** Day of the month with the day of the week, without the time. */
export function localDay(date: Date, language: LanguageName): string {
  return format(date, language, { weekday: 'long', day: 'numeric', month: 'long' });
}

export function localTime(date: Date, language: LanguageName): string {
  return format(date, language, { hour: '2-digit', minute: '2-digit' });
}

function format(date: Date, language: LanguageName, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    timeZone: DEFAULT_ZONE,
    hourCycle: 'h23',
    ...options,
  }).format(date);
}
