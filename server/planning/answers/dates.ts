import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { type LanguageName, localeOf } from '../../kernel/languages.ts';

/** An instant as people write it where the event is: day of the week, date and hour. */
export function localDate(date: Date, language: LanguageName): string {
  const written = format(date, language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  // The locale's own word before the hour is that of a place.
  return language === 'arabic' ? written.replace(' في ', ' الساعة ') : written;
}

/** The day alone, and the hour alone. */
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
