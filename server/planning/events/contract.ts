import { type Static, type TObject, Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { bodyOf, inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { namedSchema, pageAnswer, queryOf } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  enumOrNullSchema,
  enumSchema,
  exampleTimes,
  orNullSchema,
  schemaRef,
  timestampSchemas,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { pageQuery } from '../../kernel/paging.ts';
import type { FieldChanges } from '../../kernel/writes/history.ts';
import { etagHeader } from '../../kernel/writes/preconditions.ts';
import { EventError, eventFrames, eventParam, eventRecordFrames, organizerFrames } from './area.ts';
import { changeQuery, eventChangeFields, eventFields, eventFilter } from './fields.ts';
import { EVENT_STATUSES } from './lifecycle.ts';

/** Schemas of the event API. They serialize responses, document the API and give TypeScript its types. */

const example = {
  id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  organizer_id: 'me',
  ...exampleOf(eventFields),
  status: 'draft',
  ...exampleTimes,
  deleted_at: null,
};
const exampleCounts = { rsvp_confirmed: 212, rsvp_pending: 80, rsvp_total: 310, vendors_confirmed: 5 };

const { compliance_dismissed, ...decided } = outputFields(eventFields);
const fields = {
  id: uuidSchema(),
  organizer_id: Type.String({ description: 'The `sub` of the organizer’s token.' }),
  ...decided,
  event_date: dateTimeOrNullSchema('An instant, in UTC; null on older events only.'),
  status: enumSchema(EVENT_STATUSES),
  compliance_dismissed,
  ...timestampSchemas,
  deleted_at: dateTimeOrNullSchema('Always null here: deleted events are not shown.'),
};
const listCounts = {
  rsvp_confirmed: Type.Integer({ description: 'Guests who said yes.' }),
  rsvp_pending: Type.Integer({
    description:
      'Guests without a yes or no: those without an answer, those who say maybe, and those on the waiting list.',
  }),
  rsvp_total: Type.Integer({ description: 'All guests.' }),
  vendors_confirmed: Type.Integer({ description: 'Confirmed bookings.' }),
};
const counts = { ...listCounts, rsvp_declined: Type.Integer({ description: 'Guests who said no.' }) };

export const Event = Type.Object(fields, { $id: 'Event', examples: [example] });
export const ListedEvent = Type.Object(
  { ...fields, ...listCounts },
  { $id: 'ListedEvent', examples: [{ ...example, ...exampleCounts }] },
);
export const CountedEvent = Type.Object(
  { ...fields, ...counts },
  { $id: 'CountedEvent', examples: [{ ...example, ...exampleCounts, rsvp_declined: 18 }] },
);
export type Event = Static<typeof Event>;
export type ListedEvent = Static<typeof ListedEvent>;
export type CountedEvent = Static<typeof CountedEvent>;

/**
 * Codes of warnings about an event's new date, the most important first. The calendar's advice about a day has one of
 * them as its `strength`.
 */
export const DAY_CODES = ['not_held', 'customary', 'good_to_know'] as const;

export const PREVIEW_CODES = [
  'final',
  'before_its_day',
  'guests_not_told',
  'former_address',
  'former_coordinates',
  'former_translation',
  'fewer_places',
  'rounds_called_off',
  ...DAY_CODES,
] as const;

export const ChangePreview = Type.Object(
  {
    changes: Type.Unsafe<FieldChanges>({
      type: 'object',
      description: 'The fields that would change.',
      additionalProperties: { type: 'object', properties: { from: {}, to: {} } },
    }),
    warnings: Type.Array(
      Type.Object({
        code: enumSchema(PREVIEW_CODES, {
          description:
            '`final`: this status can’t be changed back; `before_its_day`: the event would be completed before it began; ' +
            '`guests_not_told`: guests who come or wait are not notified automatically of the cancellation or change; `former_address`: the venue gets another name but keeps its address; `former_coordinates`: the map no longer uses the invitation’s `coordinates`; `former_translation`: the invitation’s translations of the venue are no longer shown; `fewer_places`: more people come than there would be places; `rounds_called_off`: scheduled rounds ' +
            'would be cancelled; `not_held`, `customary`, `good_to_know`: the calendar’s advice about the new day, by its `strength`.',
        }),
        message: Type.String(),
      }),
      { description: 'Warnings before the change; empty if it can be undone.' },
    ),
  },
  { $id: 'EventChangePreview' },
);
export type ChangePreview = Static<typeof ChangePreview>;

export const sharedSchemas = [Event, ListedEvent, CountedEvent, EventError, ChangePreview];

const checklist = Type.Optional(
  Type.Unsafe<true>({
    type: 'boolean',
    enum: [true],
    description: 'Present, and true, when the compliance checklist should be shown; else absent.',
  }),
);
const answered = <R extends TObject>(title: string, event: R, description: string) =>
  Type.Object(
    { event: schemaRef(event), compliance_checklist: checklist },
    { title, description, headers: etagHeader },
  );

const tags = ['events'];
const events = eventRecordFrames({ tags, key: 'event', params: eventParam, record: CountedEvent });

export const createEventSchema = organizerFrames.post({
  tags,
  operationId: 'createEvent',
  summary: 'Create an event',
  description:
    'Organizers only. The checks run in the order title, event_date, venue_name, then their values, then the rest.',
  body: namedSchema(
    'NewEvent',
    bodyOf(eventFields, { examples: [{ ...exampleOf(eventFields), event_date: '2027-06-15T19:30' }] }),
  ),
  response: { 201: answered('StoredEvent', Event, 'The event as stored.') },
  errors: { 403: 'Only the role `organizer` may.' },
  anyQuery: true,
});

export const listEventsSchema = organizerFrames.get({
  tags,
  operationId: 'listEvents',
  summary: 'List your events',
  description:
    'By date, events without one last. A page or limit that is not a positive integer takes its default.',
  querystring: queryOf({ ...pageQuery, ...eventFilter }, 'ignores others'),
  response: { 200: pageAnswer(ListedEvent, 'events', 'A page of events.') },
});

export const readEventSchema = events.read({
  operationId: 'readEvent',
  summary: 'Read an event',
  answer: 'The event and its counts.',
  anyQuery: true,
});

export const updateEventSchema = eventFrames(tags).put(
  {
    operationId: 'updateEvent',
    summary: 'Change an event',
    description:
      'Partial: a field that is absent, null, 0, false or blank keeps its stored value, except a 0 of max_plus_ones_buffer. ' +
      'An unknown kashrut_level or language_pref is a 500 that saves nothing. The current status is a 400, as is any status ' +
      'that can’t follow it.',
    querystring: queryOf(changeQuery, 'ignores others'),
    body: namedSchema(
      'EventChanges',
      Type.Object(
        {
          ...inputFields(eventChangeFields),
          status: Type.Optional(enumOrNullSchema(EVENT_STATUSES)),
          compliance_dismissed: Type.Optional(
            orNullSchema<boolean>({ type: 'boolean', description: 'Not stored.' }),
          ),
        },
        { examples: [{ status: 'published' }, { venue_capacity: 450, max_plus_ones_buffer: 0 }] },
      ),
    ),
  },
  Type.Object(
    {
      event: schemaRef(CountedEvent),
      compliance_checklist: checklist,
      preview: Type.Optional(schemaRef(ChangePreview, 'Only in a dry run.')),
    },
    {
      title: 'ChangedEvent',
      description: 'The event after the change, and its counts; in a dry run, as they would be.',
      headers: etagHeader,
    },
  ),
);

export const deleteEventSchema = events.remove({
  operationId: 'deleteEvent',
  summary: 'Delete an event',
  description: 'The event is cancelled and hidden. It can be restored for 30 days.',
  anyQuery: true,
});
