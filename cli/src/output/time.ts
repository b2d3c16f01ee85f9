const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Time since an instant, in its largest unit: `3 min ago`; a date after a month. */
export function timeAgo(instant: string, now = Date.now()): string {
  const seconds = Math.round((now - Date.parse(instant)) / 1000);
  if (seconds < 5) return seconds < -5 ? `in ${span(-seconds)}` : 'just now';
  return seconds > 30 * DAY ? instant.slice(0, 10) : `${span(seconds)} ago`;
}

function span(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h`;
  return `${Math.floor(seconds / DAY)} d`;
}

/** Duration as text, such as `3.2 s` or `2 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Size as text, such as `1.5 MB`, in its largest decimal unit, as in the console's figures. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** Milliseconds of a span such as `30s`, `10m`, `2h` or `1d`; undefined if it is none. */
export function spanOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})\s*(s|m|min|h|d)$/.exec(text) ?? [];
  const seconds = { s: 1, m: MINUTE, min: MINUTE, h: HOUR, d: DAY }[unit];
  return seconds === undefined ? undefined : Number(count) * seconds * 1000;
}

/** Date and time of an event, in Israel, where the API's times without an offset are too. */
export function eventTime(instant: string): string {
  return new Date(instant).toLocaleString('sv', {
    timeZone: 'Asia/Jerusalem',
    dateStyle: 'short',
    timeStyle: 'short',
  });
}

/** Amount in new shekels. */
export function shekels(amount: number): string {
  return `₪${amount.toLocaleString('en', { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2 })}`;
}
