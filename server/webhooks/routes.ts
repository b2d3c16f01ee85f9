import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import {
  recordRestricted,
  requireReadableSubject,
  type TokenSubjects,
} from '../identity/access-tokens/subjects.ts';
import {
  authenticateDeveloper,
  type DeveloperReader,
  keyNeededRefusal,
  keyOwnerOf,
} from '../identity/developers.ts';
import type { UserStore } from '../identity/store.ts';
import type { Clock } from '../kernel/clock.ts';
import { inTransaction } from '../kernel/database/transaction.ts';
import { readWhole } from '../kernel/field-types.ts';
import { fieldsAmong } from '../kernel/fields.ts';
import type { App, Server } from '../kernel/http/app.ts';
import { newId } from '../kernel/identifiers.ts';
import { addPage, readPage } from '../kernel/paging.ts';
import { readQuery } from '../kernel/query-types.ts';
import { Refusal } from '../kernel/refusal.ts';
import { changesBetween, type FieldChanges } from '../kernel/writes/history.ts';
import type { TransactOnce } from '../kernel/writes/idempotency.ts';
import {
  createWebhookSchema,
  listDeliveriesSchema,
  listWebhooksSchema,
  readDeliverySchema,
  readWebhookSchema,
  removeWebhookSchema,
  replayDeliverySchema,
  replayFailedSchema,
  rotateSecretSchema,
  sharedSchemas,
  testWebhookSchema,
  updateWebhookSchema,
  type Webhook,
  type WebhookDelivery,
} from './contract.ts';
import {
  addTest,
  findDelivery,
  findMessage,
  listDeliveries,
  replayDelivery,
  replayFailed,
} from './delivery-store.ts';
import { payloadOf, type WebhookDispatcher } from './dispatcher.ts';
import type { EndpointStore } from './endpoint-store.ts';
import {
  deliveryFilter,
  readEndpointChanges,
  readNewEndpoint,
  replayFields,
  type UrlPolicy,
} from './fields.ts';
import { TEST_KIND } from './kinds.ts';
import { webhookMessages } from './messages.ts';

export interface WebhookRouteParts {
  db: Kysely<unknown>;
  endpoints: EndpointStore;
  dispatcher: Pick<WebhookDispatcher, 'send' | 'dataFor'>;
  policy: UrlPolicy;
  users: Pick<UserStore, 'find'>;
  subjects: TokenSubjects;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Routes of a user's webhooks: `/api/v1/users/me/webhooks`. */
export function serveWebhooks(server: Server, parts: WebhookRouteParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authenticateDeveloper(server, parts.readDeveloper));
      serveEndpoints(app, parts);
      serveSecretAndTest(app, server, parts);
      serveDeliveries(app, parts);
    },
    { prefix: '/api/v1/users/me/webhooks' },
  );
}

function serveEndpoints(app: App, parts: WebhookRouteParts): void {
  const { db, endpoints, policy, transactOnce, clock } = parts;
  const record = recorder(parts);

  app.get('', { schema: listWebhooksSchema }, async ({ developer }) => ({
    webhooks: await endpoints.list(developer.accountId),
  }));

  app.post('', { schema: createWebhookSchema }, async (request, reply) => {
    const { body, developer } = request;
    if (!developer.verified) throw new Refusal(403, 'unverified', webhookMessages.unverified);
    const requested = readNewEndpoint(body, policy);
    await requireReadableSubject(parts, developer, requested);
    return transactOnce(request, reply, keyOwnerOf(developer), async (through) => {
      const webhook = await inTransaction(through, async (transaction) => {
        const added = await endpoints.add(transaction, developer.accountId, requested, clock());
        if (added) await record(transaction, request, added, { kinds: { from: null, to: added.kinds } });
        return added;
      });
      if (!webhook) throw keyNeededRefusal();
      return { status: 201, body: webhook, secret: true };
    });
  });

  app.get('/:webhook', { schema: readWebhookSchema }, (request) => ownWebhook(endpoints, request));

  app.patch('/:webhook', { schema: updateWebhookSchema }, async (request) => {
    const webhook = await ownWebhook(endpoints, request);
    const changes = readEndpointChanges(request.body, policy, webhook);
    return inTransaction(db, async (transaction) => {
      const changed = await endpoints.change(webhook.id, changes, clock(), transaction);
      if (!changed) return refuseUnknown();
      await record(transaction, request, changed, endpointChanges(webhook, changed));
      return changed;
    });
  });

  app.delete('/:webhook', { schema: removeWebhookSchema }, async (request, reply) => {
    const { id } = await ownWebhook(endpoints, request);
    await inTransaction(db, async (transaction) => {
      const removed = await endpoints.remove(transaction, request.developer.accountId, id);
      await record(transaction, request, removed ?? refuseUnknown());
    });
    return reply.code(204).send(null);
  });
}

/** Makes the function that records a change of a webhook in the history of the application that it is restricted to. */
function recorder({ subjects }: WebhookRouteParts) {
  return (transaction: Kysely<unknown>, request: FastifyRequest, webhook: Webhook, changes?: FieldChanges) =>
    recordRestricted(subjects, transaction, request, webhook, {
      subject: new URL(webhook.url).host,
      ...(changes && { changes }),
    });
}

