import { Type } from 'typebox';
import { inputFields } from '../../kernel/http/field-schemas.ts';
import { namedSchema } from '../../kernel/http/resource.ts';
import { enumSchema, schemaRef } from '../../kernel/http/shapes.ts';
import { etagHeader } from '../../kernel/writes/preconditions.ts';
import { eventErrors, eventParam, organizerFrames } from '../events/area.ts';
import { CountedEvent } from '../events/contract.ts';
import { copyFields } from './fields.ts';
import { COPIED_TABLES, TRANSLATION_FIELDS, type TranslationField } from './tables.ts';

export const duplicateSchema = organizerFrames.post({
  tags: ['events'],
  operationId: 'duplicateEvent',
  summary: 'Duplicate an event',
  description:
    'Creates a draft from your own event in any status, even a cancelled one: its fields, bookings, checklist, invitation and ' +
    'settings; guests on request. Fields in the body replace the original’s; `event_date` is required if the ' +
    'original’s date is past. Times of bookings and due dates move with the date. Not copied: co-organizers, history, rounds ' +
    'and links.',
  params: eventParam,
  body: namedSchema(
    'EventCopy',
    Type.Object(inputFields(copyFields), {
      additionalProperties: false,
      examples: [
        { event_date: '2028-06-15T19:30', guests: true },
        { progress: true, guests: true },
      ],
    }),
  ),
  response: {
    201: Type.Object(
      {
        event: schemaRef(CountedEvent),
        copied: Type.Unsafe<Record<string, number>>({
          type: 'object',
          description: 'Number of copied records of each kind.',
          properties: Object.fromEntries(COPIED_TABLES.map(({ table }) => [table, { type: 'integer' }])),
        }),
        left_out: Type.Array(enumSchema(Object.keys(TRANSLATION_FIELDS) as TranslationField[]), {
          description:
            'Translations in the invitation that were not copied because the copy has another text: `title`, `words` (of the description), `venue_name`, `venue_address`.',
        }),
      },
      { title: 'DuplicatedEvent', description: 'The copy.', headers: etagHeader },
    ),
  },
  errors: eventErrors,
});
