import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import type { Config } from '../config.ts';
import type { App, LimitNetwork } from './app.ts';
import { type Document, nameParts } from './components.ts';
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
        { name: 'agenda', description: 'What happens when at an event.' },
        { name: 'rounds', description: 'What guests are told by mail, and what became of it.' },
        { name: 'rsvp', description: 'What a guest’s personal link opens.' },
        { name: 'vendors', description: 'The vendors an organizer works with.' },
        { name: 'bookings', description: 'Vendors booked for an event, its budget, and what does not fit.' },
        { name: 'co-organizers', description: 'Sharing an event with other organizers.' },
        { name: 'checklist', description: 'Licences and approvals an event should have: advice, not law.' },
        { name: 'calendar', description: 'The Hebrew date, days to know of, and a feed of one’s events.' },
        { name: 'history', description: 'Who changed what in an event, and when.' },
        { name: 'sign-in', description: 'An organizer’s way in, by a mailed code.' },
        { name: 'users', description: 'Registration, verification and API keys.' },
        { name: 'applications', description: 'Sites, their variables, keys and domains.' },
        { name: 'deployments', description: 'Bringing a site online, back, down and up; its logs.' },
        { name: 'previews', description: 'Sites of branches, beside an application’s own.' },
        { name: 'volumes', description: 'Folders of a site that outlive its releases.' },
        { name: 'runs', description: 'Commands of a site that run once: by hand, and at their times.' },
        { name: 'operation', description: 'For whoever runs the server.' },
      ],
      components: {
        securitySchemes: {
          organizer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'An organizer’s token; `npm run token` prints one.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie(config).name,
            description:
              'A browser that signed in by `POST /api/auth/session`, where no other credential comes along. Whatever is not read (GET, HEAD) goes with the header `X-CSRF-Token`, from a page of this server: else it is a 403, `wrong_origin` or `csrf_token`. So is what another page loads.',
          },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'An API key: `POST /api/v1/users/register` gives the first one.',
          },
        },
      },
    },
    transform({ schema, url }) {
      if (schema.operationId && schema.errors) errorsOf.set(schema.operationId, schema.errors);
      return { schema, url };
    },
    transformObject(described) {
      if (!('openapiObject' in described)) return described.swaggerObject;
      nameParts(described.openapiObject as Document, errorsOf);
      return described.openapiObject;
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `schema-${i}`) },
  });
  // Routes don't change once the server listens.
  let prepared: Promise<PreparedText> | undefined;
  app.get('/openapi.json', { schema: { hide: true }, onRequest: limitNetwork }, async (request, reply) => {
    prepared ??= prepareText(JSON.stringify(app.swagger()), 'application/json; charset=utf-8');
    return sendPrepared(request, reply, await prepared);
  });
}
