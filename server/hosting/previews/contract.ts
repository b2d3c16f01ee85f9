import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf } from '../../kernel/http/field-schemas.ts';
import {
  dateTimeOrNullSchema,
  dateTimeSchema,
  enumSchema,
  schemaRef,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam } from '../applications/contract.ts';
import { PREVIEW_STATUSES } from '../applications/store.ts';
import { previewFields } from './fields.ts';

/** Schemas of the preview routes, for serialization, documentation and types. */

const example = {
  name: 'seating-plan',
  application_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  branch: 'seating-plan',
  pull_request: 12,
  domain: 'http://noa-itai-seating-plan.localhost:3000',
  status: 'live',
  created_at: '2026-11-21T08:00:00.000Z',
  last_updated: '2026-11-21T08:00:00.000Z',
  deployed_at: '2026-11-21T08:00:04.000Z',
  visited_at: '2026-11-21T08:03:00.000Z',
};

export const PreviewRecord = Type.Object(
  {
    name: Type.String({ description: 'The value for `?preview=` in routes about a site.' }),
    application_uuid: uuidSchema(),
    branch: Type.String(),
    pull_request: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'The number of the pull request whose end removes the preview; null if its branch’s end does.',
    }),
    domain: Type.String({ description: 'The full address of its site.' }),
    status: enumSchema(PREVIEW_STATUSES),
    created_at: dateTimeSchema(),
    last_updated: dateTimeSchema('The last change of the application, or of its own variables.'),
    deployed_at: dateTimeOrNullSchema('When the live version came up.'),
    visited_at: dateTimeSchema('To the minute. Previews that nobody visits fall asleep.'),
  },
  { $id: 'Preview', examples: [example] },
);
export type PreviewRecord = Static<typeof PreviewRecord>;

export const sharedSchemas = [PreviewRecord];

const previews = developerRoutes.resource({
  tags: ['previews'],
  called: 'preview',
  within: applicationParam,
  params: Type.Object({ ...applicationParam.properties, name: Type.String() }),
  record: PreviewRecord,
  errors: applicationErrors,
  shown: (description) => schemaRef(PreviewRecord, description),
});

export const listSchema = previews.list(
  { operationId: 'listPreviews', summary: 'List previews', answer: 'Newest first.' },
  'previews',
);

export const openSchema = previews.create(
  {
    operationId: 'openPreview',
    summary: 'Create a preview of a branch',
    description:
      'Creates and deploys it; its own variables (`env`) override production’s. With the push hook, each push to the branch deploys it again, and deleting the branch removes it. 403 until the owner’s mail address is verified.',
    answer: 'The preview; its deployment was requested.',
    errors: {
      403: listCodes('forbidden', 'unverified', 'too_many_previews'),
      404: true,
      409: listCodes('preview_exists', 'no_repository', 'key_running'),
    },
  },
  bodyOf(previewFields, {
    additionalProperties: false,
    examples: [{ branch: example.branch, env: { GREETING: 'שלום' } }],
  }),
);

export const readSchema = previews.read({ operationId: 'readPreview', summary: 'Read a preview' });

export const removeSchema = previews.remove({
  operationId: 'removePreview',
  summary: 'Remove a preview',
  description: 'Its site, files and variables are deleted too; the branch stays.',
});
