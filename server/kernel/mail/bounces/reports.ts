import { isUuid } from '../../identifiers.ts';
import type { Bounce } from '../mail.ts';

/** Bounce that a mail provider reported, with the id of the mail. */
export interface ReportedBounce extends Bounce {
  mailId: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a report about a mail that was not delivered: our own form (`message_id`, `status`), Mailgun's event `failed`,
 * or Amazon SES's notification `Bounce` within a message of Amazon SNS. Undefined for all other events.
 *
 * See https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads and
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 */
export function readBounceReport(body: unknown): ReportedBounce | undefined {
  const report = objectOf(body);
  if ('event-data' in report) return readMailgun(objectOf(report['event-data']));
  if (report.Type === 'Notification') return readAmazon(objectOf(parseJson(report.Message)));
  return bounceOf(report.message_id, textOf(report.status));
}

/** Address that an operator opens once, so that Amazon SNS sends its messages; undefined for other reports. */
export function subscriptionAddress(body: unknown): string | undefined {
  const { Type, SubscribeURL } = objectOf(body);
  const url = textOf(SubscribeURL);
  return Type === 'SubscriptionConfirmation' &&
    /^https:\/\/sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\//.test(url)
    ? url
    : undefined;
}

function readMailgun(event: Json): ReportedBounce | undefined {
  if (event.event !== 'failed') return undefined;
  const { 'message-id': id } = objectOf(objectOf(event.message).headers);
  const { 'enhanced-code': status } = objectOf(event['delivery-status']);
  const isPermanent = event.severity === 'permanent';
  return bounceOf(id, textOf(status) || (isPermanent ? '5.0.0' : '4.0.0'), isPermanent);
}

function readAmazon(event: Json): ReportedBounce | undefined {
  const { notificationType, eventType = notificationType } = event;
  if (eventType !== 'Bounce') return undefined;
  const bounce = objectOf(event.bounce);
  const { commonHeaders, headers } = objectOf(event.mail);
  const listed = Array.isArray(headers) ? headers.map(objectOf) : [];
  const header = listed.find(({ name }) => textOf(name).toLowerCase() === 'message-id');
  const [recipient] = Array.isArray(bounce.bouncedRecipients) ? bounce.bouncedRecipients : [];
  const isPermanent = bounce.bounceType === 'Permanent';
  const status = textOf(objectOf(recipient).status) || (isPermanent ? '5.0.0' : '4.0.0');
  return bounceOf(header?.value ?? objectOf(commonHeaders).messageId, status, isPermanent);
}

function bounceOf(
  messageId: unknown,
  status: string,
  isPermanent = status.startsWith('5'),
): ReportedBounce | undefined {
  // The Message-ID of a mail is its id at the sender's host.
  const [, mailId = ''] = /^\s*<?([0-9a-f-]{36})@/i.exec(textOf(messageId)) ?? [];
  if (!isUuid(mailId) || !/^[45]\.\d{1,3}\.\d{1,3}$/.test(status)) return undefined;
  return { mailId, status, isPermanent };
}

/** Parses a JSON text; undefined for a text that is no JSON. */
export function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(textOf(text));
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
