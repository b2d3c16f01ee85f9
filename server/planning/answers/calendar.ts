import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { USUAL_MINUTES } from '../events/duration.ts';
import { calendarFile, escaped, quoted, stampOf, wall } from '../events/icalendar.ts';
import type { Status } from '../events/lifecycle.ts';
import { placeOf } from '../events/place.ts';

export interface CalendarEvent {
  title: string;
  event_date: Date;
  /** null: nobody said. */
  lasts_minutes: number | null;
  venue_name: string;
  venue_address: string | null;
  description: string | null;
  online_url?: string | null;
  status: Status;
  /** Rises with each change. */
  sequence: number;
}

export interface CalendarEntry {
  /** PUBLISH: to add by hand. REQUEST and CANCEL come by mail, and calendars follow them by themselves. */
  method: 'PUBLISH' | 'REQUEST' | 'CANCEL';
  uid: string;
  stamp: Temporal.Instant;
  /** The guest's own page. */
  url: string;
  /** Needed by all but PUBLISH (RFC 5546, 3.2). */
  organizer?: Person;
  attendee?: Person;
}

interface Person {
  name: string;
  email: string;
}

/** The same for a guest always, so that a later entry takes the place of an earlier one. */
export function entryId(guestId: string, host: string): string {
  return `${guestId}@${host}`;
}

/**
 * The event as an iCalendar file (RFC 5545), in Israel's wall time with the zone's own rules beside it, so that
 * calendars without a table of zones show the right hour too.
 */
export function calendarOf(event: CalendarEvent, entry: CalendarEntry): string {
  const start = event.event_date.toTemporalInstant().toZonedDateTimeISO(DEFAULT_ZONE);
  const end = start.add({ minutes: event.lasts_minutes ?? USUAL_MINUTES });
  const { method, uid, stamp, url, organizer, attendee } = entry;
  const isCancelled = method === 'CANCEL' || event.status === 'cancelled';
  const entryLines = [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${stampOf(stamp)}`,
    `DTSTART;TZID=${DEFAULT_ZONE}:${wall(start)}`,
    `DTEND;TZID=${DEFAULT_ZONE}:${wall(end)}`,
    `SUMMARY:${escaped(event.title)}`,
    `LOCATION:${escaped(placeOf(event))}`,
    `DESCRIPTION:${escaped([event.description, event.online_url, url].filter(Boolean).join('\n\n'))}`,
    `URL:${url}`,
    ...(organizer ? [`ORGANIZER;CN=${quoted(organizer.name)}:mailto:${organizer.email}`] : []),
    // Answers are given on the guest's page, not to a calendar.
    ...(attendee
      ? [`ATTENDEE;CN=${quoted(attendee.name)};PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${attendee.email}`]
      : []),
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
  ];
  return calendarFile([`METHOD:${method}`], [start], entryLines);
}

/**
 * The same for who has no program that opens such a file, as in a chat's own browser: a link that fills in an entry at
 * Google. Without the guest's own link, which is nobody else's.
 */
export function googleCalendarUrl(event: Omit<CalendarEvent, 'status' | 'sequence'>): string {
  const start = event.event_date.toTemporalInstant();
  const end = start.add({ minutes: event.lasts_minutes ?? USUAL_MINUTES });
  const asked = new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: `${stampOf(start)}/${stampOf(end)}`,
    ctz: DEFAULT_ZONE,
    location: placeOf(event),
    details: [shortened(event.description ?? ''), event.online_url].filter(Boolean).join('\n\n'),
  });
  return `https://calendar.google.com/calendar/render?${asked}`;
}

/** Addresses have an end; what is cut off stands on the page. */
function shortened(text: string): string {
  return text.length > LONGEST_DETAILS ? `${text.slice(0, LONGEST_DETAILS).toWellFormed()}…` : text;
}

const LONGEST_DETAILS = 500;
