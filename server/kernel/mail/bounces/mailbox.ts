import type { Logger } from '../../log.ts';
import type { Bounce } from '../mail.ts';
import type { BounceAddresses } from './address.ts';
import { headersOf, readStatusReport } from './status-report.ts';

/** Maximum number of messages that one run reads from the mailbox of bounces; the next run reads further ones. */
const MOST_AT_ONCE = 200;
/**
 * Maximum number of bytes that are read of a message about an undelivered mail. The report comes before the copy of
 * that mail.
 */
const LARGEST_BYTES = 128 * 1024;
const LONGEST_RUN_MS = 120_000;

export interface BounceMailboxParts {
  /** Address of the mailbox to which bounces go, with user and password: `imaps://…` or `imap://…`. */
  url: string;
  addresses: BounceAddresses;
  /** Records that a mail was not delivered. */
  record(mailId: string, bounce: Bounce): Promise<void>;
  log: Logger;
}

/**
 * Reads the unread messages of the mailbox to which bounces go, records those about mails of this server, and marks all
 * as read. A message is marked only after its bounce was recorded, so an interrupted run loses nothing.
 */
export async function readBounces({ url, addresses, record, log }: BounceMailboxParts): Promise<void> {
  // The IMAP client is loaded here, because a server without a bounce mailbox never needs its memory.
  const { ImapFlow } = await import('imapflow');
  const { folder, ...options } = readImapUrl(url);
  const client = new ImapFlow({ ...options, logger: false, socketTimeout: 30_000, greetingTimeout: 15_000 });
  // Errors of the IMAP connection are also thrown by the pending command; without a listener they would end the
  // process.
  client.on('error', () => {});
  const tooLong = setTimeout(() => client.close(), LONGEST_RUN_MS);
  try {
    await client.connect();
    const lock = await client.getMailboxLock(folder);
    try {
      const unread = (await client.search({ seen: false }, { uid: true })) || [];
      for (const uid of unread.slice(0, MOST_AT_ONCE)) {
        const found = await client.fetchOne(uid, { source: { maxLength: LARGEST_BYTES } }, { uid: true });
        const { source } = found || {};
        const text = source?.toString('latin1') ?? '';
        const mailId = addresses.mailIdIn(headersOf(text));
        const bounce = mailId === undefined ? undefined : readStatusReport(text);
        if (mailId !== undefined && bounce) await record(mailId, bounce);
        await client.messageFlagsAdd(uid, ['\\Seen'], { uid: true });
      }
      if (unread.length > 0)
        log.info({ messages: Math.min(unread.length, MOST_AT_ONCE) }, 'read bounces of mail');
    } finally {
      lock.release();
    }
    await client.logout();
  } finally {
    clearTimeout(tooLong);
    client.close();
  }
}

/**
 * Options of an IMAP connection. TLS is required, so that the password is never sent unencrypted; `?ignoreTLS=true`
 * lifts that.
 */
export function readImapUrl(text: string) {
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(text);
  const secure = protocol === 'imaps:';
  return {
    host: hostname,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    ...(!secure && { doSTARTTLS: searchParams.get('ignoreTLS') !== 'true' }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    ...(searchParams.get('tls.rejectUnauthorized') === 'false' && { tls: { rejectUnauthorized: false } }),
    folder: decodeURIComponent(pathname.slice(1)) || 'INBOX',
  };
}
