import { type Static, Type } from 'typebox';
import { developerRoutes } from '../identity/contract.ts';
import { listCodes } from '../kernel/http/error-answers.ts';
import { bodyOf, inputFields, outputFields } from '../kernel/http/field-schemas.ts';
import { noParameters } from '../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  dateTimeSchema,
  enumOrNullSchema,
  enumSchema,
  orNullSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../kernel/http/shapes.ts';
import { changeFields, DELIVERY_STATES, deliveryFilter, endpointFields, replayFields } from './fields.ts';
import { PROBLEMS } from './http-post.ts';

/** Schemas of webhooks. They serialize responses, document the API and give TypeScript its types. */

const example = {
  id: '01980a3c-9d10-7b3e-8a41-6c2f5d7e9b10',
  url: 'https://example.com/hooks/simcha',
  kinds: ['deployment.failed', 'site.down', 'site.up'],
  description: 'Pager',
  enabled: true,
  application_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  event_id: null,
  disabled_reason: null,
  failing_since: null,
  previous_secret_until: null,
  created_at: '2026-11-21T08:00:00.000Z',
};

export const Webhook = Type.Object(
  {
    id: uuidSchema(),
    ...outputFields(endpointFields),
    disabled_reason: enumOrNullSchema(['gone', 'failing'], {
      description: 'Why the server turned it off: it answered 410, or accepted nothing for five days.',
    }),
    failing_since: dateTimeOrNullSchema('UTC. First failed try since the last success.'),
    previous_secret_until: dateTimeOrNullSchema(
      'UTC. Until then messages are also signed with the former secret.',
    ),
    created_at: dateTimeSchema(),
  },
  { $id: 'Webhook', examples: [example] },
);
export type Webhook = Static<typeof Webhook>;

const exampleDelivery = {
  id: '4711',
  message_id: '01980a3c-9d10-7b3e-8a41-6c2f5d7e9b11',
  kind: 'site.down',
  event_id: null,
  application_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  state: 'waiting',
  problem: 'status',
  tries: 1,
  status: 500,
  answer: 'Internal Server Error',
  duration_ms: 42,
  created_at: '2026-11-21T08:00:00.000Z',
  tried_at: '2026-11-21T08:00:00.100Z',
  next_try_at: '2026-11-21T08:00:05.600Z',
};

