import type { Language } from '../languages.ts';

/** Channels by which a text message is sent to a phone. */
export const TEXT_CHANNELS = ['sms', 'whatsapp'] as const;
export type TextChannel = (typeof TEXT_CHANNELS)[number];

export interface Sms {
  channel: 'sms';
  /** Phone number of the recipient in E.164. */
  to: string;
  text: string;
}

/** WhatsApp message: a template that Meta approved, and the values of its parameters. */
export interface WhatsAppMessage {
  channel: 'whatsapp';
  /** Phone number of the recipient in E.164. */
  to: string;
  template: string;
  language: Language;
  /**
   * Values of the template's named parameters; none is empty or contains a line break, a tab, or four spaces in a row.
   */
  parameters: Readonly<Record<string, string>>;
  /** End of the web address that the message's button opens; undefined if the message has no button. */
  button?: string;
}

export type TextContent = Sms | WhatsAppMessage;

/** Statuses of a text message in ascending order: it never returns to an earlier status. */
export const TEXT_STATUSES = [
  'queued',
  /** Status of a text message that is just being handed to the carrier. */
  'asked',
  /**
   * Status of a text message that was handed over, if it is not known whether the carrier accepted it. It is not sent
   * again, because its reader could get it twice.
   */
  'unknown',
  /** Status of a text message that the carrier accepted. */
  'sent',
  'refused',
  'delivered',
  'read',
] as const;
export type TextStatus = (typeof TEXT_STATUSES)[number];
