import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import { readWhole, type ValuesOf } from '../kernel/field-types.ts';
import { FieldProblem, fieldsAmong, fieldsOf } from '../kernel/fields.ts';
import type { App, Server } from '../kernel/http/app.ts';
import { addressOf, networkOf } from '../kernel/http/client-address.ts';
import { preferredLanguage } from '../kernel/languages.ts';
import type { Accounts, CodeMailRequest, Subject } from './accounts.ts';
import { meSchema, registerSchema, resendSchema, sharedSchemas, verifySchema } from './contract.ts';
import {
  authenticateDeveloper,
  credentialRefusal,
  type DeveloperReader,
  keyNeededRefusal,
} from './developers.ts';
import { registrationFields, subjectFields, verificationFields } from './fields.ts';
import type { Origin } from './known-origins.ts';
import { limitGuessing } from './limit-guessing.ts';
import type { UserStore } from './store.ts';

export interface UserParts {
  accounts: Accounts;
  store: UserStore;
  readDeveloper: DeveloperReader;
  clock: Clock;
}

/** Routes for registration and verification, and for a user's own data: `/api/v1/users`. */
export function serveUsers(server: Server, parts: UserParts): void {
  const { accounts, store, readDeveloper, clock } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  const authenticate = authenticateDeveloper(server, readDeveloper);

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', limitGuessing(server));

      app.post('/register', { schema: registerSchema }, async (request, reply) => {
        const newcomer = readWhole(registrationFields, fieldsOf(request.body));
        const registered = await accounts.register(newcomer, codeMailRequestOf(request));
        return reply.code(201).header('cache-control', 'no-store').send(registered);
      });

      app.post('/verify', { schema: verifySchema }, async (request, reply) => {
        const { code, ...subject } = readWhole(verificationFields, fieldsOf(request.body));
        const whom = await subjectOf(request, reply, subject);
        const attempt = { code, ...whom, origin: originOf(request) };
        const { user_id, email: verified } = await accounts.verify(attempt, clock());
        return { user_id, email: verified, verified: true as const };
      });

      app.post('/verify/resend', { schema: resendSchema }, async (request, reply) => {
        const whom = await subjectOf(
          request,
          reply,
          readWhole(subjectFields, fieldsAmong(subjectFields, request.body ?? {})),
        );
        if (whom.email === undefined) throw new FieldProblem('email', { kind: 'missing' });
        await accounts.resend(whom.email, whom.accountId, codeMailRequestOf(request));
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
        const user = await store.find(developer.accountId);
        if (!user) throw keyNeededRefusal();
        const { user_id, email, verified, registered_at } = user;
        return { user_id, email, verified, registered_at };
      });
    },
    { prefix: '/api/v1/users/me' },
  );

  /**
   * Account that a request's body or API key names: a mail address and, with a key, one of its registrations; neither
   * if the request names none. An unknown user_id, or values that name different users, become an address that has no
   * code, so the response is the same as for a wrong code.
   */
  async function subjectOf(
    request: FastifyRequest,
    reply: FastifyReply,
    { email, user_id: userId }: ValuesOf<typeof subjectFields>,
  ): Promise<Subject> {
    const meant: string[] = email ? [email.toLowerCase()] : [];
    const hasKey = request.headers['x-api-key'] !== undefined;
    const credential = hasKey ? await readDeveloper(request, reply) : 'none';
    if (typeof credential === 'string' && credential !== 'none') throw credentialRefusal(credential);
    if (userId) meant.push((await store.emailOf(userId))?.toLowerCase() ?? unknownAddress(userId));
    const accountId = credential === 'none' ? undefined : credential.accountId;
    if (accountId)
      meant.push((await store.find(accountId))?.email.toLowerCase() ?? unknownAddress(accountId));
    return { email: new Set(meant).size > 1 ? unknownAddress(meant.join(' ')) : meant[0], accountId, userId };
  }

  function codeMailRequestOf(request: FastifyRequest): CodeMailRequest {
    const language = preferredLanguage(request.headers['accept-language'], 'en');
    return { at: clock(), from: addressOf(request), origin: originOf(request), language };
  }
}

/**
 * Network from which a developer's request came. The browser is undefined, because developers' programs send no
 * cookies.
 */
function originOf(request: FastifyRequest): Origin {
  return { network: networkOf(request), browser: undefined };
}

/** Text that stands for a mail address but is none: no mail is sent to it, and no code belongs to it. */
function unknownAddress(whom: string): string {
  return `nobody: ${whom}`;
}
