import { type Kysely, sql } from 'kysely';
import { findRecipient } from '../identity/notifications/store.ts';
import type { Mail } from '../kernel/mail/mail.ts';
import { writeLetter } from '../kernel/mail/template.ts';
import { bareHost } from './http-post.ts';
import { failingWords } from './messages.ts';

export interface FailingMailParts {
  mail: Pick<Mail, 'enqueue'>;
  publicUrl: string;
}

/** Mails an endpoint's owner that the endpoint was turned off after days of failures. */
export async function mailFailing(
  { mail, publicUrl }: FailingMailParts,
  transaction: Kysely<unknown>,
  endpointId: string,
): Promise<void> {
  const { rows } = await sql<{ account_id: string; url: string }>`
    select account_id, url from webhook_endpoints where id = ${endpointId}`.execute(transaction);
  const [endpoint] = rows;
  const recipient = endpoint && (await findRecipient(transaction, endpoint.account_id));
  if (!recipient) return;
  const { language } = recipient.settings;
  const say = failingWords[language];
  const host = bareHost(new URL(endpoint.url));
  const subject = say.subject(host);
  const letter = writeLetter({
    language,
    title: subject,
    paragraphs: [say.what(endpoint.url), say.remedy],
    action: { label: say.action, url: new URL('/settings/webhooks', publicUrl).href },
    footer: say.footer,
  });
  await mail.enqueue(
    transaction,
    { to: recipient.email, language, subject, ...letter },
    { urgency: 'service' },
  );
}
