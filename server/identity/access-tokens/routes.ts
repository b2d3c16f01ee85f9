import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import { authenticateDeveloper, type DeveloperReader, keyNeededRefusal, keyOwnerOf } from '../developers.ts';
import type { UserStore } from '../store.ts';
import {
  addTokenSchema,
  listTokensSchema,
  readCurrentSchema,
  removeCurrentSchema,
  removeTokenSchema,
  sharedSchemas,
} from './contract.ts';
import { tokenMessages } from './messages.ts';
import { readNewToken } from './new-token.ts';
import type { AccessToken, AccessTokenStore } from './store.ts';
import { recordRestricted, requireReadableSubject, type TokenSubjects } from './subjects.ts';

export interface AccessTokenParts {
  store: AccessTokenStore;
  users: Pick<UserStore, 'find'>;
  subjects: TokenSubjects;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Routes of a user's API keys and access tokens: `/api/v1/users/me/tokens`. */
export function serveAccessTokens(server: Server, parts: AccessTokenParts): void {
  const { store, readDeveloper, transactOnce, clock } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authenticateDeveloper(server, readDeveloper));

      app.post('', { schema: addTokenSchema }, async (request, reply) => {
        const { body, developer } = request;
        const now = clock();
        const wished = readNewToken(body, now, developer.grant);
        // The check reads by a connection of its own, so it is made before the transaction.
        await requireReadableSubject(parts, developer, wished);
        return transactOnce(request, reply, keyOwnerOf(developer), async (through) => {
          const token = await inTransaction(through, async (transaction) => {
            const added = await store.add(transaction, developer.accountId, wished, now);
            const changes = { scopes: { from: null, to: wished.scopes } };
            if (added)
              await recordRestricted(parts.subjects, transaction, request, added, {
                subject: added.name,
                changes,
              });
            return added;
          });
          if (!token) throw keyNeededRefusal();
          return { status: 201, body: token, secret: true };
        });
      });

      app.get('', { schema: listTokensSchema }, async ({ developer }) => ({
        tokens: await store.list(developer.accountId),
      }));

      app.get('/current', { schema: readCurrentSchema }, async ({ developer }) => {
        const { accountId, grant } = developer;
        const token = grant && (await store.find(accountId, grant.tokenId));
        if (!token) throw new Refusal(404, 'not_found', tokenMessages.notAToken);
        return token;
      });

      const record =
        (request: FastifyRequest) =>
        (transaction: Kysely<unknown>, token: AccessToken): Promise<void> =>
          recordRestricted(parts.subjects, transaction, request, token, { subject: token.name });

      app.delete('/current', { schema: removeCurrentSchema }, async (request, reply) => {
        const { accountId, grant } = request.developer;
        const removed = grant && (await store.remove(accountId, grant.tokenId, record(request)));
        if (!removed) throw new Refusal(404, 'not_found', tokenMessages.notAToken);
        return reply.code(204).send(null);
      });

      app.delete('/:id', { schema: removeTokenSchema }, async (request, reply) => {
        const { params, developer } = request;
        const token = await store.findNamed(developer.accountId, params.id);
        const removed = token && (await store.remove(developer.accountId, token.id, record(request)));
        if (!removed) throw new Refusal(404, 'not_found', tokenMessages.noSuchToken);
        return reply.code(204).send(null);
      });
    },
    { prefix: '/api/v1/users/me/tokens' },
  );
}
