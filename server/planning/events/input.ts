import { readGiven, readWhole, type ValuesOf } from '../../kernel/field-types.ts';
import { FieldProblem, type Fields, fieldsOf, isBlank } from '../../kernel/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { eventChangeFields, eventFields, type NewEvent } from './fields.ts';
import { type EventStatus, endsEvent, hasChecklist, isEventStatus, mayChangeStatus } from './lifecycle.ts';
import { messages } from './messages.ts';

// Fields of an event in the order in which a request's fields are checked. The contract of the API fixes this order,
// and the values that count as "not given"; `eventFields` can't express either of the two.
const { title, event_date, venue_name, kashrut_level, language_pref, ...others } = eventFields;
const REQUIRED = { title, event_date, venue_name };
const OPTIONAL = { kashrut_level, language_pref, ...others };

/** Fields of an event in which 0 is a value. In its other fields a request's 0 means "not given". */
const FROM_ZERO = new Set(['max_plus_ones_buffer', 'retention_policy_days']);

export type EventChanges = Partial<ValuesOf<typeof eventChangeFields>> & { status?: EventStatus };

/**
 * Reads a new event from a request body. Throws an error for the first field that is not valid, in the order that the
 * API's contract fixes.
 */
export function readNewEvent(body: unknown, now: Temporal.Instant): NewEvent {
  const fields = fieldsOf(body);
  for (const field of Object.keys(REQUIRED)) {
    if (isBlank(fields[field])) throw new FieldProblem(field, { kind: 'missing' });
  }
  const required = readWhole(REQUIRED, fields);
  refusePast(required.event_date, now);
  const optional = readWhole(OPTIONAL, given(fields, Boolean));
  const compliance_dismissed = optional.compliance_dismissed && hasChecklist(optional.max_guests);
  return { ...required, ...optional, compliance_dismissed };
}

/**
 * Reads changes of an event from a request body; `current` is the event's status. Throws an error for the first field
 * that is not valid, in the order that the API's contract fixes.
 */
export function readChanges(body: unknown, current: EventStatus, now: Temporal.Instant): EventChanges {
  if (current === 'cancelled') throw new Refusal(400, 'cancelled', messages.cancelledIsFinal);
  const fields = given(withBuffer(fieldsOf(body)), (value) => !isBlank(value));
  const status = fields.status === undefined ? undefined : nextStatus(current, fields.status);
  const { event_date: date } = readGiven({ event_date: eventChangeFields.event_date }, fields);
  if (date !== undefined && !endsEvent(status)) refusePast(date, now);
  return { ...(status && { status }), ...readGiven(eventChangeFields, fields) };
}

/** True if the request body dismisses the event's compliance checklist; any truthy value does. */
export function dismissesChecklist(body: unknown): boolean {
  return Boolean(fieldsOf(body).compliance_dismissed);
}

function given(fields: Fields, isGiven: (value: unknown) => boolean): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) => isGiven(value) || (value === 0 && FROM_ZERO.has(field)),
    ),
  );
}

/**
 * Converts `max_plus_ones_buffer` from a text of digits to a number. The text "0" becomes null: only a number can set
 * 0.
 */
function withBuffer(fields: Fields): Fields {
  const { max_plus_ones_buffer: buffer } = fields;
  const isDigits = typeof buffer === 'string' && /^\s*\d{1,10}\s*$/.test(buffer);
  return isDigits ? { ...fields, max_plus_ones_buffer: Number(buffer) || null } : fields;
}

function nextStatus(current: EventStatus, requested: unknown): EventStatus {
  const status = typeof requested === 'string' ? requested.trim() : requested;
  if (!isEventStatus(status)) {
    throw new Refusal(400, 'unknown_status', messages.unknownStatus, { field: 'status' });
  }
  if (!mayChangeStatus(current, status)) {
    const words = status === current ? messages.alreadySo(status) : messages.moves[current];
    throw new Refusal(400, 'disallowed_status', words, { field: 'status' });
  }
  return status;
}

/** Throws if an event's date is in the past. Times are compared to the millisecond, the precision of stored dates. */
function refusePast(date: string, now: Temporal.Instant): void {
  if (Date.parse(date) < now.epochMilliseconds) throw new FieldProblem('event_date', { kind: 'past' });
}
