import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import { SPANS, type Span } from './figures.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

function inUnit(value: number, unit: string, language: Language): string {
  return new Intl.NumberFormat(LANGUAGES[language].locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumSignificantDigits: 3,
  }).format(value);
}

/** Size in its largest decimal unit: "1.25 MB". */
export function formatBytes(bytes: number, language: Language): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return inUnit(bytes / 1_000 ** power, UNITS[power] ?? 'byte', language);
}

/** Duration: "12.5 ms", "1.2 sec". */
export function formatMs(ms: number, language: Language): string {
  return ms < 1_000 ? inUnit(ms, 'millisecond', language) : inUnit(ms / 1_000, 'second', language);
}

/** Count, with a thousand as "1,000" and a million as "1M". */
export function formatCount(count: number, language: Language): string {
  const options = count < 100_000 ? {} : ({ notation: 'compact' } as const);
  return new Intl.NumberFormat(LANGUAGES[language].locale, options).format(count);
}

/** Share of one processor: "12.5%". */
export function formatShare(share: number, language: Language): string {
  return new Intl.NumberFormat(LANGUAGES[language].locale, {
    style: 'percent',
    maximumSignificantDigits: 3,
  }).format(share);
}

/** Start of an interval on the time axis, in the browser's time zone: a time of day, or a day in longer spans. */
export function formatTick(at: number, span: Span, language: Language): string {
  const isShort = SPANS[span].seconds <= SPANS.day.seconds;
  return new Intl.DateTimeFormat(
    LANGUAGES[language].locale,
    isShort ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { day: 'numeric', month: 'short' },
  ).format(at);
}