/** Changed fields of a webhook. Addresses are left out, since they may contain secrets. */
function endpointChanges(before: Webhook, after: Webhook): FieldChanges {
  const { url, ...changes } = changesBetween(before, after) ?? {};
  return { ...changes, ...(url && { url: { from: 'set', to: 'set' } }) };
}

function serveSecretAndTest(app: App, server: Server, parts: WebhookRouteParts): void {
  const { db, endpoints, dispatcher, transactOnce, clock } = parts;

  app.post('/:webhook/secret', { schema: rotateSecretSchema }, async (request, reply) => {
    const { id } = await ownWebhook(endpoints, request);
    return transactOnce(request, reply, keyOwnerOf(request.developer), (through) =>
      inTransaction(through, async (transaction) => {
        const body = (await endpoints.rotate(transaction, id, clock())) ?? refuseUnknown();
        await recorder(parts)(transaction, request, body);
        return { status: 200, body, secret: true };
      }),
    );
  });

  app.post('/:webhook/test', { schema: testWebhookSchema }, async (request, reply) => {
    // A test makes a request to another host at once, so there is a limit as for guesses of codes.
    await server.strictLimit(request, reply, `webhook tests of ${request.developer.accountId}`);
    const { id } = await ownWebhook(endpoints, request);
    const endpoint = (await endpoints.findStored(id)) ?? refuseUnknown();
    const sentAt = clock();
    const data = { webhook_id: id };
    const message = { id: newId(), kind: TEST_KIND, happenedAt: new Date(sentAt.epochMilliseconds), data };
    const outcome = await dispatcher.send(endpoint, message);
    const delivery = await addTest(db, id, { id: message.id, data, sentAt }, outcome);
    return (await findDelivery(db, id, delivery)) ?? refuseUnknown();
  });
}

function serveDeliveries(
  app: App,
  { db, endpoints, dispatcher, transactOnce, clock }: WebhookRouteParts,
): void {
  app.get('/:webhook/deliveries', { schema: listDeliveriesSchema }, async (request) => {
    const { id } = await ownWebhook(endpoints, request);
    const page = readPage(request.query);
    return addPage(page, await listDeliveries(db, id, readQuery(deliveryFilter, request.query), page));
  });

  app.get('/:webhook/deliveries/:delivery', { schema: readDeliverySchema }, async (request) => {
    const { id } = await ownWebhook(endpoints, request);
    const delivery = await ownDelivery(db, id, request.params.delivery);
    const message = await findMessage(db, delivery.message_id);
    const data = message && (await dispatcher.dataFor(request.developer.accountId, message));
    const payload = data ? payloadOf({ kind: message.kind, happenedAt: message.happened_at, data }) : null;
    return { ...delivery, payload };
  });

  app.post(
    '/:webhook/deliveries/:delivery/replay',
    { schema: replayDeliverySchema },
    async (request, reply) => {
      const webhook = await ownWebhook(endpoints, request);
      const { id } = await ownDelivery(db, webhook.id, request.params.delivery);
      refuseIfOff(webhook);
      return transactOnce(request, reply, keyOwnerOf(request.developer), async (through) => {
        await inTransaction(through, (transaction) => replayDelivery(transaction, webhook.id, id, clock()));
        return { status: 202, body: await ownDelivery(through, webhook.id, id) };
      });
    },
  );

  app.post('/:webhook/replay', { schema: replayFailedSchema }, async (request, reply) => {
    const webhook = await ownWebhook(endpoints, request);
    const { since } = readWhole(replayFields, fieldsAmong(replayFields, request.body));
    refuseIfOff(webhook);
    return transactOnce(request, reply, keyOwnerOf(request.developer), async (through) => {
      const replayed = await inTransaction(through, (transaction) =>
        replayFailed(transaction, webhook.id, Temporal.Instant.from(since), clock()),
      );
      return { status: 202, body: { replayed } };
    });
  });
}

type EndpointRequest = { developer: { accountId: string }; params: { webhook: string } };

/** Webhook that a request names, of the developer's own. Throws a 404 if there is none. */
async function ownWebhook(
  endpoints: Pick<EndpointStore, 'findNamed'>,
  { developer, params }: EndpointRequest,
): Promise<Webhook> {
  return (await endpoints.findNamed(developer.accountId, params.webhook)) ?? refuseUnknown();
}

async function ownDelivery(db: Kysely<unknown>, webhookId: string, id: string): Promise<WebhookDelivery> {
  const delivery = await findDelivery(db, webhookId, id);
  if (!delivery) throw new Refusal(404, 'not_found', webhookMessages.noSuchDelivery);
  return delivery;
}

function refuseIfOff({ enabled }: Webhook): void {
  if (!enabled) throw new Refusal(409, 'webhook_off', webhookMessages.isOff);
}

function refuseUnknown(): never {
  throw new Refusal(404, 'not_found', webhookMessages.noSuchWebhook);
}
