import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedText {
  carrier: 'sms' | 'whatsapp';
  authorization: string | undefined;
  /** Body of the request to the carrier: a form for SMS, JSON for WhatsApp. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  body: any;
  /** Phone number to which the text message is sent, in digits only. */
  to: string;
}

/** Response of the fake carrier: a status with the carrier's code, no response, or a broken connection. */
export type CarrierAnswers = { status: number; code?: number } | 'silence' | 'broken';

export type AnswerOfCarrier = (
  to: string,
  attempt: number,
) => CarrierAnswers | undefined | Promise<CarrierAnswers | undefined>;

export interface TestCarriers extends AsyncDisposable {
  /** Settings with which a server sends SMS and WhatsApp messages to these fake carriers. */
  env: Record<'SMS_URL' | 'WHATSAPP_URL', string>;
  asked: ReceivedText[];
  askedOf(phone: string): ReceivedText[];
}

export const SMS_TOKEN = 'the token of an account';

/**
 * Starts servers on loopback with the documented HTTP APIs of Twilio and of WhatsApp's Cloud API. For a phone number
 * and attempt, `answer` can return another response than success.
 */
export async function startCarriers(answer: AnswerOfCarrier = () => undefined): Promise<TestCarriers> {
  const asked: ReceivedText[] = [];
  const server = createServer((request, response) => void take(request, response));
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = readAsked(request, await text(request));
    if (!one) return void response.writeHead(404).end();
    asked.push(one);
    const answered = await answer(one.to, asked.filter(({ to }) => to === one.to).length);
    if (answered === 'silence') return;
    if (answered === 'broken') return void request.socket.destroy();
    const { status, code } = answered ?? { status: one.carrier === 'sms' ? 201 : 200 };
    const said = {
      sms: code === undefined ? { sid: 'SM1', status: 'queued' } : { code, message: 'no', status },
      whatsapp: code === undefined ? { messages: [{ id: 'wamid.1' }] } : { error: { code, message: 'no' } },
    };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(said[one.carrier]));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      SMS_URL: `http://AC1:${encodeURIComponent(SMS_TOKEN)}@127.0.0.1:${port}?from=Simcha`,
      WHATSAPP_URL: `http://access-token@127.0.0.1:${port}/v24.0/106540352242922`,
    },
    asked,
    askedOf: (phone) => asked.filter(({ to }) => to === phone.replace(/\D/g, '')),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function readAsked({ method, url, headers }: IncomingMessage, body: string): ReceivedText | undefined {
  const { authorization } = headers;
  if (method === 'POST' && url === '/2010-04-01/Accounts/AC1/Messages.json') {
    const form = Object.fromEntries(new URLSearchParams(body));
    return { carrier: 'sms', authorization, body: form, to: (form.To ?? '').replace(/\D/g, '') };
  }
  if (method === 'POST' && url === '/v24.0/106540352242922/messages') {
    const message = JSON.parse(body);
    return { carrier: 'whatsapp', authorization, body: message, to: message.to };
  }
  return undefined;
}
