import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { languageCodeOf, localeOf } from '../../kernel/languages.ts';
import { checklistOf } from '../checklist/checklist.ts';
import type { EventChecklist } from '../checklist/store.ts';
import { calendarFile, escapeText, stampOf, wallTime } from '../events/icalendar.ts';
import { venueLine } from '../events/place.ts';
import type { DuePayment } from '../vendors/due-payments.ts';
import { feedWords } from './messages.ts';
import type { FeedContents, FeedEvent } from './store.ts';

/** Refresh interval for calendar programs (RFC 7986, 5.7; older programs read X-PUBLISHED-TTL instead). */
const REFRESH = 'PT1H';

/** Calendar file of an organizer. The output depends on the events alone, so that its digest can be the ETag. */
export function renderFeed(
  { language, events, payments, checklists }: FeedContents,
  host: string,
  now: Temporal.ZonedDateTime,
): string {
  const say = feedWords[languageCodeOf(language)];
  const entryOf = (event: FeedEvent): string[] => {
    const start = startOf(event);
    return [
      'BEGIN:VEVENT',
      ...revision(event, host),
      `DTSTART;TZID=${DEFAULT_ZONE}:${wallTime(start)}`,
      `DTEND;TZID=${DEFAULT_ZONE}:${wallTime(start.add({ minutes: event.lasts_minutes }))}`,
      `SUMMARY:${escapeText(event.status === 'draft' ? say.draft(event.title) : event.title)}`,
      `LOCATION:${escapeText(venueLine(event))}`,
      ...(event.description ? [`DESCRIPTION:${escapeText(event.description)}`] : []),
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
    `SUMMARY:${escapeText(summary)}`,
    `DESCRIPTION:${escapeText(description)}`,
    // The calendar entry for a due date is "transparent": it must not mark the whole day as busy.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
  return calendarFile(
    [
      'METHOD:PUBLISH',
      `NAME:${escapeText(say.name)}`,
      `X-WR-CALNAME:${escapeText(say.name)}`,
      `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
      `X-PUBLISHED-TTL:${REFRESH}`,
    ],
    // A calendar needs at least one component (RFC 5545, 3.6): without events it has the time zone rules of the present
    // time.
    events.length > 0 ? events.map(startOf) : [now],
    [...events.flatMap(entryOf), ...payments.flatMap(paymentOf), ...checklists.flatMap(approvalsOf)],
  );
}

const STATUSES = {
  draft: 'TENTATIVE',
  published: 'CONFIRMED',
  completed: 'CONFIRMED',
  cancelled: 'CANCELLED',
} as const satisfies Record<FeedEvent['status'], string>;

function startOf({ event_date }: FeedEvent): Temporal.ZonedDateTime {
  return event_date.toTemporalInstant().toZonedDateTimeISO(DEFAULT_ZONE);
}

interface Dated {
  id: string;
  /** Number that rises with each change of the entry in the calendar feed. */
  sequence: number;
  updated_at: Date;
}

/** Lines with the id and revision of a calendar entry: calendar programs keep the entry with the higher SEQUENCE. */
function revision({ id, sequence, updated_at }: Dated, host: string): string[] {
  const stamp = stampOf(updated_at.toTemporalInstant());
  return [`UID:${id}@${host}`, `SEQUENCE:${sequence}`, `DTSTAMP:${stamp}`, `LAST-MODIFIED:${stamp}`];
}
