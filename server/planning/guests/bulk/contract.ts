import { type Static, type TSchema, Type } from 'typebox';
import { inputFields } from '../../../kernel/http/field-schemas.ts';
import { namedSchema, pageAnswer, queryOf } from '../../../kernel/http/resource.ts';
import { schemaRef, uuidSchema } from '../../../kernel/http/shapes.ts';
import { pageQuery } from '../../../kernel/paging.ts';
import * as queryTypes from '../../../kernel/query-types.ts';
import { eventErrors, eventParam, organizerFrames } from '../../events/area.ts';
import { GuestWarning } from '../contract.ts';
import { selectionFields } from '../selection.ts';
import { bulkFields } from './fields.ts';

/** Schemas of the API for changing many guests at once. */

export const GuestTag = Type.Object(
  {
    tag: Type.String(),
    guests: Type.Integer({ description: 'Guests who have it.' }),
    invited: Type.Integer({ description: 'People invited with them, themselves included.' }),
    people: Type.Integer({ description: 'People of these who come.' }),
  },
  { $id: 'GuestTag', examples: [{ tag: 'צד הכלה', guests: 84, invited: 190, people: 132 }] },
);
export type GuestTag = Static<typeof GuestTag>;

const BulkWarning = Type.Intersect([Type.Object({ guest_id: uuidSchema() }), GuestWarning]);
export type BulkWarning = Static<typeof BulkWarning>;

export const BulkResult = Type.Object(
  {
    chosen: Type.Integer({ description: 'Guests who were meant.' }),
    changed: Type.Integer({ description: 'Those of them who were not so already.' }),
    not_found: Type.Array(uuidSchema(), { description: 'Of those named, who are not there.' }),
    warnings: Type.Array(BulkWarning, { description: 'As of a change of one guest.' }),
  },
  { $id: 'BulkResult', examples: [{ chosen: 30, changed: 28, not_found: [], warnings: [] }] },
);

export const sharedSchemas = [GuestTag, BulkResult];

const tags = ['guests'];

export const listTagsSchema = organizerFrames.get({
  tags,
  operationId: 'listTags',
  summary: 'List the tags of an event’s guests',
  description: 'Those of most guests first.',
  params: eventParam,
  querystring: queryOf(pageQuery),
  response: { 200: pageAnswer(GuestTag, 'tags', 'A page of tags.') },
  errors: eventErrors,
});

export const bulkQuery = { dry_run: queryTypes.flag('Nothing is written: the answer says what would be.') };

const many = (words: { operationId: string; summary: string; description: string }, body: TSchema) =>
  organizerFrames.post({
    tags,
    ...words,
    params: eventParam,
    querystring: queryOf(bulkQuery),
    body,
    response: { 200: schemaRef(BulkResult, 'How many it was about.') },
    errors: { ...eventErrors, 409: '`guest_id` says with whom; nothing is written then.' },
  });
const AT_MOST = 'At most 1,000 at once; where one of them can’t be, nobody is.';

export const changeManySchema = many(
  {
    operationId: 'changeGuests',
    summary: 'Change many guests at once',
    description: `Tags are added and removed; any other field is set as in a change of one guest. ${AT_MOST}`,
  },
  namedSchema(
    'GuestsChanges',
    Type.Object(inputFields(bulkFields), {
      additionalProperties: false,
      examples: [{ guest_ids: ['01980a3c-7b1e-7c1a-9c55-3f0b8d1f2b01'], add_tags: ['עבודה'] }],
    }),
  ),
);

export const deleteManySchema = many(
  {
    operationId: 'deleteGuests',
    summary: 'Remove many guests at once',
    description: `For 30 days they can be brought back. ${AT_MOST}`,
  },
  namedSchema(
    'GuestsToDelete',
    Type.Object(inputFields(selectionFields), {
      additionalProperties: false,
      examples: [{ filter: { tag: 'ייבוא שגוי' } }],
    }),
  ),
);

export const restoreManySchema = many(
  {
    operationId: 'restoreGuests',
    summary: 'Bring many deleted guests back',
    description: `In the order in which they are named, each as one alone. ${AT_MOST}`,
  },
  namedSchema(
    'GuestsToRestore',
    Type.Object(
      { guest_ids: Type.Unsafe<string[]>({ ...selectionFields.guest_ids.type.schema }) },
      {
        additionalProperties: false,
        examples: [{ guest_ids: ['01980a3c-7b1e-7c1a-9c55-3f0b8d1f2b01'] }],
      },
    ),
  ),
);
