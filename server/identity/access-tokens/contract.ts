import { type Static, Type } from 'typebox';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf, outputFields } from '../../kernel/http/field-schemas.ts';
import { noParameters } from '../../kernel/http/resource.ts';
import { dateTimeOrNullSchema, dateTimeSchema, schemaRef, uuidSchema } from '../../kernel/http/shapes.ts';
import { developerRoutes } from '../contract.ts';
import { tokenFields } from './fields.ts';

/** Schemas of access tokens. They serialize responses, document the API and give TypeScript its types. */

const example = {
  id: '01980a3c-9d10-7b3e-8a41-6c2f5d7e9b10',
  name: 'CI',
  scopes: ['deploy'],
  application_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  event_id: null,
  expires_at: '2027-11-21T08:00:00.000Z',
  hint: 'sk_tYfG',
  created_at: '2026-11-21T08:00:00.000Z',
  last_used_at: null,
};

export const AccessTokenRecord = Type.Object(
  {
    id: uuidSchema(),
    ...outputFields(tokenFields),
    hint: Type.String({ description: 'The token’s first characters.' }),
    created_at: dateTimeSchema(),
    last_used_at: dateTimeOrNullSchema('UTC. Time of the last use, to ten minutes.'),
  },
  { $id: 'AccessToken', examples: [example] },
);

export const sharedSchemas = [AccessTokenRecord];

const tags = ['users'];
const shown = (description: string) =>
  Type.Unsafe<Static<typeof AccessTokenRecord> & { token: string }>({
    title: 'ShownAccessToken',
    description,
    allOf: [
      schemaRef(AccessTokenRecord),
      Type.Object({ token: Type.String({ description: 'Shown only once.' }) }),
    ],
  });

const tokens = developerRoutes.resource({
  tags,
  called: 'token',
  within: noParameters,
  params: Type.Object({ id: Type.String({ description: 'Id or name.' }) }),
  record: AccessTokenRecord,
  errors: {},
  shown,
});

export const addTokenSchema = tokens.create(
  {
    operationId: 'createToken',
    summary: 'Create an access token',
    description:
      'Send it as `X-API-Key` or `Authorization: Bearer`, to events and applications. A token that is created with another token expires no later than that one.',
    answer: 'The new token.',
    errors: { 409: listCodes('too_many_tokens', 'key_running') },
  },
  bodyOf(tokenFields, {
    additionalProperties: false,
    examples: [{ name: example.name, scopes: example.scopes, application_id: example.application_id }],
  }),
);

export const listTokensSchema = tokens.list(
  {
    operationId: 'listTokens',
    summary: 'List your API keys and access tokens',
    answer: 'The tokens, oldest first. The key of the registration is one with the scope `full`.',
  },
  'tokens',
);

export const removeTokenSchema = tokens.remove({
  operationId: 'revokeToken',
  summary: 'Revoke an API key or access token',
  answer: 'The token no longer works.',
  errors: { 404: true },
});

const ofRequest = { tags, errors: { 404: 'The request was sent with another credential.' } };

export const readCurrentSchema = developerRoutes.get({
  ...ofRequest,
  operationId: 'readCurrentToken',
  summary: 'Read the token of this request',
  response: { 200: schemaRef(AccessTokenRecord, 'The API key or access token of this request.') },
});

export const removeCurrentSchema = developerRoutes.remove({
  ...ofRequest,
  operationId: 'revokeCurrentToken',
  summary: 'Revoke the token of this request',
  response: { 204: Type.Null({ description: 'The token no longer works.' }) },
});
