import { Type } from 'typebox';
import {
  type Errors,
  errorAnswersOf,
  errorFields,
  exampleError,
  listCodes,
} from '../kernel/http/error-answers.ts';
import { bodyOf, outputFields } from '../kernel/http/field-schemas.ts';
import { complaintTexts, httpProblems } from '../kernel/http/messages.ts';
import { createFrames } from '../kernel/http/resource.ts';
import { dateTimeSchema, schemaRef, uuidSchema } from '../kernel/http/shapes.ts';
import type { Language } from '../kernel/languages.ts';
import { idempotencyHeader } from '../kernel/writes/idempotency.ts';
import { scopesOfOperation } from './access-tokens/operations.ts';
import {
  addressFields,
  registrationFields,
  signInFields,
  subjectFields,
  verificationFields,
} from './fields.ts';
import { identityMessages } from './messages.ts';

/** Schemas of users and sign-in. They serialize responses, document the API and give TypeScript its types. */

export const ApiError = Type.Object(
  { error: Type.String({ description: 'The message in English.' }), ...errorFields },
  { $id: 'ApiError' },
);

const { email } = outputFields(addressFields);

const exampleUser = {
  user_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  email: 'you@example.com',
  verified: true,
  registered_at: '2026-11-21T08:00:00.000Z',
};

const exampleCode = 'H7KM-2QXD';
export const exampleSignIn = { email: exampleUser.email, code: exampleCode };

export const User = Type.Object(
  { user_id: uuidSchema(), email, verified: Type.Boolean(), registered_at: dateTimeSchema() },
  { $id: 'User', examples: [exampleUser] },
);
export const SignedInUser = Type.Object(
  {
    user_id: uuidSchema(),
    email,
    role: Type.String(),
    verified: Type.Boolean(),
    registered_at: dateTimeSchema(),
  },
  { $id: 'SignedInUser', examples: [{ ...exampleUser, role: 'organizer' }] },
);

export const sharedSchemas = [ApiError, User, SignedInUser];

const missingName = (language: Language) => `name: ${complaintTexts[language]({ kind: 'missing' })}`;

export const describeErrors = errorAnswersOf(ApiError, '', {
  400: exampleError(
    'invalid_field',
    { he: missingName('he'), ar: missingName('ar'), en: missingName('en') },
    'en',
    'name',
  ),
  401: exampleError('unauthorized', identityMessages.keyNeeded, 'en'),
  403: exampleError('forbidden', identityMessages.notAllowed, 'en'),
  404: exampleError('not_found', httpProblems.not_found, 'en'),
  409: exampleError('already_registered', identityMessages.registered, 'en'),
  413: exampleError('too_large', httpProblems.too_large, 'en'),
  415: exampleError('wrong_content_type', httpProblems.wrong_content_type, 'en'),
  422: exampleError('key_reused', httpProblems.key_reused, 'en'),
  429: exampleError('too_many_requests', httpProblems.too_many_requests, 'en'),
  500: exampleError('unexpected', httpProblems.unexpected, 'en'),
  503: exampleError('unavailable', httpProblems.unavailable, 'en'),
});

/** Error responses that any route of the API can give. */
export const commonErrors: Errors = { 429: true, 500: true, 503: true };
/** Error responses that a route can give in addition if it reads a body. */
const body: Errors = { 400: true, 413: true, 415: true };

/** Descriptions of API routes that need no credential. */
export const publicRoutes = createFrames({
  security: [],
  describe: describeErrors,
  errors: { any: commonErrors, body },
});
/**
 * Descriptions of routes for developers, who send an API key, token or session; a POST with an Idempotency-Key is done
 * once.
 */
export const developerRoutes = createFrames({
  scopes: scopesOfOperation,
  security: [{ apiKey: [] }, { organizer: [] }, { session: [] }],
  describe: describeErrors,
  errors: {
    any: { ...commonErrors, 401: true, 403: true },
    body,
    post: { 400: true, 409: listCodes('key_running'), 422: true },
  },
  headers: { post: idempotencyHeader },
});

