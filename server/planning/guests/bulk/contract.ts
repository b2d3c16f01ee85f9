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
    invited: Type.Integer({ description: 'People invited with them, including themselves.' }),
    people: Type.Integer({ description: 'People of their parties who come.' }),
  },
  { $id: 'GuestTag', examples: [{ tag: 'צד הכלה', guests: 84, invited: 190, people: 132 }] },
);
export type GuestTag = Static<typeof GuestTag>;

const BulkWarning = Type.Intersect([Type.Object({ guest_id: uuidSchema() }), GuestWarning]);
export type BulkWarning = Static<typeof BulkWarning>;

export const BulkResult = Type.Object(
  {
    chosen: Type.Integer({ description: 'Selected guests.' }),
    changed: Type.Integer({
      description: 'Selected guests who were changed; the others had these values already.',
    }),
    not_found: Type.Array(uuidSchema(), { description: 'Ids that belong to no guest.' }),
    warnings: Type.Array(BulkWarning, { description: 'Warnings as after changing one guest.' }),
  },
  { $id: 'BulkResult', examples: [{ chosen: 30, changed: 28, not_found: [], warnings: [] }] },
);

export const sharedSchemas = [GuestTag, BulkResult];

const tags = ['guests'];

export const listTagsSchema = organizerFrames.get({
  tags,
  operationId: 'listTags',
  summary: 'List the tags of an event’s guests',
  description: 'The most used tags first.',
  params: eventParam,
  querystring: queryOf(pageQuery),
  response: { 200: pageAnswer(GuestTag, 'tags', 'A page of tags.') },
  errors: eventErrors,
});

export const bulkQuery = { dry_run: queryTypes.flag('Writes nothing; the answer tells what would change.') };

const many = (words: { operationId: string; summary: string; description: string }, body: TSchema) =>
  organizerFrames.post({
    tags,
    ...words,
    params: eventParam,
    querystring: queryOf(bulkQuery),
    body,
    response: { 200: schemaRef(BulkResult, 'Number of guests selected and changed.') },
    errors: { ...eventErrors, 409: '`guest_id` is the guest with the conflict; nothing is written.' },
  });
const AT_MOST = 'At most 1,000 at once. If one of them fails, nothing is written.';

export const changeManySchema = many(
  {
    operationId: 'changeGuests',
    summary: 'Change many guests at once',
    description: `Adds and removes tags; sets other fields as when changing one guest. ${AT_MOST}`,
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
    description: `They can be restored for 30 days. ${AT_MOST}`,
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
    summary: 'Restore many deleted guests',
    description: `In the order of their ids, each as when restoring one guest. ${AT_MOST}`,
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
