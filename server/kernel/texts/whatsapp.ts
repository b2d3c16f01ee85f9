import { createHmac } from 'node:crypto';
import { isUuid } from '../identifiers.ts';
import { isSameSecret } from '../same-secret.ts';
import {
  type Carrier,
  type CarrierAnswer,
  carrierError,
  NotTaken,
  postToCarrier,
  type TextReport,
} from './carrier.ts';
import { type TextProblem, textProblemText } from './messages.ts';
import type { TextStatus, WhatsAppMessage } from './text.ts';

/**
 * Carrier that sends by WhatsApp's Cloud API. `url`: `https://<access token>@graph.facebook.com/<version>/<phone number
 * id>`.
 */
export function whatsAppCarrier(url: string): Carrier<WhatsAppMessage> {
  const { origin, host, pathname, username } = new URL(url);
  const headers = {
    authorization: `Bearer ${decodeURIComponent(username)}`,
    'content-type': 'application/json',
  };
  return {
    destination: host,
    async deliver(id, message) {
      const body = JSON.stringify(requestOf(id, message));
      const answer = await postToCarrier(`${origin}${pathname.replace(/\/+$/, '')}/messages`, {
        headers,
        body,
      });
      if (answer.status >= 200 && answer.status < 300) return;
      throw noOf(answer);
    },
  };
}

function requestOf(id: string, { to, template, language, parameters, button }: WhatsAppMessage): object {
  const texts = Object.entries(parameters).map(([name, text]) => ({
    type: 'text',
    parameter_name: name,
    text,
  }));
  const link = { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: button }] };
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: to.replace(/^\+/, ''),
    type: 'template',
    template: {
      name: template,
      language: { code: language },
      components: [{ type: 'body', parameters: texts }, ...(button === undefined ? [] : [link])],
    },
    // Meta includes this value, the text message's id, in every report about the message.
    biz_opaque_callback_data: id,
  };
}

function noOf(answer: CarrierAnswer): Error {
  const { error } = (answer.body ?? {}) as { error?: { code?: unknown } };
  const code = typeof error?.code === 'number' ? error.code : null;
  const problem = problemOf(code ?? answer.status);
  if (code !== null && PASSING.has(code)) return new NotTaken(textProblemText(problem, 'en'));
  return carrierError(answer, problem);
}

/** Reads the reports about our text messages in a notification from Meta; the rest of the notification is ignored. */
export function readWhatsAppReports(notification: unknown): TextReport[] {
  return list(notification, 'entry')
    .flatMap((entry) => list(entry, 'changes'))
    .flatMap((change) => list((change as { value?: unknown }).value, 'statuses'))
    .flatMap((report) => {
      const { biz_opaque_callback_data: id, status: name } = report as Record<string, unknown>;
      const status = typeof name === 'string' ? STATUSES.get(name) : undefined;
      if (typeof id !== 'string' || !isUuid(id) || !status) return [];
      const [{ code } = {}] = list(report, 'errors') as { code?: unknown }[];
      const answer = typeof code === 'number' ? code : null;
      return [{ id, status, problem: status === 'refused' ? problemOf(answer) : null }];
    });
}

/** True if a notification is from Meta: its bytes are signed with the app's secret. */
export function isFromMeta(signature: string, body: Buffer, appSecret: string): boolean {
  return isSameSecret(signature, `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`);
}

function list(of: unknown, name: string): object[] {
  const value = typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[name] : undefined;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

const STATUSES: ReadonlyMap<string, TextStatus> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['failed', 'refused'],
]);

// WhatsApp's error codes are listed at
// https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes

/**
 * WhatsApp's codes of temporary errors: too many requests, or trouble with the payment or the account, which is not the
 * message's fault.
 */
const PASSING: ReadonlySet<number> = new Set([4, 80007, 130429, 131042, 131048, 131056, 133016]);

function problemOf(answer: number | null): TextProblem {
  if (answer === 131050) return { code: 'opted_out', answer };
  if (answer === 131026) return { code: 'unreachable', answer };
  return { code: answer !== null && answer >= 132000 && answer < 133000 ? 'template' : 'refused', answer };
}
