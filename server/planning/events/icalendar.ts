import { DEFAULT_ZONE } from '../../kernel/clock.ts';

/**
 * iCalendar file (RFC 5545) made of the lines of its components. Times are Israel's wall time, and the file includes
 * the rules of that time zone, so that calendars without a table of time zones show the right hour too. `starts`: start
 * times of the entries.
 */
export function calendarFile(
  properties: readonly string[],
  starts: readonly Temporal.ZonedDateTime[],
  components: readonly string[],
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Simcha//Simcha//EN',
    'CALSCALE:GREGORIAN',
    ...properties,
    ...timeZone(starts),
    ...components,
    'END:VCALENDAR',
  ];
  return lines.map(foldLine).join('');
}

/**
 * Time zone rules for the dates of a file's calendar entries: the last clock change before the first entry, all changes
 * between, and the first after the last entry.
 */
function timeZone(starts: readonly Temporal.ZonedDateTime[]): string[] {
  const [first, ...others] = starts.toSorted(Temporal.ZonedDateTime.compare);
  if (!first) return [];
  const last = others.at(-1) ?? first;
  const changes: Temporal.ZonedDateTime[] = [];
  let change =
    first.add({ seconds: 1 }).getTimeZoneTransition('previous') ?? first.getTimeZoneTransition('next');
  while (change && changes.length < MOST_CHANGES) {
    changes.push(change);
    if (Temporal.ZonedDateTime.compare(change, last) > 0) break;
    change = change.getTimeZoneTransition('next');
  }
  return ['BEGIN:VTIMEZONE', `TZID:${DEFAULT_ZONE}`, ...changes.flatMap(observance), 'END:VTIMEZONE'];
}

/** Maximum number of clock changes that a calendar file lists: enough for fifty years. */
const MOST_CHANGES = 100;

function observance(change: Temporal.ZonedDateTime): string[] {
  const from = change.subtract({ nanoseconds: 1 });
  const kind = change.offsetNanoseconds > from.offsetNanoseconds ? 'DAYLIGHT' : 'STANDARD';
  // DTSTART, the start of a clock change in a calendar file, is a local time by the offset that was valid before the
  // change.
  const onset = change.toInstant().toZonedDateTimeISO(from.offset).toPlainDateTime();
  return [
    `BEGIN:${kind}`,
    `DTSTART:${compact(onset)}`,
    `TZOFFSETFROM:${from.offset.replace(':', '')}`,
    `TZOFFSETTO:${change.offset.replace(':', '')}`,
    `TZNAME:${kind === 'DAYLIGHT' ? 'IDT' : 'IST'}`,
    `END:${kind}`,
  ];
}

export function wallTime(time: Temporal.ZonedDateTime): string {
  return compact(time.toPlainDateTime());
}

function compact(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

/**
 * Escapes a text value of a calendar file (RFC 5545, 3.3.11) and drops the control characters that such a value can't
 * hold.
 */
export function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[^\P{Cc}\t]/gu, '');
}

/** Quotes a parameter's value in a calendar file (RFC 5545, 3.2) and replaces the characters that it can't hold. */
export function quoteParameter(text: string): string {
  return `"${text.replace(/["\p{Cc}]/gu, ' ')}"`;
}

const FOLD_BYTES = 74;

/** Folds a line of an iCalendar file into lines of at most 75 bytes, never inside a character. */
function foldLine(line: string): string {
  let out = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > FOLD_BYTES) {
      out += '\r\n ';
      bytes = 1;
    }
    out += character;
    bytes += size;
  }
  return `${out}\r\n`;
}

/** Writes an instant as iCalendar's DTSTAMP, which says when a calendar entry was written. */
export function stampOf(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}
