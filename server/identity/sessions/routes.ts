import type { FastifyRequest } from 'fastify';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { addressOf, networkOf } from '../../kernel/http/client-address.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { acceptedLanguage } from '../../kernel/languages.ts';
import { toSingleLine } from '../../kernel/one-line.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Accounts } from '../accounts.ts';
import type { CodeRequests } from '../code-requests.ts';
import { signInFields } from '../fields.ts';
import { limitGuessing } from '../limit-guessing.ts';
import { identityMessages } from '../messages.ts';
import { noteLanguage } from '../notifications/store.ts';
import { isOperator } from '../operators.ts';
import { signedInUser } from '../store.ts';
import { authenticateSession, readAndCount } from './authenticate.ts';
import {
  endOtherSessionSchema,
  endOtherSessionsSchema,
  endSessionSchema,
  listSessionsSchema,
  readSessionSchema,
  sharedSchemas,
  startSessionSchema,
} from './contract.ts';
import { LONGEST_HOURS } from './lifetime.ts';
import { isFromOwnPage, wrongOrigin } from './own-page.ts';
import { keepForOwnPage, type ReaderParts, type SessionReader, sessionTokenOf } from './reader.ts';
import { newToken } from './secrets.ts';
import type { ActiveSession } from './store.ts';

export interface SessionParts extends ReaderParts {
  accounts: Accounts;
  requests: CodeRequests;
  readSession: SessionReader;
  /** Mail addresses of the operators, in lower case. */
  operators: readonly string[];
}

const PREFIX = '/api/auth';
const LONGEST_USER_AGENT = 300;
/**
 * Lifetime of the session's cookie, longer than any session: the server decides how long a session lives, and extends
 * it with use.
 */
const COOKIE_SECONDS = LONGEST_HOURS * 3_600;

/** Sign-in and sign-out for browsers, by a mailed code: `/api/auth/session`, `/api/auth/sessions`. */
export function serveSessions(server: Server, parts: SessionParts): void {
  const { accounts, requests, store, cookie, csrfTokenOf, readSession, https, clock, operators } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  const shown = ({ session, user }: ActiveSession) => ({
    user: signedInUser(user),
    session,
    operator: isOperator(operators, user),
    csrf_token: csrfTokenOf(session.id),
  });
  // Requests without a valid session are also checked for the page that sent them: a page of another site must neither
  // sign a user in as another person, nor sign a user out.
  const fromOwnPage = async (request: FastifyRequest) => {
    if (!isFromOwnPage(request, { https })) throw wrongOrigin();
  };

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', limitGuessing(server));
      app.addHook('onRequest', fromOwnPage);

      app.post('/session', { schema: startSessionSchema }, async (request, reply) => {
        const { body } = request;
        const attempt = requests.signInOf(request, readWhole(signInFields, fieldsAmong(signInFields, body)));
        const token = newToken();
        const before = sessionTokenOf(request, cookie);
        const now = clock();
        const started = await accounts.signIn(attempt, now, async (transaction, user) => {
          if (before !== undefined) await store.endOf(transaction, before);
          const browser = { token, userAgent: userAgentOf(request), address: addressOf(request) };
          const session = await store.start(transaction, user.account_id, browser, now);
          const language = acceptedLanguage(request.headers['accept-language']);
          if (language) await noteLanguage(transaction, user.account_id, language);
          return { session, user };
        });
        keepForOwnPage(reply);
        return reply
          .code(201)
          .header('set-cookie', cookie.setHeader(token, COOKIE_SECONDS))
          .send(shown(started));
      });
    },
    { prefix: PREFIX },
  );

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', (request, reply) =>
        server.limit(request, reply, `address:${networkOf(request)}`),
      );
      app.addHook('onRequest', fromOwnPage);

      app.delete('/session', { schema: endSessionSchema }, async (request, reply) => {
        const found = await readSession(request, reply);
        if (found) await store.end(found.user.account_id, found.session.id);
        return reply.code(204).header('set-cookie', cookie.clearHeader).send(null);
      });
    },
    { prefix: PREFIX },
  );

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);

      // The response is a 204 and no error if nobody is signed in: a page requests this route to find that out.
      app.get('/session', { schema: readSessionSchema }, async (request, reply) => {
        const found = await readAndCount(server, readSession, request, reply);
        reply.header('cache-control', 'no-store');
        return found ? shown(found) : reply.code(204).send(null);
      });
    },
    { prefix: PREFIX },
  );

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authenticateSession(server, readSession));

      app.get('/sessions', { schema: listSessionsSchema }, async ({ bySession: { session, user } }) => {
        const all = await store.list(user.account_id, clock());
        return { sessions: all.map((one) => ({ ...one, current: one.id === session.id })) };
      });

      app.delete('/sessions', { schema: endOtherSessionsSchema }, async ({ bySession }, reply) => {
        await store.endOthers(bySession.user.account_id, bySession.session.id);
        return reply.code(204).send(null);
      });

      app.delete('/sessions/:id', { schema: endOtherSessionSchema }, async (request, reply) => {
        const { params, bySession } = request;
        const { session, user } = bySession;
        const ended = isUuid(params.id) && (await store.end(user.account_id, params.id));
        if (!ended) throw new Refusal(404, 'not_found', identityMessages.noSuchSession);
        if (params.id.toLowerCase() === session.id) reply.header('set-cookie', cookie.clearHeader);
        return reply.code(204).send(null);
      });
    },
    { prefix: PREFIX },
  );
}

function userAgentOf({ headers }: FastifyRequest): string | null {
  return (
    toSingleLine(headers['user-agent'] ?? '')
      .slice(0, LONGEST_USER_AGENT)
      .trim() || null
  );
}
