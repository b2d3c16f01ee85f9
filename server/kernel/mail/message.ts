import type { Language } from '../languages.ts';
import { toSingleLine } from '../one-line.ts';
import { isMailAddress } from './address.ts';

/** Mail as a part of the server gives it to be sent. */
export interface NewMail {
  to: string;
  language: Language;
  subject: string;
  text: string;
  html: string;
  /**
   * Person on whose behalf the mail is sent. The mail's sender name has their name after the installation's own name;
   * the address is always the operator's.
   */
  onBehalfOf?: string;
  /** Address to which the reader's reply to the mail goes. */
  replyTo?: string;
  /** Calendar entry in the mail for the reader's calendar, or the cancellation of one. */
  calendar?: CalendarPart;
  /** Further headers of the mail, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>>;
  /** Key that the caller gives this mail: a second mail with the same key is not sent. */
  key?: string;
}

/** Part of a mail with an iCalendar object, and its method (RFC 5546); the object contains the same method. */
export interface CalendarPart {
  method: 'REQUEST' | 'CANCEL';
  content: string;
}

/** Content of a mail, which is encrypted until the mail is sent. */
export type MailContent = Omit<NewMail, 'key'>;

const LONGEST_SUBJECT = 200;
const LONGEST_NAME = 100;
const LONGEST_HEADER = 900;
/** Mail headers that only the server itself writes, or that would change the mail's sender. */
const OWN_HEADERS =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|return-path|mime-.*|content-.*|dkim-.*|received.*|resent-.*)$/i;

/**
 * Returns the content of a mail with harmless values of all headers: line breaks and other control characters would end
 * a header and begin the next one. Throws for an address or a header that no honest caller uses.
 */
export function safeContent({ key: _, ...mail }: NewMail): MailContent {
  const { to, subject, onBehalfOf, replyTo, headers } = mail;
  if (!isMailAddress(to)) throw new Error('the recipient of a mail is no mail address');
  if (replyTo !== undefined && !isMailAddress(replyTo))
    throw new Error('the reply address of a mail is no mail address');
  for (const [name, value] of Object.entries(headers ?? {})) {
    const fits = /^[a-z][a-z0-9-]{0,60}$/i.test(name) && !OWN_HEADERS.test(name);
    if (!fits || value.length > LONGEST_HEADER || /\p{Cc}/u.test(value)) {
      throw new Error(`a mail has a forbidden header: ${JSON.stringify(name)}`);
    }
  }
  return {
    ...mail,
    subject: toSingleLine(subject).slice(0, LONGEST_SUBJECT),
    ...(onBehalfOf !== undefined && { onBehalfOf: toSingleLine(onBehalfOf).slice(0, LONGEST_NAME) }),
  };
}
