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
  summary: 'Find your example event',
  response: {
    200: Type.Object(
      {
        event_id: orNullSchema<string>({
          type: 'string',
          format: 'uuid',
          description: 'null: there is none.',
        }),
      },
      { title: 'ExampleEvent', description: 'The example event.' },
    ),
  },
});

export const makeExampleSchema = organizerFrames.post({
  tags,
  operationId: 'makeExampleEvent',
  summary: 'Create an example event',
  description:
    'Organizers only. A published wedding some weeks ahead with guests and their answers, vendors and payments, a question and an agenda, in ' +
    'Hebrew, or as `Accept-Language` prefers. Only one guest has an email address: the caller’s own. One example at a time.',
  response: {
    201: namedSchema(
      'ExampleEventMade',
      Type.Object({ event: schemaRef(CountedEvent) }, { description: 'The event.', headers: etagHeader }),
    ),
  },
  errors: { 403: 'Only the role `organizer` may.', 409: 'You already have an example.' },
});

export const removeExampleSchema = organizerFrames.remove({
  tags,
  operationId: 'removeExampleEvent',
  summary: 'Remove the example event',
  description: 'Also removes the example’s vendors that no other event books.',
  response: { 204: Type.Null({ description: 'Removed.' }) },
  errors: { 404: 'There is none.' },
});
