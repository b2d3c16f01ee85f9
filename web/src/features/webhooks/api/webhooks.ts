import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createWebhook,
  deleteWebhook,
  idempotencyKey,
  listWebhookDeliveries,
  listWebhooks,
  type NewWebhook,
  readWebhookDelivery,
  replayFailedWebhookDeliveries,
  replayWebhookDelivery,
  rotateWebhookSecret,
  type ShownWebhook,
  testWebhook,
  updateWebhook,
  type WebhookChanges,
  type WebhookDelivery,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

/** Kinds of messages about events, in their order on the page. */
export const EVENT_KINDS = [
  'event.created',
  'event.changed',
  'event.published',
  'event.cancelled',
  'event.deleted',
  'guest.added',
  'guest.changed',
  'guest.removed',
  'answer.given',
  'message.sent',
  'message.failed',
] as const;

/** Kinds of messages about sites, in their order on the page. */
export const SITE_KINDS = [
  'deployment.started',
  'deployment.succeeded',
  'deployment.failed',
  'deployment.cancelled',
  'site.down',
  'site.up',
] as const;

export type Kind = NewWebhook['kinds'][number];

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await listWebhooks({ client, signal })).data.webhooks,
});

/** Creates a webhook and returns it with its secret, which the server shows only this once. */
export function useCreateWebhook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewWebhook): Promise<ShownWebhook> =>
      (await createWebhook({ client, body, headers: idempotencyKey() })).data,
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
}

export function useUpdateWebhook(webhook: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: WebhookChanges) =>
      (await updateWebhook({ client, body, path: { webhook } })).data,
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
}

export function useDeleteWebhook(webhook: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<void> => {
      await deleteWebhook({ client, path: { webhook } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
}

/** Replaces the secret of a webhook and returns the new one. */
export function useRotateSecret(webhook: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<string> =>
      (await rotateWebhookSecret({ client, path: { webhook }, headers: idempotencyKey() })).data.secret,
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
}

const LOG_LENGTH = 20;
/** Interval at which the log is read while a delivery waits, in milliseconds. */
const WAITING_MS = 3_000;

export type DeliveryFilter = 'all' | WebhookDelivery['state'];

const deliveriesKey = (webhook: string) => ['webhook-deliveries', webhook];

/** Query for a page of a webhook's deliveries. */
export const deliveriesQuery = (webhook: string, state: DeliveryFilter, page: number) =>
  queryOptions({
    queryKey: [...deliveriesKey(webhook), state, page],
    queryFn: async ({ signal }) => {
      const query = { limit: LOG_LENGTH, page, ...(state !== 'all' && { state }) };
      return (await listWebhookDeliveries({ client, signal, path: { webhook }, query })).data;
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some((one) => one.state === 'waiting') ? WAITING_MS : false,
  });

/** Query for a delivery with the message that is sent. */
export const deliveryQuery = (webhook: string, delivery: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(webhook), 'one', delivery],
    queryFn: async ({ signal }) =>
      (await readWebhookDelivery({ client, signal, path: { webhook, delivery } })).data,
  });

export function useTestWebhook(webhook: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<WebhookDelivery> =>
      (await testWebhook({ client, path: { webhook }, headers: idempotencyKey() })).data,
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesKey(webhook) }),
  });
}

const LOG_MS = 30 * 86_400_000;

/** Sends a message again, or all messages in the log that failed; returns how many. */
export function useReplay(webhook: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(delivery: string | 'failed'): Promise<number> {
      const headers = idempotencyKey();
      if (delivery === 'failed') {
        const body = { since: new Date(Date.now() - LOG_MS).toISOString() };
        return (await replayFailedWebhookDeliveries({ client, headers, path: { webhook }, body })).data
          .replayed;
      }
      await replayWebhookDelivery({ client, headers, path: { webhook, delivery } });
      return 1;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesKey(webhook) }),
  });
}
