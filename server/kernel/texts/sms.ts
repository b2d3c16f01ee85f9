import { createHmac } from 'node:crypto';
import { isSameSecret } from '../same-secret.ts';
import { type Carrier, carrierError, postToCarrier, type TextReport } from './carrier.ts';
import type { TextProblem } from './messages.ts';
import type { Sms, TextStatus } from './text.ts';

/** Carrier that sends SMS by the HTTP API of Twilio and compatible providers. */
export interface SmsCarrier extends Carrier<Sms> {
  /** True if a report about an SMS comes from the carrier: its signature covers the address to which it was sent. */
  isSigned(signature: string, url: string, form: URLSearchParams): boolean;
}

export interface SmsSettings {
  /**
   * Address of the SMS carrier, with its login and our sender: `https://<account>:<token>@<host><path>?from=<sender>`.
   */
  url: string;
  /**
   * Address at which the carrier reports about a text message, by the message's id; undefined if the carrier can't
   * reach this server.
   */
  reportUrl: ((id: string) => string) | undefined;
}

export function smsCarrier({ url, reportUrl }: SmsSettings): SmsCarrier {
  const { origin, host, pathname, username, password, searchParams } = new URL(url);
  const [account, token] = [decodeURIComponent(username), decodeURIComponent(password)];
  const from = searchParams.get('from') ?? '';
  const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  const path = `${pathname.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
  const headers = {
    authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return {
    destination: host,
    async deliver(id, { to, text }) {
      const report = reportUrl && { StatusCallback: reportUrl(id) };
      const body = new URLSearchParams({ To: to, Body: text, ...sender, ...report }).toString();
      const answer = await postToCarrier(`${origin}${path}`, { headers, body });
      if (answer.status >= 200 && answer.status < 300) return;
      const { code } = (answer.body ?? {}) as { code?: unknown };
      throw carrierError(answer, problemOf(typeof code === 'number' ? code : answer.status));
    },
    isSigned(signature, address, form) {
      const parts = [...form].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
      const signed = address + parts.map(([name, value]) => name + value).join('');
      return isSameSecret(signature, createHmac('sha1', token).update(signed).digest('base64'));
    },
  };
}

/** Parses a carrier's report about an SMS; undefined if the status in it changes nothing for us. */
export function readSmsReport(id: string, form: URLSearchParams): TextReport | undefined {
  const status = STATUSES.get(form.get('MessageStatus') ?? '');
  if (!status) return undefined;
  const code = Number(form.get('ErrorCode') || Number.NaN);
  return {
    id,
    status,
    problem: status === 'refused' ? problemOf(Number.isSafeInteger(code) ? code : null) : null,
  };
}

const STATUSES: ReadonlyMap<string, TextStatus> = new Map([
  ['accepted', 'sent'],
  ['queued', 'sent'],
  ['sending', 'sent'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['undelivered', 'refused'],
  ['failed', 'refused'],
  ['canceled', 'refused'],
]);

/** Reason why a text message failed, by Twilio's error code: https://www.twilio.com/docs/api/errors */
function problemOf(answer: number | null): TextProblem {
  if (answer === 21610 || answer === 30004) return { code: 'opted_out', answer };
  return { code: UNREACHABLE.has(answer) ? 'unreachable' : 'refused', answer };
}

const UNREACHABLE: ReadonlySet<number | null> = new Set([21211, 21612, 21614, 30003, 30005, 30006]);