export const WebhookDelivery = Type.Object(
  {
    id: Type.String(),
    message_id: uuidSchema('The `webhook-id` of all tries.'),
    kind: Type.String(),
    event_id: orNullSchema<string>({ type: 'string', format: 'uuid' }),
    application_id: orNullSchema<string>({ type: 'string', format: 'uuid' }),
    state: enumSchema(DELIVERY_STATES),
    problem: enumOrNullSchema(PROBLEMS, { description: 'Why the last try failed.' }),
    tries: Type.Integer(),
    status: orNullSchema<number>({ type: 'integer', description: 'The status of the last answer.' }),
    answer: textOrNullSchema({ description: 'The beginning of the last answer, or what went wrong.' }),
    duration_ms: orNullSchema<number>({ type: 'integer' }),
    created_at: dateTimeSchema(),
    tried_at: dateTimeOrNullSchema(),
    next_try_at: dateTimeOrNullSchema('UTC. Null after the last try, and while an earlier message waits.'),
  },
  { $id: 'WebhookDelivery', examples: [exampleDelivery] },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const sharedSchemas = [Webhook, WebhookDelivery];

const tags = ['webhooks'];
const params = Type.Object({
  webhook: Type.String({ description: 'Id, address, or the address’s host.' }),
});
const ofWebhook = { tags, params, errors: { 404: true } } as const;

const webhooks = developerRoutes.resource({
  tags,
  called: 'webhook',
  within: noParameters,
  params,
  record: Webhook,
  errors: {},
  shown: (description) => schemaRef(Webhook, description),
});

const withSecret = (description: string) =>
  Type.Unsafe<Webhook & { secret: string }>({
    title: 'ShownWebhook',
    description,
    allOf: [
      schemaRef(Webhook),
      Type.Object({ secret: Type.String({ description: '`whsec_…`, shown only once.' }) }),
    ],
  });

export const listWebhooksSchema = webhooks.list(
  { operationId: 'listWebhooks', summary: 'List your webhooks', answer: 'The webhooks, oldest first.' },
  'webhooks',
);

const create = webhooks.create(
  {
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: 'Messages are signed by Standard Webhooks 1.0 with the `secret` of the answer.',
    errors: { 403: listCodes('unverified'), 409: listCodes('too_many_webhooks', 'key_running') },
  },
  bodyOf(endpointFields, {
    additionalProperties: false,
    examples: [{ url: example.url, kinds: example.kinds, application_id: example.application_id }],
  }),
);
export const createWebhookSchema = { ...create, response: { 201: withSecret('The new webhook.') } };

export const readWebhookSchema = webhooks.read({
  operationId: 'readWebhook',
  summary: 'Read a webhook',
  errors: { 404: true },
});

export const updateWebhookSchema = webhooks.change(
  { operationId: 'updateWebhook', summary: 'Change a webhook', errors: { 404: true } },
  Type.Object(inputFields(changeFields), {
    additionalProperties: false,
    examples: [{ enabled: false }],
  }),
);

export const removeWebhookSchema = webhooks.remove({
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  answer: 'Deleted, with its deliveries.',
  errors: { 404: true },
});

export const rotateSecretSchema = developerRoutes.post({
  ...ofWebhook,
  operationId: 'rotateWebhookSecret',
  summary: 'Replace a webhook’s secret',
  description: 'For 24 hours messages are signed with both secrets.',
  response: { 200: withSecret('The webhook with its new secret.') },
});

export const testWebhookSchema = developerRoutes.post({
  ...ofWebhook,
  operationId: 'testWebhook',
  summary: 'Send a test message now',
  description: 'Sends `webhook.test` once, also to a webhook that is off.',
  response: { 200: schemaRef(WebhookDelivery, 'The delivery, successful or not.') },
});

const deliveryParams = Type.Object({ webhook: Type.String(), delivery: Type.String() });
const deliveries = developerRoutes.resource({
  tags,
  called: 'delivery',
  within: params,
  params: deliveryParams,
  record: WebhookDelivery,
  errors: { 404: true },
  shown: (description) =>
    Type.Unsafe<WebhookDelivery & { payload: object | null }>({
      title: 'WebhookDeliveryWithPayload',
      description,
      allOf: [
        schemaRef(WebhookDelivery),
        Type.Object({
          payload: Type.Unsafe<object | null>({
            type: ['object', 'null'],
            additionalProperties: true,
            description: 'The message as it is sent; null if you may no longer read its event.',
          }),
        }),
      ],
    }),
});

export const listDeliveriesSchema = deliveries.page(
  { operationId: 'listWebhookDeliveries', summary: 'List a webhook’s deliveries, newest first' },
  'deliveries',
  deliveryFilter,
);

export const readDeliverySchema = deliveries.read({
  operationId: 'readWebhookDelivery',
  summary: 'Read a delivery with its message',
});

const IS_OFF = { 404: true, 409: listCodes('webhook_off', 'key_running') } as const;

export const replayDeliverySchema = developerRoutes.post({
  tags,
  params: deliveryParams,
  errors: IS_OFF,
  operationId: 'replayWebhookDelivery',
  summary: 'Deliver a message again',
  description: 'With the same `webhook-id`, by the same schedule.',
  response: { 202: schemaRef(WebhookDelivery, 'The delivery waits to be sent.') },
});

export const replayFailedSchema = developerRoutes.post({
  tags,
  params,
  errors: IS_OFF,
  operationId: 'replayFailedWebhookDeliveries',
  summary: 'Deliver all messages again that failed',
  body: bodyOf(replayFields, {
    title: 'WebhookReplay',
    additionalProperties: false,
    examples: [{ since: '2026-11-21T00:00:00Z' }],
  }),
  response: {
    202: Type.Object(
      { replayed: Type.Integer() },
      { title: 'WebhookReplayed', description: 'How many wait to be sent.' },
    ),
  },
});
