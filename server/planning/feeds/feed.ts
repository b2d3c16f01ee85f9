import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { languageCodeOf, localeOf } from '../../kernel/languages.ts';
import { checklistOf } from '../checklist/checklist.ts';
import type { EventChecklist } from '../checklist/store.ts';
import { calendarFile, escaped, stampOf, wall } from '../events/icalendar.ts';
import { placeOf } from '../events/place.ts';
import type { DuePayment } from '../vendors/due.ts';
import { feedWords } from './messages.ts';
import type { Fed, FedEvent } from './store.ts';

/** Refresh interval for calendar programs (RFC 7986, 5.7; older programs read X-PUBLISHED-TTL instead). */
const REFRESH = 'PT1H';

/** Calendar file of an organizer. The output depends on the events alone, so that its digest can be the ETag. */
export function feedOf(
  { language, events, payments, checklists }: Fed,
  host: string,
  now: Temporal.ZonedDateTime,
): string {
  const say = feedWords[languageCodeOf(language)];
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
  const paymentOf = (payment: DuePayment): string[] => {
    const amount = payment.amount.toLocaleString(localeOf(language));
    return onItsDay(payment, say.payment(payment.vendor_name, amount), payment.title);
  };
  const approvalsOf = (checklist: EventChecklist): string[] =>
    checklistOf(checklist, now.toPlainDate(), DEFAULT_ZONE, languageCodeOf(language)).items.flatMap(
      (approval) => {
        const { item, state, dismissed, due_date } = approval;
        if (state === 'done' || dismissed || due_date === null) return [];
        const { title, why, granted_by_name } = approval;
        const of = [checklist.title, why, granted_by_name].join('\n');
        return onItsDay({ ...checklist, id: `${checklist.id}-${item}`, due_date }, say.approval(title), of);
      },
    );
  const onItsDay = (due: Dated & { due_date: string }, summary: string, description: string): string[] => [
    'BEGIN:VEVENT',
    ...revision(due, host),
    `DTSTART;VALUE=DATE:${due.due_date.replaceAll('-', '')}`,
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(description)}`,
    // A due date must not mark the whole day as busy.
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
    // A calendar needs at least one component (RFC 5545, 3.6): without events it holds the current zone.
    events.length > 0 ? events.map(startOf) : [now],
    [...events.flatMap(entryOf), ...payments.flatMap(paymentOf), ...checklists.flatMap(approvalsOf)],
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

interface Dated {
  id: string;
  /** Number that rises with each change of the entry. */
  sequence: number;
  updated_at: Date;
}

/** Id and revision of an entry: calendar programs keep the entry with the higher sequence. */
function revision({ id, sequence, updated_at }: Dated, host: string): string[] {
  const stamp = stampOf(updated_at.toTemporalInstant());
  return [`UID:${id}@${host}`, `SEQUENCE:${sequence}`, `DTSTAMP:${stamp}`, `LAST-MODIFIED:${stamp}`];
}
