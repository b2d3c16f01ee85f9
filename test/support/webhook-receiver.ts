import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { Client } from './client.ts';
import { until } from './until.ts';

export interface ReceivedMessage {
  id: string;
  /** Body of the message, as the sender wrote it. */
  body: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every kind
  payload: any;
  at: number;
}

/** Answers a received message: with a status, or as it likes. */
type Answer = number | ((response: ServerResponse, message: ReceivedMessage) => void | Promise<void>);

export interface WebhookReceiver extends AsyncDisposable {
  url: string;
  received: ReceivedMessage[];
  /** Number of requests that are being answered, and the most there ever were at the same time. */
  open: { now: number; most: number };
  /** Answers of the next messages, in their order; later ones get 204. */
  answers: Answer[];
  /** Waits until so many messages have come, and returns them. */
  messages(count: number): Promise<ReceivedMessage[]>;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on this machine. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = [];
  const answers: Answer[] = [];
  const open = { now: 0, most: 0 };
  const server = createServer(async (request, response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.once('close', () => {
      open.now -= 1;
    });
    const body = await text(request);
    const { headers } = request;
    const id = String(headers['webhook-id']);
    const message = { id, body, headers, payload: JSON.parse(body), at: performance.now() };
    received.push(message);
    const answer = answers.shift() ?? 204;
    if (typeof answer === 'function') await answer(response, message);
    else response.writeHead(answer).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    open,
    answers,
    async messages(count) {
      await until(() => received.length >= count);
      return received;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

export const WEBHOOKS = '/api/v1/users/me/webhooks';

/** Creates a webhook by the API; returns it with its secret. */
export async function newWebhook(call: Client, fields: object) {
  const made = await call('POST', WEBHOOKS, { body: fields });
  if (made.status !== 201) throw new Error(`${made.status} ${made.text}`);
  return made.body;
}

/** Payload of a message whose signature is right by the library of Standard Webhooks; throws otherwise. */
export function verified(secret: string, { body, headers }: ReceivedMessage) {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
