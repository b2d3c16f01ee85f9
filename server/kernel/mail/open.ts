import type { Config } from '../config.ts';
import type { Outbox } from './outbox.ts';
import { type DkimKey, smtpTransport } from './smtp.ts';
import type { Transport } from './transport.ts';

/** Sends mail by SMTP if SMTP_URL is set, otherwise stores it in the outbox in the data folder. */
export function openTransport(
  config: MailConfig,
  outbox: Outbox,
  returnPathOf?: (id: string) => string,
): Transport {
  const from = config.mailFrom ?? `Simcha <simcha@${senderHost(config.publicUrl)}>`;
  return config.smtpUrl
    ? smtpTransport(config.smtpUrl, from, { dkim: dkimKeyOf(config), returnPathOf })
    : outbox.transport(from);
}

type MailConfig = Pick<
  Config,
  'smtpUrl' | 'mailFrom' | 'publicUrl' | 'mailDkimDomain' | 'mailDkimSelector' | 'mailDkimKey'
>;

function dkimKeyOf({
  mailDkimDomain: domainName,
  mailDkimSelector: keySelector,
  mailDkimKey: privateKey,
}: MailConfig): DkimKey | undefined {
  return domainName && keySelector && privateKey ? { domainName, keySelector, privateKey } : undefined;
}

/** Host name of this server's public address, if mails can be sent from it. */
function senderHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname.includes('.') && !/^[\d.]+$|\[/.test(hostname) ? hostname : 'localhost.localdomain';
}
