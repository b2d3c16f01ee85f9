import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import type { Config } from '../config.ts';
import type { App, LimitNetwork } from './app.ts';
import { type Document, freeBodies, nameParts } from './components.ts';
import { sessionCookie } from './cookies.ts';
import type { ErrorAnswers } from './error-answers.ts';
import { type PreparedText, prepareText, sendPrepared } from './prepared-text.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/**
 * Serves `/openapi.json`, made from the schemas of the routes; the console's page `/docs` shows it and lets people try
 * requests.
 */
export async function describeApi(
  app: App,
  config: Pick<Config, 'publicUrl'>,
  limitNetwork: LimitNetwork,
): Promise<void> {
  const errorsOf = new Map<string, ErrorAnswers>();
  const withOptionalBody = new Set<string>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Simcha',
        version,
        description: 'Plan the event, put its site online.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: config.publicUrl }],
      tags: [
        { name: 'events', description: 'An organizer’s events. Errors are in Hebrew.' },
        { name: 'guests', description: 'An event’s guests and their answers.' },
        { name: 'agenda', description: 'The schedule of an event.' },
        { name: 'rounds', description: 'Messages to guests, and their delivery.' },
        { name: 'rsvp', description: 'A guest’s own answer, behind their personal link.' },
        { name: 'vendors', description: 'The vendors an organizer works with.' },
        { name: 'bookings', description: 'Vendors booked for an event, its budget, and conflicts.' },
        { name: 'co-organizers', description: 'Sharing an event with other organizers.' },
        { name: 'checklist', description: 'Licences and approvals an event should have: advice, not law.' },
        {
          name: 'calendar',
          description: 'Hebrew dates, holidays and other special days, and a feed of your events.',
        },
        { name: 'history', description: 'Who changed what in an event, and when.' },
        { name: 'sign-in', description: 'Sign-in of organizers with a mailed code.' },
        { name: 'users', description: 'Registration, verification, API keys and access tokens.' },
        { name: 'webhooks', description: 'Signed messages to your servers about events and sites.' },
        { name: 'applications', description: 'Sites, their variables, keys and domains.' },
        { name: 'people', description: 'Sharing an application with other people, and its history.' },
        {
          name: 'deployments',
          description: 'Deploying, rolling back, stopping and starting a site; its logs.',
        },
        { name: 'previews', description: 'Sites of branches, beside an application’s main site.' },
        { name: 'volumes', description: 'Folders of a site that persist across releases.' },
        { name: 'runs', description: 'Commands of a site that run once: by hand or on a schedule.' },
        { name: 'operation', description: 'For the server’s operator.' },
      ],
      components: {
        securitySchemes: {
          organizer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'The token of a sign-in, an API key or an access token. `npm run token` prints a sign-in token for events.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie(config).name,
            description:
              'A browser that signed in with `POST /api/auth/session`, if the request has no other credential. Requests other than GET and HEAD need the header `X-CSRF-Token` and must come from a page of this server; otherwise the answer is a 403, `wrong_origin` or `csrf_token`. Loads by other pages are refused too.',
          },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description:
              'An API key or access token: `POST /api/v1/users/register` gives the first one, `POST /api/v1/users/me/tokens` others. An access token needs one of the scopes in the operation’s list, or `full`; an empty list: any token.',
          },
        },
      },
    },
    transform({ schema, url }) {
      if (schema.operationId && schema.errors) errorsOf.set(schema.operationId, schema.errors);
      if (schema.operationId && schema.isBodyOptional) withOptionalBody.add(schema.operationId);
      return { schema: withScopes(schema), url };
    },
    transformObject(described) {
      if (!('openapiObject' in described)) return described.swaggerObject;
      nameParts(described.openapiObject as Document, errorsOf);
      freeBodies(described.openapiObject as Document, withOptionalBody);
      return described.openapiObject;
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `schema-${i}`) },
  });
  // The API's description is made once, because routes don't change once the server listens.
  let prepared: Promise<PreparedText> | undefined;
  app.get('/openapi.json', { schema: { hide: true }, onRequest: limitNetwork }, async (request, reply) => {
    prepared ??= prepareText(JSON.stringify(app.swagger()), 'application/json; charset=utf-8');
    return sendPrepared(request, reply, await prepared);
  });
}

/**
 * Adds to the security requirement of API keys the scopes of access tokens that allow the operation (OpenAPI 3.1,
 * "Security Requirement Object": for types other than OAuth 2 the list has the names of roles).
 */
function withScopes<S extends FastifySchema>(schema: S): S {
  const security = schema.security?.map((one) =>
    'apiKey' in one ? { apiKey: [...(schema.scopes ?? ['full'])] } : one,
  );
  return { ...schema, ...(security && { security }) };
}
