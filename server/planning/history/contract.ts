import { type Static, Type } from 'typebox';
import { withDescription } from '../../kernel/field-types.ts';
import { pageAnswer, queryOf } from '../../kernel/http/resource.ts';
import { dateTimeSchema, enumSchema, textOrNullSchema } from '../../kernel/http/shapes.ts';
import { pageQuery } from '../../kernel/paging.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { eventFrames } from '../events/area.ts';

/** Kinds of records whose changes are in an event's history. Queries can name one of these kinds. */
export const SUBJECTS = [
  'event',
  'guest',
  'guest_request',
  'booking',
  'checklist',
  'co_organizer',
  'rsvp_settings',
  'invitation',
  'question',
  'round',
  'notices',
  'agenda_item',
] as const;

export const HistoryEntry = Type.Object(
  {
    id: Type.String({ description: 'Rising number: a later change has a higher one.' }),
    at: dateTimeSchema(),
    by: Type.Object({
      kind: enumSchema(['organizer', 'guest', 'system']),
      id: textOrNullSchema({ description: 'The `sub` of a token, or the id of a guest.' }),
      email: textOrNullSchema({ description: 'Email address from the token, if it had one.' }),
      token: textOrNullSchema({ description: 'Name of the API key or access token, if one was used.' }),
    }),
    subject: Type.String({ description: `What was changed: ${SUBJECTS.join(', ')}.` }),
    subject_id: textOrNullSchema({ description: 'null: many at once, or a subject without an id.' }),
    subject_name: textOrNullSchema({
      description:
        'Present name of the guest, or of the booking’s vendor. Names of deleted ones are shown to callers who can restore them.',
    }),
    action: Type.String({ description: '`created`, `changed`, `deleted`, …' }),
    changes: Type.Unsafe<Record<string, { from?: unknown; to?: unknown }> | null>({
      type: ['object', 'null'],
      description: 'The changed fields. null if there is nothing to compare, or if it was erased.',
      additionalProperties: { type: 'object', properties: { from: {}, to: {} } },
    }),
  },
  {
    $id: 'HistoryEntry',
    examples: [
      {
        id: '1042',
        at: '2026-11-21T08:05:00.000Z',
        by: { kind: 'organizer', id: 'me', email: 'noa@example.com', token: null },
        subject: 'event',
        subject_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
        subject_name: null,
        action: 'changed',
        changes: { venue_capacity: { from: 400, to: 450 } },
      },
    ],
  },
);
export type HistoryEntry = Static<typeof HistoryEntry>;

export const historyFilter = {
  subject: queryTypes.oneOf(SUBJECTS),
  subject_id: withDescription(queryTypes.id(), 'Only changes of this guest or booking.'),
};
export type HistoryFilter = queryTypes.QueryValues<typeof historyFilter>;

export const historySchema = eventFrames(['history']).get(
  {
    operationId: 'readHistory',
    summary: 'Read an event’s history',
    description:
      'Changes of the event, its guests and its bookings, with their author and time, the newest first.',
    querystring: queryOf({ ...pageQuery, ...historyFilter }),
  },
  pageAnswer(HistoryEntry, 'history', 'A page of changes.'),
);
