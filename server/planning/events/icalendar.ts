import { DEFAULT_ZONE } from '../../kernel/clock.ts';

/**
 * An iCalendar file (RFC 5545) of the lines of its components, in Israel's wall time with the zone's own rules beside
 * it, so that calendars without a table of zones show the right hour too. `starts`: when there are entries.
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
  return lines.map(folded).join('');
}

/** The zone as it is around the entries: the change before the first, those between, and the one after the last. */
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

/** Of fifty years. */
const MOST_CHANGES = 100;

function observance(change: Temporal.ZonedDateTime): string[] {
  const from = change.subtract({ nanoseconds: 1 });
  const kind = change.offsetNanoseconds > from.offsetNanoseconds ? 'DAYLIGHT' : 'STANDARD';
  // DTSTART of an observance is the wall time before the change.
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

export function wall(time: Temporal.ZonedDateTime): string {
  return compact(time.toPlainDateTime());
}

function compact(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

/** A text (RFC 5545, 3.3.11), without the control characters that none can hold. */
export function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[^\P{Cc}\t]/gu, '');
}

/** A parameter's value (RFC 5545, 3.2): without the signs that it can't hold. */
export function quoted(text: string): string {
  return `"${text.replace(/["\p{Cc}]/gu, ' ')}"`;
}

const FOLD_BYTES = 74;

/** Lines of at most 75 bytes, none broken inside a character. */
function folded(line: string): string {
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

/** An instant, as an entry says when it was written. */
export function stampOf(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}
