import type { SendMailOptions } from 'nodemailer';
import type { MailContent } from './message.ts';

/** nodemailer's message. The Message-ID stays the same over retries, so that a mailbox can tell a second copy. */
export function compileMail(id: string, from: string, content: MailContent): SendMailOptions {
  const { to, language, subject, text, html, fromName, replyTo, calendar, headers } = content;
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
  const host = /@([^@]+)$/.exec(address)?.[1] ?? 'localhost';
  return {
    from: fromName ? { name: fromName, address } : from,
    ...(replyTo && { replyTo: { name: fromName ?? '', address: replyTo } }),
    // As an object: nothing in it is parsed as a list of addresses.
    to: { name: '', address: to },
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
