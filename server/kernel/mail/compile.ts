import type { SendMailOptions } from 'nodemailer';
import type { MailContent } from './message.ts';

/**
 * Makes the message for the mail library (nodemailer). The Message-ID stays the same over retries, so that a mailbox
 * can recognise a second copy. `returnPath` is the address to which bounces go, by default the sender's.
 */
export function compileMail(
  id: string,
  from: string,
  content: MailContent,
  returnPath?: string,
): SendMailOptions {
  const { to, language, subject, text, html, onBehalfOf, replyTo, calendar, headers } = content;
  const { name, address } = senderOf(from);
  const host = /@([^@]+)$/.exec(address)?.[1] ?? 'localhost';
  return {
    // The name of this installation comes first in the sender's name of a mail: text from organizers is never the only
    // name.
    from: { name: onBehalfOf ? `${name} · ${onBehalfOf}` : name, address },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    // The recipient of a mail is passed as an object, because a text would be parsed as a list of addresses.
    to: { name: '', address: to },
    ...(returnPath && { envelope: { from: returnPath, to } }),
    subject,
    text,
    html,
    ...(calendar && { icalEvent: { ...calendar, filename: 'event.ics' } }),
    messageId: `<${id}@${host}>`,
    headers: { ...headers, 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
    textEncoding: 'base64',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Name and address of the setting MAIL_FROM; if it has no name, the product's name. */
function senderOf(from: string): { name: string; address: string } {
  const [, quoted = '', name = quoted, address = from] =
    /^\s*(?:"([^"]*)"|([^<>"]*?))\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  return { name: name.trim() || 'Simcha', address: address.trim() };
}
