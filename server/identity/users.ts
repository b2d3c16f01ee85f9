import type { FastifyRequest } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import { FieldProblem, fieldsOf } from '../kernel/fields.ts';
import type { App, Server } from '../kernel/http/app.ts';
import { isUuid } from '../kernel/identifiers.ts';
import { preferredLanguage } from '../kernel/languages.ts';
import { Refusal } from '../kernel/refusal.ts';
import { readWhole, type ValuesOf } from '../kernel/takes.ts';
import type { TransactOnce } from '../kernel/writes/idempotency.ts';
import type { Accounts } from './accounts.ts';
import { clientNetwork } from './client-address.ts';
import {
  addKeySchema,
  listKeysSchema,
  meSchema,
  registerSchema,
  removeKeySchema,
  resendSchema,
  sharedSchemas,
  verifySchema,
} from './contract.ts';
import { authenticateDeveloper, type DeveloperReader, keeperOf, keyNeeded } from './developers.ts';
import { keyFields, registrationFields, subjectFields, verificationFields } from './fields.ts';
import { limitGuessing } from './limit-guessing.ts';
import { messages } from './messages.ts';
import type { UserStore } from './store.ts';

export interface UserParts {
  accounts: Accounts;
  store: UserStore;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Registration, verification, and a user's own record and keys: `/api/v1/users`. */
export function serveUsers(server: Server, parts: UserParts): void {
  const { accounts, store, readDeveloper, transactOnce, clock } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  const authenticate = authenticateDeveloper(server, readDeveloper);

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', limitGuessing(server));

      app.post('/register', { schema: registerSchema }, async (request, reply) => {
        const { email } = readWhole(registrationFields, fieldsOf(request.body));
        const registered = await accounts.register(email, languageOf(request), clock());
        return reply.code(201).header('cache-control', 'no-store').send(registered);
      });

      app.post('/verify', { schema: verifySchema }, async (request) => {
        const { code, ...subject } = readWhole(verificationFields, fieldsOf(request.body));
        const email = await emailMeant(request, subject);
        const attempt = { code, email, clientNetwork: clientNetwork(request.ip) };
        const { user_id, email: verified } = await accounts.verify(attempt, clock());
        return { user_id, email: verified, verified: true as const };
      });

      app.post('/verify/resend', { schema: resendSchema }, async (request, reply) => {
        const email = await emailMeant(request, readWhole(subjectFields, fieldsOf(request.body ?? {})));
        if (email === undefined) throw new FieldProblem('email', { kind: 'missing' });
        await accounts.resend(email, languageOf(request), clock());
        return reply.code(202).send({ status: 'accepted' });
      });
    },
    { prefix: '/api/v1/users' },
  );

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authenticate);

      app.get('', { schema: meSchema }, async ({ developer }) => {
        const user = await store.find(developer.userId);
        if (!user) throw keyNeeded();
        return user;
      });

      app.post('/keys', { schema: addKeySchema }, (request, reply) => {
        const { body, developer } = request;
        return transactOnce(request, reply, keeperOf(developer), async (through) => {
          const { name } = readWhole(keyFields, fieldsOf(body));
          const key = await accounts.addKey(through, developer.userId, name, clock());
          return { status: 201, body: key, secret: true };
        });
      });

      app.get('/keys', { schema: listKeysSchema }, async ({ developer }) => ({
        keys: await store.keys(developer.userId),
      }));

      app.delete('/keys/:id', { schema: removeKeySchema }, async ({ params, developer }, reply) => {
        const removed = isUuid(params.id) && (await store.removeKey(developer.userId, params.id));
        if (!removed) throw new Refusal(404, 'not_found', messages.noSuchKey);
        return reply.code(204).send(null);
      });
    },
    { prefix: '/api/v1/users/me' },
  );

  /**
   * Whom the body or the key is about; undefined when neither says. A user_id of nobody, and two that are not the
   * same user, mean an address that has no code: the answer is that of a wrong one.
   */
  async function emailMeant(
    request: FastifyRequest,
    { email, user_id: userId }: ValuesOf<typeof subjectFields>,
  ): Promise<string | undefined> {
    const meant: string[] = email ? [email.toLowerCase()] : [];
    const credential = request.headers['x-api-key'] === undefined ? 'none' : await readDeveloper(request);
    if (credential === 'unknown') throw keyNeeded();
    const ids = [userId, typeof credential === 'object' ? credential.userId : undefined];
    for (const id of ids) {
      if (id) meant.push((await store.emailOf(id))?.toLowerCase() ?? nobody(id));
    }
    return new Set(meant).size > 1 ? nobody(meant.join(' ')) : meant[0];
  }
}

/** No mail address: nothing is ever mailed to it, and no code is ever its own. */
function nobody(whom: string): string {
  return `nobody: ${whom}`;
}

function languageOf({ headers }: FastifyRequest) {
  return preferredLanguage(headers['accept-language'], 'en');
}
