import type { IncomingHttpHeaders } from 'node:http';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { networkOf } from '../../kernel/http/client-address.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { noSuchApplication } from '../applications/access.ts';
import { messages as applicationMessages } from '../applications/messages.ts';
import { isBranch } from '../applications/repository.ts';
import type { Application, ApplicationStore, EnvironmentName } from '../applications/store.ts';
import type { PreviewStore } from '../previews/store.ts';
import { type Delivery, deliverySchema } from './contract.ts';
import { type DeliveryResult, type Ignored, readDelivery } from './delivery.ts';
import { messages } from './messages.ts';
import { deliveryDigest, isSigned } from './signature.ts';

export interface HookParts {
  applications: Pick<ApplicationStore, 'hookSecret' | 'find' | 'ownerIsVerified' | 'oncePerDelivery'>;
  previews: Pick<PreviewStore, 'ofBranch' | 'open' | 'remove'>;
  requestDeployment(environment: EnvironmentName, through: Kysely<unknown>): Promise<unknown>;
  clock: Clock;
}

type Done =
  /** Answer of a push hook. `preview`: name of the preview concerned; null for production. */
  { status: 'deploying' | 'removed'; preview: string | null } | { status: 'ignored'; why: Ignored };

const ignored = (why: Ignored): Done => ({ status: 'ignored', why });

/** Serves push hooks: deliveries of GitHub, GitLab, Gitea and Forgejo to `/api/v1/hooks/{uuid}`. */
export function serveHooks(
  server: Server,
  { applications, previews, requestDeployment, clock }: HookParts,
): void {
  /** Carries out what a webhook delivery reports, within the transaction that records the delivery. */
  const follow = async (
    application: Application,
    isVerified: boolean,
    change: DeliveryResult,
    transaction: Kysely<unknown>,
  ): Promise<Done> => {
    const { application_uuid: id, branch: own, previews: mode } = application;
    const { what, branch } = change;
    const deploy = async (environment: EnvironmentName, preview: string | null): Promise<Done> => {
      if (!isVerified) throw new Refusal(403, 'unverified', applicationMessages.ownerUnverified);
      await requestDeployment(environment, transaction);
      return { status: 'deploying', preview };
    };
    const deployPreview = async (pullRequest: number | null): Promise<Done> => {
      const { preview } = await previews.open(application, { branch, pullRequest }, clock(), transaction);
      return deploy(preview, preview.name);
    };

    if (what === 'pushed' && (own === null ? change.isDefault : own === branch))
      return change.skipsCi ? ignored('skip_ci') : deploy(application, null);
    if (!isBranch(branch)) return ignored('other_branch');
    const known = await previews.ofBranch(id, branch, transaction);
    switch (what) {
      case 'pushed': {
        // Previews of pull requests ignore pushes, because a pull request event reports the same commits.
        const follows = mode === 'branches' || (known && known.pull_request === null);
        if (!follows) return ignored('other_branch');
        return change.skipsCi ? ignored('skip_ci') : deployPreview(null);
      }
      case 'proposed':
        return mode === 'pull_requests' ? deployPreview(change.pullRequest) : ignored('previews_off');
      case 'settled':
      case 'deleted': {
        if (!known || (what === 'settled' && known.pull_request !== change.pullRequest))
          return ignored('no_preview');
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
      // Bodies are kept as bytes and parsed after the signature check, because the signature covers the bytes.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

      app.post('/:uuid', { schema: deliverySchema }, async ({ params, headers, body }, reply) => {
        const { uuid } = params;
        const secret = isUuid(uuid) ? await applications.hookSecret(uuid) : undefined;
        if (secret === undefined) throw noSuchApplication();
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        if (!isSigned(headers, bytes, secret))
          throw new Refusal(401, 'unsigned', applicationMessages.hookUnsigned);
        const change = readDelivery(headers, parse(headers, bytes));
        if (change.what === 'nothing') return reply.code(202).send(present(ignored(change.why), headers));
        const application = await applications.find(uuid);
        if (!application) throw noSuchApplication();
        if (application.repository === null)
          return reply.code(202).send(present(ignored('no_repository'), headers));
        const isVerified = await applications.ownerIsVerified(uuid);
        let done = ignored('replayed');
        await applications.oncePerDelivery(uuid, deliveryDigest(headers, bytes), clock(), async (through) => {
          done = await follow(application, isVerified, change, through);
        });
        return reply.code(202).send(present(done, headers));
      });
    },
    { prefix: '/api/v1/hooks' },
  );
}

function present(done: Done, headers: IncomingHttpHeaders): Delivery {
  if (done.status !== 'ignored') return { ...done, reason: null, message: null };
  const message = messages.ignored[done.why][preferredLanguage(headers['accept-language'])];
  return { status: 'ignored', preview: null, reason: done.why, message };
}

/** Parses the payload: JSON, or a form with JSON in the field `payload`, which is GitHub's default. */
function parse(headers: IncomingHttpHeaders, bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
  try {
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
  } catch {
    throw new Refusal(400, 'malformed_json', applicationMessages.hookBody);
  }
}