export const WRONG_CODE = listCodes('invalid_field', 'wrong_code');
export const TRIES = listCodes('too_many_requests', 'too_many_tries');
const MAILS = listCodes('too_many_requests', 'too_many_codes');

const CLOSED = listCodes('registration_closed');

const tags = ['users'];
const verified = Type.Unsafe<true>({ type: 'boolean', enum: [true] });
const accepted = (description: string) =>
  Type.Object({ status: Type.Literal('accepted') }, { title: 'Accepted', description });

export const registerSchema = publicRoutes.post({
  tags,
  operationId: 'register',
  summary: 'Register',
  description:
    'Mails a verification code. Registering an unverified address again returns the same `user_id` and another key with its own code; entering a code verifies its key and ends all others.',
  body: bodyOf(registrationFields, { title: 'Registration', examples: [{ email: exampleUser.email }] }),
  response: {
    201: Type.Object(
      { user_id: uuidSchema(), api_key: Type.String({ description: 'Shown only once.' }) },
      { title: 'Registered', description: 'Registered; the code is on its way.' },
    ),
  },
  errors: { 403: CLOSED, 409: listCodes('already_registered'), 429: MAILS },
  anyQuery: true,
});

export const verifySchema = publicRoutes.post({
  tags,
  operationId: 'verify',
  summary: 'Verify the mail address',
  description:
    'With the code alone, or also with `email`, `user_id` or the header `X-API-Key` to say whose it is. With the key, a code that was mailed for another key is wrong. If the address was registered more than once, a right code without the key is a 400, `key_of_code`: send the key from your own registration.',
  security: [{}, { apiKey: [] }],
  body: bodyOf(verificationFields, { title: 'Verification', examples: [{ code: exampleCode }] }),
  response: {
    200: Type.Object(
      { user_id: uuidSchema(), email, verified },
      { title: 'Verified', description: 'Verified.' },
    ),
  },
  errors: {
    400: listCodes('invalid_field', 'wrong_code', 'key_of_code'),
    401: true,
    403: CLOSED,
    429: TRIES,
  },
  anyQuery: true,
});

export const resendSchema = publicRoutes.post({
  tags,
  operationId: 'resendVerification',
  summary: 'Ask for another verification code',
  description:
    'With `X-API-Key`, for that key. With `email` or `user_id` alone, only if a single registration of the address waits. The answer is always the same.',
  security: [{}, { apiKey: [] }],
  body: bodyOf(subjectFields, { additionalProperties: false, title: 'VerificationRequest' }),
  response: { 202: accepted('A code is on its way, if one is due.') },
  errors: { 401: true, 429: MAILS },
});

export const meSchema = developerRoutes.get({
  tags,
  operationId: 'readMe',
  summary: 'Who am I',
  response: { 200: schemaRef(User, 'The user of the key.') },
});

export const askToSignInSchema = publicRoutes.post({
  tags: ['sign-in'],
  operationId: 'askToSignIn',
  summary: 'Ask for a sign-in code',
  description:
    'The answer is the same whether or not the address is known. Send its `request_id` with the code, so that wrong tries by others do not count against it; browsers have it in a cookie.',
  body: bodyOf(addressFields, { title: 'SignInRequest', examples: [{ email: exampleUser.email }] }),
  response: {
    202: Type.Object(
      {
        status: Type.Literal('accepted'),
        request_id: Type.String({ description: 'Known only to the client that made the request.' }),
      },
      { title: 'CodeRequested', description: 'A code is on its way.' },
    ),
  },
  errors: { 429: MAILS },
});

export const signInSchema = publicRoutes.post({
  tags: ['sign-in'],
  operationId: 'signIn',
  summary: 'Sign in with a code',
  description:
    'Returns a token for the event API, valid for 12 hours. A new address becomes a user, and API keys that others registered for it end.',
  body: bodyOf(signInFields, { title: 'SignIn', examples: [exampleSignIn] }),
  response: {
    200: Type.Object(
      { token: Type.String({ description: 'A JWT.' }), user: schemaRef(SignedInUser) },
      { title: 'SignedIn', description: 'Signed in.' },
    ),
  },
  errors: { 400: WRONG_CODE, 403: CLOSED, 429: TRIES },
});
