import { Type } from 'typebox';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf } from '../../kernel/http/field-schemas.ts';
import { dateTimeSchema, enumSchema, schemaRef } from '../../kernel/http/shapes.ts';
import { AccessTokenRecord } from '../access-tokens/contract.ts';
import { SCOPES } from '../access-tokens/scopes.ts';
import { publicRoutes, SignedInUser } from '../contract.ts';
import { sessionRoutes } from '../sessions/contract.ts';
import { decisionFields, deviceFields, pollFields, userCodeFields } from './fields.ts';

/** Schemas of signing in a device. They serialize responses, document the API and give TypeScript its types. */

const exampleCode = 'H7KM-2QXD';
const tags = ['sign-in'];
const TRIES = listCodes('too_many_requests', 'too_many_tries');

export const startSchema = publicRoutes.post({
  tags,
  operationId: 'startDeviceLogin',
  summary: 'Sign in a device without a browser',
  description:
    'As in RFC 8628: show `user_code` and `verification_uri`, or open `verification_uri_complete`; then poll. The user confirms the device in a browser.',
  body: bodyOf(deviceFields, { title: 'DeviceLogin', examples: [{ client: 'simcha on laptop' }] }),
  response: {
    200: Type.Object(
      {
        device_code: Type.String({ description: 'Secret of the device.' }),
        user_code: Type.String(),
        verification_uri: Type.String({ format: 'uri' }),
        verification_uri_complete: Type.String({ format: 'uri' }),
        expires_in: Type.Integer({ description: 'Seconds.' }),
        interval: Type.Integer({ description: 'Seconds to wait between two polls.' }),
      },
      { title: 'DeviceLoginStarted', description: 'The device waits for its user.' },
    ),
  },
  errors: { 429: listCodes('too_many_requests', 'too_many_codes') },
});

export const pollSchema = publicRoutes.post({
  tags,
  operationId: 'pollDeviceLogin',
  summary: 'Get the token of a confirmed device',
  description:
    'While the `code` is `authorization_pending`, ask again after `interval` seconds; after `slow_down`, wait 5 seconds longer each time. The token is given once.',
  body: bodyOf(pollFields, { title: 'DevicePoll' }),
  response: {
    200: Type.Object(
      {
        token: Type.String({ description: 'An access token. Shown only once.' }),
        access_token: schemaRef(AccessTokenRecord),
        user: schemaRef(SignedInUser),
      },
      { title: 'DeviceSignedIn', description: 'The device is confirmed.' },
    ),
  },
  errors: {
    400: listCodes('invalid_field', 'authorization_pending', 'slow_down', 'expired_token', 'access_denied'),
    409: listCodes('too_many_tokens'),
  },
});

export const findSchema = sessionRoutes.post({
  tags,
  operationId: 'findDeviceLogin',
  summary: 'See which device waits with a code',
  body: bodyOf(userCodeFields, { title: 'DeviceCode', examples: [{ user_code: exampleCode }] }),
  response: {
    200: Type.Object(
      {
        client: Type.String({ description: 'Name that the device gave itself.' }),
        scopes: Type.Array(enumSchema(SCOPES)),
        address: Type.String({ description: 'The device’s network address.' }),
        same_network: Type.Boolean({ description: 'True if this request came from the same network.' }),
        requested_at: dateTimeSchema(),
        expires_at: dateTimeSchema(),
      },
      { title: 'WaitingDevice', description: 'The device.' },
    ),
  },
  errors: { 400: listCodes('invalid_field', 'wrong_code'), 413: true, 415: true, 429: TRIES },
});

export const decideSchema = sessionRoutes.post({
  tags,
  operationId: 'decideDeviceLogin',
  summary: 'Confirm or refuse a device',
  body: bodyOf(decisionFields, {
    title: 'DeviceDecision',
    examples: [{ user_code: exampleCode, allow: true }],
  }),
  response: { 204: Type.Null({ description: 'The decision is stored.' }) },
  errors: { 400: listCodes('invalid_field', 'wrong_code'), 413: true, 415: true, 429: TRIES },
});
