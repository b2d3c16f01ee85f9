import { Type } from 'typebox';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf } from '../../kernel/http/field-schemas.ts';
import { createFrames, noParameters } from '../../kernel/http/resource.ts';
import { dateTimeSchema, schemaRef, textOrNullSchema, uuidSchema } from '../../kernel/http/shapes.ts';
import {
  commonErrors,
  describeErrors,
  exampleSignIn,
  publicRoutes,
  SignedInUser,
  TRIES,
  WRONG_CODE,
} from '../contract.ts';
import { signInFields } from '../fields.ts';

/** Schemas of sessions. They serialize responses, document the API and give TypeScript its types. */

const OWN_PAGE = listCodes('wrong_origin', 'csrf_token');

const ends = dateTimeSchema('UTC. 30 days after its last use, but at most 180 days after its start.');
const example = {
  id: '01980a3c-9d10-7b3e-8a41-6c2f5d7e9b10',
  created_at: '2026-11-21T08:00:00.000Z',
  expires_at: '2026-12-21T08:00:00.000Z',
};

export const Session = Type.Object(
  { id: uuidSchema(), created_at: dateTimeSchema(), expires_at: ends },
  { $id: 'Session', examples: [example] },
);
export const ListedSession = Type.Object(
  {
    id: uuidSchema(),
    user_agent: textOrNullSchema({ description: 'The user agent of the browser, if it sent one.' }),
    address: Type.String({ description: 'The client’s address when it signed in.' }),
    created_at: dateTimeSchema(),
    seen_at: dateTimeSchema('UTC. Time of the last use, to ten minutes.'),
    expires_at: ends,
    current: Type.Boolean({ description: 'True for the session of this request.' }),
  },
  { $id: 'ListedSession' },
);

export const sharedSchemas = [Session, ListedSession];

const signedIn = (description: string) =>
  Type.Object(
    {
      user: schemaRef(SignedInUser),
      session: schemaRef(Session),
      operator: Type.Boolean({ description: 'True for the operators of this server (`OPERATORS`).' }),
      csrf_token: Type.String({
        description: 'Send it as `X-CSRF-Token` with all requests of this session except GET and HEAD.',
      }),
    },
    { title: 'SignedInSession', description },
  );

const tags = ['sign-in'];

/** Descriptions of routes that only a session can use, because tokens and API keys belong to no session. */
export const sessionRoutes = createFrames({
  security: [{ session: [] }],
  describe: describeErrors,
  errors: { any: { ...commonErrors, 401: true, 403: OWN_PAGE } },
});

export const startSessionSchema = publicRoutes.post({
  tags,
  operationId: 'startSession',
  summary: 'Sign in with a code, as a browser',
  description:
    'Sets a cookie (`Set-Cookie`) that gives pages of this server the same access as a token of this user; `Origin` must be the server’s own. An earlier session of the browser ends.',
  body: bodyOf(signInFields, { title: 'SignIn', examples: [exampleSignIn] }),
  response: { 201: signedIn('Signed in.') },
  errors: { 400: WRONG_CODE, 403: listCodes('registration_closed', 'wrong_origin'), 429: TRIES },
});

export const readSessionSchema = publicRoutes.get({
  tags,
  operationId: 'readSession',
  summary: 'Who is signed in here',
  security: [{ session: [] }, {}],
  response: {
    200: signedIn('The session of the cookie.'),
    204: Type.Null({ description: 'Nobody is signed in here.' }),
  },
  errors: { 403: OWN_PAGE },
});

export const endSessionSchema = publicRoutes.remove({
  tags,
  operationId: 'endSession',
  summary: 'Sign out',
  description: 'Deletes the cookie, even if its session has already ended.',
  security: [{ session: [] }, {}],
  response: { 204: Type.Null({ description: 'Signed out.' }) },
  errors: { 403: OWN_PAGE },
});

const sessions = sessionRoutes.resource({
  tags,
  called: 'session',
  within: noParameters,
  params: Type.Object({ id: Type.String() }),
  record: ListedSession,
  errors: {},
  shown: (description) => schemaRef(ListedSession, description),
});

export const listSessionsSchema = sessions.list(
  {
    operationId: 'listSessions',
    summary: 'List your sessions',
    answer: 'The sessions of the user, the most recently used first.',
  },
  'sessions',
);

export const endOtherSessionSchema = sessions.remove({
  operationId: 'endOtherSession',
  summary: 'Sign out elsewhere',
  answer: 'The session has ended.',
  errors: { 404: true },
});

export const endOtherSessionsSchema = sessionRoutes.remove({
  tags,
  operationId: 'endOtherSessions',
  summary: 'Sign out everywhere else',
  response: { 204: Type.Null({ description: 'All other sessions have ended.' }) },
});
