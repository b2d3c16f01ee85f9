import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { addressOf, networkOf } from '../../kernel/http/client-address.ts';
import { limitGuessing } from '../limit-guessing.ts';
import { authenticateSession } from '../sessions/authenticate.ts';
import type { SessionReader } from '../sessions/reader.ts';
import { signedInUser, type UserStore } from '../store.ts';
import { decideSchema, findSchema, pollSchema, startSchema } from './contract.ts';
import type { Confirmer, DeviceLogins } from './device-logins.ts';
import { decisionFields, deviceFields, pollFields, userCodeFields } from './fields.ts';
import { INTERVAL_SECONDS, LIFETIME_SECONDS } from './store.ts';

export interface DeviceLoginRouteParts {
  logins: DeviceLogins;
  users: Pick<UserStore, 'find'>;
  readSession: SessionReader;
  publicUrl: string;
  clock: Clock;
}

/** Routes by which a device without a browser signs in, and its user confirms it: `/api/auth/device`. */
export function serveDeviceLogin(server: Server, parts: DeviceLoginRouteParts): void {
  const { logins, users, readSession, publicUrl, clock } = parts;
  const prefix = '/api/auth/device';

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', limitGuessing(server));

      app.post('', { schema: startSchema }, async (request, reply) => {
        const { client, scopes } = readWhole(deviceFields, fieldsAmong(deviceFields, request.body));
        const device = { client, scopes, address: addressOf(request), network: networkOf(request) };
        const codes = await logins.start(device, clock());
        const page = `${publicUrl}/device`;
        reply.header('cache-control', 'no-store');
        return {
          ...codes,
          verification_uri: page,
          verification_uri_complete: `${page}?code=${codes.user_code}`,
          expires_in: LIFETIME_SECONDS,
          interval: INTERVAL_SECONDS,
        };
      });
    },
    { prefix },
  );

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      // Polls are not limited like guesses of a secret: a device polls more often, and nobody can guess its code of 256
      // bits.
      app.addHook('onRequest', (request, reply) =>
        server.limit(request, reply, `address:${networkOf(request)}`),
      );

      app.post('/token', { schema: pollSchema }, async ({ body }, reply) => {
        const { device_code: code } = readWhole(pollFields, fieldsAmong(pollFields, body));
        const { accountId, token: made } = await logins.poll(code, clock());
        const user = await users.find(accountId);
        if (!user) throw new Error('the user of a new token is not there');
        const { token, ...access_token } = made;
        reply.header('cache-control', 'no-store');
        return { token, access_token, user: signedInUser(user) };
      });
    },
    { prefix },
  );

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authenticateSession(server, readSession));

      app.post('/find', { schema: findSchema }, async (request) => {
        const { user_code: code } = readWhole(userCodeFields, fieldsAmong(userCodeFields, request.body));
        const { network, ...device } = await logins.find(code, confirmerOf(request), clock());
        return { ...device, same_network: network === networkOf(request) };
      });

      app.post('/decision', { schema: decideSchema }, async (request, reply) => {
        const { user_code, allow } = readWhole(decisionFields, fieldsAmong(decisionFields, request.body));
        await logins.decide(user_code, allow, confirmerOf(request), clock());
        return reply.code(204).send(null);
      });
    },
    { prefix },
  );
}

function confirmerOf(request: FastifyRequest): Confirmer {
  return { accountId: request.bySession.user.account_id, network: networkOf(request) };
}
