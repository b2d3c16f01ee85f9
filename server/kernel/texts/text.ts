import type { Language } from '../languages.ts';

/** How a text reaches a phone. */
export const TEXT_CHANNELS = ['sms', 'whatsapp'] as const;
export type TextChannel = (typeof TEXT_CHANNELS)[number];

export interface Sms {
  channel: 'sms';
  /** E.164. */
  to: string;
  text: string;
}

/** A template that Meta approved, and what stands in its places. */
export interface WhatsAppMessage {
  channel: 'whatsapp';
  /** E.164. */
  to: string;
  template: string;
  language: Language;
  /** The texts of its named places; none is empty, has a line break or a tab, or four spaces in a row. */
  parameters: Readonly<Record<string, string>>;
  /** What its button's address ends with; undefined: it has none. */
  button?: string;
}

export type TextContent = Sms | WhatsAppMessage;

/** What becomes of a text, as it goes on: a later one is never followed by an earlier one. */
export const TEXT_STATUSES = [
  'queued',
  /** A carrier is being asked to take it. */
  'asked',
  /** A carrier was asked, and it is not known whether it took it: it is not sent again, since that may be a second time. */
  'unknown',
  /** Taken by the carrier. */
  'sent',
  'refused',
  'delivered',
  'read',
] as const;
export type TextStatus = (typeof TEXT_STATUSES)[number];
