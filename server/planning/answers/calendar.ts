import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { USUAL_MINUTES } from '../events/duration.ts';
import { calendarFile, escapeText, quoteParameter, stampOf, wallTime } from '../events/icalendar.ts';
import type { EventStatus } from '../events/lifecycle.ts';
import { venueLine } from '../events/place.ts';

export interface CalendarEvent {
  title: string;
  event_date: Date;
  /** Length of the event in minutes; null if the organizer did not set an end. */
  lasts_minutes: number | null;
  venue_name: string;
  venue_address: string | null;
  description: string | null;
  online_url?: string | null;
  status: EventStatus;
  /** Number of changes of the event so far. Calendar programs keep the entry with the highest number. */
  sequence: number;
}

export interface CalendarEntry {
  /**
   * iTIP method. PUBLISH entries are added by the guest. REQUEST and CANCEL are sent by mail, and calendar programs
   * apply them automatically.
   */
  method: 'PUBLISH' | 'REQUEST' | 'CANCEL';
  uid: string;
  stamp: Temporal.Instant;
  /** Address of the guest's page, which the calendar entry links to. */
  url: string;
  /** Organizer and guest of the calendar entry, which every method except PUBLISH requires (RFC 5546, 3.2). */
  organizer?: Person;
  attendee?: Person;
}

interface Person {
  name: string;
  email: string;
}

/** UID of a guest's calendar entry. It never changes, so a later entry replaces an earlier one. */
export function calendarEntryId(guestId: string, host: string): string {
  return `${guestId}@${host}`;
}

/**
 * Makes an iCalendar file (RFC 5545) of the event. Times are local times in Israel with a VTIMEZONE, so that
 * calendars without a time zone database show the right hour.
 */
export function eventCalendarFile(event: CalendarEvent, entry: CalendarEntry): string {
  const start = event.event_date.toTemporalInstant().toZonedDateTimeISO(DEFAULT_ZONE);
  const end = start.add({ minutes: event.lasts_minutes ?? USUAL_MINUTES });
  const { method, uid, stamp, url, organizer, attendee } = entry;
  const isCancelled = method === 'CANCEL' || event.status === 'cancelled';
  const entryLines = [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${stampOf(stamp)}`,
    `DTSTART;TZID=${DEFAULT_ZONE}:${wallTime(start)}`,
    `DTEND;TZID=${DEFAULT_ZONE}:${wallTime(end)}`,
    `SUMMARY:${escapeText(event.title)}`,
    `LOCATION:${escapeText(venueLine(event))}`,
    `DESCRIPTION:${escapeText([event.description, event.online_url, url].filter(Boolean).join('\n\n'))}`,
    `URL:${url}`,
    ...(organizer ? [`ORGANIZER;CN=${quoteParameter(organizer.name)}:mailto:${organizer.email}`] : []),
    // Calendar programs are told not to ask for a reply (`RSVP=FALSE`): guests answer on their page instead.
    ...(attendee
      ? [`ATTENDEE;CN=${quoteParameter(attendee.name)};PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${attendee.email}`]
      : []),
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
  ];
  return calendarFile([`METHOD:${method}`], [start], entryLines);
}

/**
 * Link that fills in a Google Calendar entry, for people whose browser can't open an iCalendar file, such as the
 * built-in browser of a chat. The entry's details end with `url`, the address of the guest's page, as in the iCalendar
 * file.
 */
export function googleCalendarUrl(event: Omit<CalendarEvent, 'status' | 'sequence'>, url: string): string {
  const start = event.event_date.toTemporalInstant();
  const end = start.add({ minutes: event.lasts_minutes ?? USUAL_MINUTES });
  const asked = new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: `${stampOf(start)}/${stampOf(end)}`,
    ctz: DEFAULT_ZONE,
    location: venueLine(event),
    details: [shortened(event.description ?? ''), event.online_url, url].filter(Boolean).join('\n\n'),
  });
  return `https://calendar.google.com/calendar/render?${asked}`;
}

/**
 * Shortens the description of the event in a calendar link, as it would make the link too long. The guest's page has
 * the whole text.
 */
function shortened(text: string): string {
  return text.length > LONGEST_DETAILS ? `${text.slice(0, LONGEST_DETAILS).toWellFormed()}…` : text;
}

const LONGEST_DETAILS = 500;
