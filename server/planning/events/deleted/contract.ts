import { type Static, Type } from 'typebox';
import { exampleOf } from '../../../kernel/field-types.ts';
import { pageAnswer, queryOf } from '../../../kernel/http/resource.ts';
import { dateTimeOrNullSchema, dateTimeSchema, enumSchema, uuidSchema } from '../../../kernel/http/shapes.ts';
import { pageQuery } from '../../../kernel/paging.ts';
import { eventParam, organizerFrames, versionedAnswer } from '../area.ts';
import { CountedEvent } from '../contract.ts';
import { eventFields } from '../fields.ts';
import { EVENT_STATUSES } from '../lifecycle.ts';

/** Schemas of deleted events, which can be restored. */

const { title, event_date, venue_name } = exampleOf(eventFields);

export const DeletedEvent = Type.Object(
  {
    id: uuidSchema(),
    title: Type.String(),
    event_date: dateTimeOrNullSchema('An instant, in UTC.'),
    venue_name: Type.String(),
    status: enumSchema(EVENT_STATUSES, { description: 'Status before the deletion, and after restoring.' }),
    deleted_at: dateTimeSchema(),
    until: dateTimeSchema('Until then the event can be restored.'),
  },
  {
    $id: 'DeletedEvent',
    examples: [
      {
        id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
        title,
        event_date,
        venue_name,
        status: 'published',
        deleted_at: '2026-12-01T18:20:00.000Z',
        until: '2026-12-31T18:20:00.000Z',
      },
    ],
  },
);
export type DeletedEvent = Static<typeof DeletedEvent>;

const tags = ['events'];

export const listDeletedEventsSchema = organizerFrames.get({
  tags,
  operationId: 'listDeletedEvents',
  summary: 'List your deleted events',
  description: 'Events deleted in the last 30 days, the latest first.',
  querystring: queryOf(pageQuery),
  response: { 200: pageAnswer(DeletedEvent, 'events', 'A page of deleted events.') },
});

export const restoreEventSchema = organizerFrames.post({
  tags,
  operationId: 'restoreEvent',
  summary: 'Restore a deleted event',
  description:
    'Within 30 days, by its organizer: with its former status and everything that belongs to it. Messages that the deletion ' +
    'withdrew stay withdrawn.',
  params: eventParam,
  response: { 200: versionedAnswer(CountedEvent, 'event')('The restored event.') },
  errors: { 404: 'No event of yours with this id can be restored.' },
});
