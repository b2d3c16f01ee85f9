import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { placeOf } from '../events/place.ts';
import type { InvitedEvent } from './store.ts';

/**
 * The event as an iCalendar file (RFC 5545), in Israel's wall time with the zone's own rules beside it, so that
 * calendars without a table of zones show the right hour too.
 */
export function calendarOf(event: InvitedEvent & { event_date: Date }, uid: string, stamp: Date): string {
  const start = Temporal.Instant.fromEpochMilliseconds(event.event_date.getTime()).toZonedDateTimeISO(
    DEFAULT_ZONE,
  );
  const place = placeOf(event);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Simcha//Simcha//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...timeZone(start),
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp.toISOString().replace(/[-:]|\.\d+/g, '')}`,
    `DTSTART;TZID=${DEFAULT_ZONE}:${wall(start)}`,
    `DTEND;TZID=${DEFAULT_ZONE}:${wall(endOf(start, event.noise_curfew_time))}`,
    `SUMMARY:${escaped(event.title)}`,
    `LOCATION:${escaped(place)}`,
    ...(event.description ? [`DESCRIPTION:${escaped(event.description)}`] : []),
    ...(event.status === 'cancelled' ? ['STATUS:CANCELLED'] : []),
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map(folded).join('');
}

const USUAL_HOURS = 5;

/** Until the music has to stop where that is later the same night, else the usual five hours. */
function endOf(start: Temporal.ZonedDateTime, curfew: string): Temporal.ZonedDateTime {
  const stop = start.withPlainTime(Temporal.PlainTime.from(curfew));
  const hours = start.until(stop).total('hours');
  return hours >= 1 ? stop : start.add({ hours: USUAL_HOURS });
}

/** The zone as it is around the event: the change before it, and the one after. */
function timeZone(start: Temporal.ZonedDateTime): string[] {
  const before = start.add({ seconds: 1 }).getTimeZoneTransition('previous');
  const after = start.getTimeZoneTransition('next');
  const observances = [before, after].filter((change) => change !== null).map(observance);
  return ['BEGIN:VTIMEZONE', `TZID:${DEFAULT_ZONE}`, ...observances.flat(), 'END:VTIMEZONE'];
}

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

function wall(time: Temporal.ZonedDateTime): string {
  return compact(time.toPlainDateTime());
}

function compact(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n');
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
