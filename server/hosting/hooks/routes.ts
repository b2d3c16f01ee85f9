import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { networkOf } from '../../kernel/http/client-address.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { noSuchApplication } from '../applications/access.ts';
import { messages } from '../applications/messages.ts';
import { isBranch } from '../applications/repository.ts';
import type { Application, ApplicationStore, EnvironmentName } from '../applications/store.ts';
import type { PreviewStore } from '../previews/store.ts';
import { deliverySchema } from './contract.ts';
import { type Told, toldBy } from './delivery.ts';
import { deliveryDigest, isSigned } from './signature.ts';

export interface HookParts {
  applications: Pick<ApplicationStore, 'hookSecret' | 'find' | 'ownerIsVerified' | 'oncePerDelivery'>;
  previews: Pick<PreviewStore, 'ofBranch' | 'open' | 'remove'>;
  requestDeployment(environment: EnvironmentName, through: Kysely<unknown>): Promise<unknown>;
  clock: Clock;
}

interface Done {
  status: 'deploying' | 'removed' | 'ignored';
  /** The name of the preview it is about. */
  preview: string | null;
}

const IGNORED: Done = { status: 'ignored', preview: null };

/** Push to deploy: what GitHub, GitLab, Gitea and Forgejo deliver to `/api/v1/hooks/{uuid}`. */
export function serveHooks(
  server: Server,
  { applications, previews, requestDeployment, clock }: HookParts,
): void {
  /** What a delivery comes to, in its transaction. */
  const follow = async (
    application: Application,
    isVerified: boolean,
    told: Told,
    transaction: Kysely<unknown>,
  ): Promise<Done> => {
    const { application_uuid: id, branch: own, previews: mode } = application;
    const { what, branch } = told;
    const deploy = async (environment: EnvironmentName, preview: string | null): Promise<Done> => {
      if (!isVerified) throw new Refusal(403, 'unverified', messages.ownerUnverified);
      await requestDeployment(environment, transaction);
      return { status: 'deploying', preview };
    };
    const deployPreview = async (pullRequest: number | null): Promise<Done> => {
      const { preview } = await previews.open(application, { branch, pullRequest }, clock(), transaction);
      return deploy(preview, preview.name);
    };

    if (what === 'pushed' && (own === null ? told.isDefault : own === branch))
      return deploy(application, null);
    if (!isBranch(branch)) return IGNORED;
    const known = await previews.ofBranch(id, branch, transaction);
    switch (what) {
      case 'pushed': {
        // A pull request's commits are told of it as well.
        const follows = mode === 'branches' || (known && known.pull_request === null);
        return follows ? deployPreview(null) : IGNORED;
      }
      case 'proposed':
        return mode === 'pull_requests' ? deployPreview(told.pullRequest) : IGNORED;
      case 'settled':
      case 'deleted': {
        if (!known || (what === 'settled' && known.pull_request !== told.pullRequest)) return IGNORED;
        await previews.remove(known.environment_id, transaction);
        return { status: 'removed', preview: known.name };
      }
    }
  };

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', async (request, reply) => {
        await server.limit(request, reply, `hook:${networkOf(request)}`);
      });
      // The signature is over the bytes, so that they are taken as they come and read after it is checked.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

      app.post('/:uuid', { schema: deliverySchema }, async ({ params, headers, body }, reply) => {
        const { uuid } = params;
        const secret = isUuid(uuid) ? await applications.hookSecret(uuid) : undefined;
        if (secret === undefined) throw noSuchApplication();
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        if (!isSigned(headers, bytes, secret)) throw new Refusal(401, 'unsigned', messages.hookUnsigned);
        const told = toldBy(headers, parse(bytes));
        const application = told && (await applications.find(uuid));
        let done = IGNORED;
        if (application) {
          const isVerified = await applications.ownerIsVerified(uuid);
          await applications.oncePerDelivery(
            uuid,
            deliveryDigest(headers, bytes),
            clock(),
            async (through) => {
              done = await follow(application, isVerified, told, through);
            },
          );
        }
        return reply.code(202).send(done);
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
