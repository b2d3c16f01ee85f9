import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { addressOf, networkOf } from '../../kernel/http/client-address.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { noSuchApplication } from '../applications/access.ts';
import { messages as applicationMessages } from '../applications/messages.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { type Delivery, deliverySchema } from './contract.ts';
import type { HookDeliveries } from './deliveries.ts';
import { readDelivery } from './delivery.ts';
import { explain } from './messages.ts';
import { type DeliveryOutcome, ignored, type PushReports } from './push-reports.ts';
import { deliveryDigest, isSigned } from './signature.ts';

export interface HookParts {
  applications: Pick<ApplicationStore, 'hookSecret' | 'find' | 'ownerIsVerified' | 'oncePerDelivery'>;
  deliveries: Pick<HookDeliveries, 'note' | 'find'>;
  reports: PushReports;
  clock: Clock;
}

/**
 * Longest time that an answer waits for the comparison with the watch paths; the repository's host then shows its
 * result. GitHub gives an answer 10 s.
 */
const LONGEST_WAIT_MS = 5_000;
const LOOK_MS = 150;

/** Serves push hooks: deliveries of GitHub, GitLab, Gitea and Forgejo to `/api/v1/hooks/{uuid}`. */
export function serveHooks(server: Server, { applications, deliveries, reports, clock }: HookParts): void {
  /** Result of a delivery once its changes were compared, or as it is after a while. */
  const untilChecked = async (
    deliveryId: string,
    result: DeliveryOutcome,
    connection: { destroyed: boolean },
  ): Promise<DeliveryOutcome> => {
    const deadline = performance.now() + LONGEST_WAIT_MS;
    while (!connection.destroyed && performance.now() < deadline) {
      await sleep(LOOK_MS);
      const row = await deliveries.find(deliveryId);
      if (row && row.status !== 'checking') return row;
    }
    return result;
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

      app.post('/:uuid', { schema: deliverySchema }, async (request, reply) => {
        const { headers, body } = request;
        const { uuid } = request.params;
        const secret = isUuid(uuid) ? await applications.hookSecret(uuid) : undefined;
        if (secret === undefined) throw noSuchApplication();
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        if (!isSigned(headers, bytes, secret))
          throw new Refusal(401, 'unsigned', applicationMessages.hookUnsigned);
        const change = readDelivery(headers, parse(headers, bytes));
        const application = await applications.find(uuid);
        if (!application) throw noSuchApplication();
        if (application.repository === null && change.what !== 'nothing')
          return reply.code(202).send(present(ignored('no_repository'), headers));
        const isVerified = await applications.ownerIsVerified(uuid);
        let result = change.what === 'nothing' ? ignored(change.why) : ignored('replayed');
        const address = addressOf(request);
        let waitsFor: string | undefined;
        const follow = async (through: Kysely<unknown>, deliveryId: string) => {
          if (change.what !== 'nothing')
            result = await reports.carryOut({ application, isVerified, address, change }, through);
          if (result.status === 'checking') waitsFor = deliveryId;
          const branch = change.what === 'nothing' ? null : toStorableText(change.branch);
          await deliveries.note(through, deliveryId, { ...result, branch });
        };
        await applications.oncePerDelivery(uuid, deliveryDigest(headers, bytes), clock(), follow);
        const shown =
          waitsFor === undefined ? result : await untilChecked(waitsFor, result, request.raw.socket);
        return reply.code(202).send(present(shown, headers));
      });
    },
    { prefix: '/api/v1/hooks' },
  );
}

function present({ status, preview, reason }: DeliveryOutcome, headers: IncomingHttpHeaders): Delivery {
  const message = explain({ status, reason }, preferredLanguage(headers['accept-language']));
  return { status, preview, reason, message };
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
