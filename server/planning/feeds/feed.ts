import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { codeOf, localeOf } from '../../kernel/languages.ts';
import { calendarFile, escaped, stampOf, wall } from '../events/icalendar.ts';
import { placeOf } from '../events/place.ts';
import { feedWords } from './messages.ts';
import type { Fed, FedEvent, FedPayment } from './store.ts';

/** How often a calendar program should ask again (RFC 7986, 5.7; the second name is what older ones read). */
const REFRESH = 'PT1H';

/** An organizer's calendar: the same for the same events, so that its digest can be its ETag. */
export function feedOf({ language, events, payments }: Fed, host: string): string {
  const say = feedWords[codeOf(language)];
  const entryOf = (event: FedEvent): string[] => {
    const start = startOf(event);
    return [
      'BEGIN:VEVENT',
      ...revision(event, host),
      `DTSTART;TZID=${DEFAULT_ZONE}:${wall(start)}`,
      `DTEND;TZID=${DEFAULT_ZONE}:${wall(start.add({ minutes: event.lasts_minutes }))}`,
      `SUMMARY:${escaped(event.status === 'draft' ? say.draft(event.title) : event.title)}`,
      `LOCATION:${escaped(placeOf(event))}`,
      ...(event.description ? [`DESCRIPTION:${escaped(event.description)}`] : []),
      `STATUS:${STATUSES[event.status]}`,
      'END:VEVENT',
    ];
  };
  const dueOf = (payment: FedPayment): string[] => [
    'BEGIN:VEVENT',
    ...revision(payment, host),
    `DTSTART;VALUE=DATE:${payment.due_date.replaceAll('-', '')}`,
    `SUMMARY:${escaped(say.payment(payment.vendor_name, payment.amount.toLocaleString(localeOf(language))))}`,
    `DESCRIPTION:${escaped(payment.title)}`,
    // Nobody is busy all day for it.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
  return calendarFile(
    [
      'METHOD:PUBLISH',
      `NAME:${escaped(say.name)}`,
      `X-WR-CALNAME:${escaped(say.name)}`,
      `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
      `X-PUBLISHED-TTL:${REFRESH}`,
    ],
    events.map(startOf),
    [...events.flatMap(entryOf), ...payments.flatMap(dueOf)],
  );
}

const STATUSES = {
  draft: 'TENTATIVE',
  published: 'CONFIRMED',
  completed: 'CONFIRMED',
  cancelled: 'CANCELLED',
} as const satisfies Record<FedEvent['status'], string>;

function startOf({ event_date }: FedEvent): Temporal.ZonedDateTime {
  return event_date.toTemporalInstant().toZonedDateTimeISO(DEFAULT_ZONE);
}

/** Which entry it is, and of when: a program takes the one of the higher sequence. */
function revision(
  { id, sequence, updated_at }: { id: string; sequence: number; updated_at: Date },
  host: string,
): string[] {
  const stamp = stampOf(updated_at.toTemporalInstant());
  return [`UID:${id}@${host}`, `SEQUENCE:${sequence}`, `DTSTAMP:${stamp}`, `LAST-MODIFIED:${stamp}`];
}
