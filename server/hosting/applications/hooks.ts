import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { noSuchApplication } from './access.ts';
import { deliverySchema } from './contract.ts';
import { messages } from './messages.ts';
import { deliveryDigest, isDefaultBranch, isSigned, pushedBranch } from './push.ts';
import type { ApplicationStore, EnvironmentName } from './store.ts';

export interface HookParts {
  store: Pick<ApplicationStore, 'hook' | 'find' | 'ownerIsVerified' | 'oncePerDelivery'>;
  requestDeployment(environment: EnvironmentName, through: Kysely<unknown>): Promise<unknown>;
  clock: Clock;
}

/** Push to deploy: what GitHub, GitLab, Gitea and Forgejo deliver to `/api/v1/hooks/{uuid}`. */
export function servePushHooks(server: Server, { store, requestDeployment, clock }: HookParts): void {
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', async (request, reply) => {
        await server.limit(request, reply, `hook:${request.ip}`);
      });
      // The signature is over the bytes, so that they are taken as they come and read after it is checked.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

      app.post('/:uuid', { schema: deliverySchema }, async ({ params, headers, body }, reply) => {
        const { uuid } = params;
        const hook = isUuid(uuid) ? await store.hook(uuid) : undefined;
        if (!hook) throw noSuchApplication();
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        if (!isSigned(headers, bytes, hook.secret)) throw new Refusal(401, 'unsigned', messages.hookUnsigned);
        const payload = parse(bytes);
        const pushed = pushedBranch(headers, payload);
        const concerns =
          hook.branch === null && pushed !== undefined
            ? isDefaultBranch(payload, pushed)
            : pushed === hook.branch;
        if (pushed === undefined || !concerns) return reply.code(202).send({ status: 'ignored' });
        if (!(await store.ownerIsVerified(hook.id))) {
          throw new Refusal(403, 'unverified', messages.ownerUnverified);
        }
        const application = await store.find(hook.id);
        if (!application) throw noSuchApplication();
        const isNew = await store.oncePerDelivery(
          hook.id,
          deliveryDigest(headers, bytes),
          clock(),
          (transaction) => requestDeployment(application, transaction),
        );
        return reply.code(202).send({ status: isNew ? 'deploying' : 'ignored' });
      });
    },
    { prefix: '/api/v1/hooks' },
  );
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refusal(400, 'malformed_json', messages.hookBody);
  }
}
