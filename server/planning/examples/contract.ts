import { Type } from 'typebox';
import { namedSchema } from '../../kernel/http/resource.ts';
import { orNullSchema, schemaRef } from '../../kernel/http/shapes.ts';
import { etagHeader } from '../../kernel/writes/preconditions.ts';
import { organizerFrames } from '../events/area.ts';
import { CountedEvent } from '../events/contract.ts';

const tags = ['events'];

export const readExampleSchema = organizerFrames.get({
  tags,
  operationId: 'readExampleEvent',
  summary: 'Read which event is one’s example',
  response: {
    200: Type.Object(
      {
        event_id: orNullSchema<string>({
          type: 'string',
          format: 'uuid',
          description: 'null: there is none.',
        }),
      },
      { title: 'ExampleEvent', description: 'The event to play with.' },
    ),
  },
});

export const makeExampleSchema = organizerFrames.post({
  tags,
  operationId: 'makeExampleEvent',
  summary: 'Make an event to play with',
  description:
    'Organizers only. A published wedding some weeks ahead with guests and their answers, vendors and payments, a question and an agenda, in ' +
    'Hebrew, or as `Accept-Language` prefers. Its guests have no addresses but the caller’s own, on one of them. One at a time.',
  response: {
    201: namedSchema(
      'ExampleEventMade',
      Type.Object({ event: schemaRef(CountedEvent) }, { description: 'The event.', headers: etagHeader }),
    ),
  },
  errors: { 403: 'Only the role `organizer` may.', 409: 'There is one already.' },
});

export const removeExampleSchema = organizerFrames.remove({
  tags,
  operationId: 'removeExampleEvent',
  summary: 'Remove the event to play with',
  description: 'With the vendors that came with it and are booked for nothing else.',
  response: { 204: Type.Null({ description: 'It is gone.' }) },
  errors: { 404: 'There is none.' },
});
