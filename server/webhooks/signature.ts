import { createHmac, randomBytes } from 'node:crypto';

/** Number of random bytes of a secret; Standard Webhooks accepts 24 to 64. */
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** Makes an endpoint's secret: `whsec_` and random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignedMessage {
  /** Same for all tries of a message, so that a receiver recognises repetitions. */
  id: string;
  at: Temporal.Instant;
  body: string;
}

/**
 * Headers of a message, by Standard Webhooks 1.0 (https://www.standardwebhooks.com). A message has a signature for each
 * of `secrets`, so that receivers may know either while a secret is replaced.
 */
export function signatureHeaders(
  { id, at, body }: SignedMessage,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.epochMilliseconds / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
