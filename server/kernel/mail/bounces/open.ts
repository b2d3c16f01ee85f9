import type { Config } from '../../config.ts';
import type { Server } from '../../http/app.ts';
import type { Jobs } from '../../jobs.ts';
import type { Logger } from '../../log.ts';
import type { Mail } from '../mail.ts';
import type { BounceAddresses } from './address.ts';
import { readBounces } from './mailbox.ts';
import { serveBounceReports } from './routes.ts';

export interface BounceParts {
  config: Pick<Config, 'mailBounceImapUrl' | 'mailBounceSecret'>;
  addresses: BounceAddresses | undefined;
  mail: Pick<Mail, 'recordBounce'>;
  jobs: Jobs;
  server: Server;
  log: Logger;
}

/**
 * Reads bounces as the settings say: from a mailbox, on one server at a time, and as reports of a mail provider.
 * Returns the function that reads the mailbox now.
 */
export function openBounces({
  config,
  addresses,
  mail,
  jobs,
  server,
  log,
}: BounceParts): () => Promise<void> {
  const { mailBounceImapUrl: url, mailBounceSecret: secret } = config;
  if (secret !== undefined) serveBounceReports(server, { secret, mail, log });
  if (url === undefined || addresses === undefined) return async () => {};
  const read = () =>
    readBounces({ url, addresses, record: (mailId, bounce) => mail.recordBounce(mailId, bounce), log });
  jobs.schedule('read-bounces', '*/5 * * * *', read);
  return read;
}
