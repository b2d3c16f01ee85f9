import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { dateTimeSchema, enumSchema, schemaRef, textOrNullSchema } from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam } from '../applications/contract.ts';
import { ACTORS } from '../model/history.ts';

export const ApplicationChange = Type.Object(
  {
    id: Type.String(),
    at: dateTimeSchema(),
    operation: Type.String({ description: '`operationId` of the request.' }),
    preview: textOrNullSchema({ description: 'Null: production, or the application as a whole.' }),
    by: Type.Object({
      kind: enumSchema(ACTORS),
      email: textOrNullSchema(),
      token: textOrNullSchema({ description: 'Name of the key or token; null: signed in.' }),
      address: textOrNullSchema({ description: 'Network address; null below the role `administer`.' }),
    }),
    subject: textOrNullSchema({ description: 'What was changed, such as a domain or a deployment.' }),
    changes: Type.Unsafe<Record<string, { from: unknown; to: unknown }> | null>({
      type: ['object', 'null'],
      additionalProperties: {
        type: 'object',
        properties: { from: {}, to: {} },
        additionalProperties: false,
      },
      description: 'Changed fields. A secret that is set is `set`, never its value.',
    }),
  },
  {
    $id: 'ApplicationChange',
    examples: [
      {
        id: '7',
        at: '2026-11-21T08:10:29.010Z',
        operation: 'updateEnvironment',
        preview: null,
        by: { kind: 'user', email: 'itai@example.com', token: 'CI', address: '203.0.113.7' },
        subject: null,
        changes: { GREETING: { from: null, to: 'set' } },
      },
    ],
  },
);
export type ApplicationChange = Static<typeof ApplicationChange>;

const history = developerRoutes.resource({
  tags: ['people'],
  called: 'change',
  within: applicationParam,
  params: applicationParam,
  record: ApplicationChange,
  errors: applicationErrors,
  shown: (description) => schemaRef(ApplicationChange, description),
});

export const listSchema = history.page(
  {
    operationId: 'listApplicationHistory',
    summary: 'List the changes of an application',
    description: 'Newest first: at most 10,000, of one year.',
  },
  'history',
);
