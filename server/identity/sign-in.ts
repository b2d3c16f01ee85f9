import type { Clock } from '../kernel/clock.ts';
import { readWhole } from '../kernel/field-types.ts';
import { fieldsOf } from '../kernel/fields.ts';
import type { App, Server } from '../kernel/http/app.ts';
import { addressOf } from '../kernel/http/client-address.ts';
import { preferredLanguage } from '../kernel/languages.ts';
import type { Accounts } from './accounts.ts';
import type { CodeRequests } from './code-requests.ts';
import { askToSignInSchema, signInSchema } from './contract.ts';
import { addressFields, signInFields } from './fields.ts';
import { limitGuessing } from './limit-guessing.ts';
import { signedInUser } from './store.ts';
import { signToken } from './tokens.ts';

const TOKEN_LIFETIME = '12h';

export interface SignInParts {
  accounts: Accounts;
  requests: CodeRequests;
  secret: string;
  clock: Clock;
}

/** Routes by which organizers sign in with a mailed code: `/api/auth`. */
export function serveSignIn(server: Server, { accounts, requests, secret, clock }: SignInParts): void {
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', limitGuessing(server));

      app.post('/code', { schema: askToSignInSchema }, async (request, reply) => {
        const { body, headers } = request;
        const language = preferredLanguage(headers['accept-language'], 'he');
        const { email } = readWhole(addressFields, fieldsOf(body));
        const { handle, cookie } = requests.handleFor(request);
        const asked = { at: clock(), from: addressOf(request), origin: requests.originOf(request), language };
        await accounts.askToSignIn(email, handle, asked);
        reply.headers({ 'cache-control': 'no-store', 'set-cookie': cookie });
        return reply.code(202).send({ status: 'accepted', request_id: handle });
      });

      app.post('/token', { schema: signInSchema }, async (request, reply) => {
        const attempt = requests.signInOf(request, readWhole(signInFields, fieldsOf(request.body)));
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
