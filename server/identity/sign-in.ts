import type { Clock } from '../kernel/clock.ts';
import { fieldsOf } from '../kernel/fields.ts';
import type { App, Server } from '../kernel/http/app.ts';
import { preferredLanguage } from '../kernel/languages.ts';
import { readWhole } from '../kernel/takes.ts';
import type { Accounts } from './accounts.ts';
import { clientAddress, clientNetwork } from './client-address.ts';
import { askToSignInSchema, signInSchema } from './contract.ts';
import { addressFields, signInFields } from './fields.ts';
import { limitGuessing } from './limit-guessing.ts';
import { signedInUser } from './store.ts';
import { signToken } from './tokens.ts';

const TOKEN_LIFETIME = '12h';

export interface SignInParts {
  accounts: Accounts;
  secret: string;
  clock: Clock;
}

/** An organizer's way in, by a mailed code: `/api/auth`. */
export function serveSignIn(server: Server, { accounts, secret, clock }: SignInParts): void {
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', limitGuessing(server));

      app.post('/code', { schema: askToSignInSchema }, async ({ body, headers, ip }, reply) => {
        const language = preferredLanguage(headers['accept-language'], 'he');
        const { email } = readWhole(addressFields, fieldsOf(body));
        await accounts.askToSignIn(email, { at: clock(), from: clientAddress(ip), language });
        return reply.code(202).send({ status: 'accepted' });
      });

      app.post('/token', { schema: signInSchema }, async ({ body, ip }, reply) => {
        const attempt = { ...readWhole(signInFields, fieldsOf(body)), clientNetwork: clientNetwork(ip) };
        const user = await accounts.signIn(attempt, clock(), async (_, found) => signedInUser(found));
        const token = await signToken(
          secret,
          { id: user.user_id, role: user.role, email: user.email },
          TOKEN_LIFETIME,
        );
        reply.header('cache-control', 'no-store');
        return { token, user };
      });
    },
    { prefix: '/api/auth' },
  );
}
