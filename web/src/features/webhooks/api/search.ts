/** Search parameters of the webhooks page's address: the application for which another page opened it. */
export interface WebhookSearch {
  application?: string | undefined;
}

export function readWebhookSearch({ application }: Record<string, unknown>): WebhookSearch {
  return { application: typeof application === 'string' ? application : undefined };
}
