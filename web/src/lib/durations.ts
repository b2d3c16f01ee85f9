import { LANGUAGES, type Language } from './languages.ts';

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

const SECONDS: readonly (readonly [Unit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Time between now and an ISO instant in its largest unit: "5 minutes ago", "yesterday", "in 2 hours". */
export function timeAgo(iso: string, language: Language, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1_000;
  const [unit, size] = SECONDS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(LANGUAGES[language].locale, { numeric: 'auto' }).format(
    Math.trunc(seconds / size),
    unit,
  );
}

/** Duration in at most two units: "4.2 sec", "1 min 5 sec", "2 hr 3 min". */
export function formatDuration(ms: number, language: Language): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 60)
    return inUnit(seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds), 'second');
  const [large, small, size] =
    seconds < 3_600 ? (['minute', 'second', 60] as const) : (['hour', 'minute', 3_600] as const);
  const rest = Math.floor((seconds % size) / (size / 60));
  const parts = [inUnit(Math.floor(seconds / size), large), ...(rest > 0 ? [inUnit(rest, small)] : [])];
  return parts.join(' ');

  function inUnit(value: number, unit: Unit): string {
    return new Intl.NumberFormat(LANGUAGES[language].locale, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
    }).format(value);
  }
}

/** Date and time of an ISO instant in the browser's time zone: "29 Nov 2026, 09:41". */
export const localDateAndTime = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(LANGUAGES[language].locale, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  );
