import type { Config } from '../config.ts';
import type { Outbox } from './outbox.ts';
import { smtpTransport } from './smtp.ts';
import type { Transport } from './transport.ts';

/** Sends mail by SMTP if SMTP_URL is set, otherwise stores it in the outbox in the data folder. */
export function openTransport(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>,
  outbox: Outbox,
): Transport {
  const from = config.mailFrom ?? `Simcha <simcha@${senderHost(config.publicUrl)}>`;
  return config.smtpUrl ? smtpTransport(config.smtpUrl, from) : outbox.transport(from);
}

/** Host of this server's own address, if it can be the sender of mail. */
function senderHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname.includes('.') && !/^[\d.]+$|\[/.test(hostname) ? hostname : 'localhost.localdomain';
}
