import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { FieldProblem, fieldsAmong, invalidField } from '../../kernel/fields.ts';
import { overLimitFields, rsvpFields } from '../guests/fields.ts';
import { readAnswer } from '../guests/guest-body.ts';
import { refuseTimesOutOfRange } from './fields.ts';
import { messages } from './messages.ts';

/** Results of a phone call to a guest. */
export const CALL_OUTCOMES = ['reached', 'no_answer', 'call_again', 'wrong_number'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

const LONGEST_NOTE = 500;

export const callFields = {
  outcome: {
    type: fieldTypes.nonEmpty(fieldTypes.oneOf(CALL_OUTCOMES)),
    label: { he: 'תוצאת השיחה', ar: 'نتيجة المكالمة', en: 'Outcome' },
  },
  note: {
    type: fieldTypes.orNull(fieldTypes.text(LONGEST_NOTE)),
    empty: null,
    label: { he: 'הערה על השיחה', ar: 'ملاحظة على المكالمة', en: 'Note' },
  },
  call_again_at: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        fieldTypes.dateTime(DEFAULT_ZONE),
        'ISO 8601. Without an offset it is wall time in Israel.',
      ),
    ),
    empty: null,
    shown: 'With `call_again` only.',
    label: { he: 'מתי להתקשר שוב', ar: 'موعد المكالمة التالية', en: 'When to call again' },
  },
} as const;

/** Fields of a request body that records a phone call: the call, and the answer that the guest gave in it. */
export const callBodyFields = { ...callFields, ...rsvpFields, ...overLimitFields };

export type NewCall = fieldTypes.ValuesOf<typeof callFields>;

/** Reads, from a request body, a phone call to a guest and the answer that the guest gave in the call. */
export function readCall(body: unknown, now: Temporal.Instant) {
  const fields = fieldsAmong(callBodyFields, body);
  const call = fieldTypes.readWhole(callFields, fields);
  const rsvp = readAnswer(fields);
  const again = call.outcome === 'call_again';
  if (again && call.call_again_at === null) throw new FieldProblem('call_again_at', { kind: 'missing' });
  if (!again && call.call_again_at !== null) throw invalidField('call_again_at', messages.notAgain);
  refuseTimesOutOfRange('call_again_at', call.call_again_at, now);
  if (call.outcome !== 'reached' && (rsvp.status || rsvp.coming))
    throw invalidField(rsvp.status ? 'rsvp_status' : 'coming', messages.notReached);
  return { call, rsvp };
}

/** True if the request body holds a guest's answer to the invitation, which a cancelled event does not accept. */
export function givesAnswer(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('rsvp_status' in body || 'coming' in body);
}
