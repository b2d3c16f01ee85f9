import type { Config } from '../config.ts';
import type { Carrier } from './carrier.ts';
import { type SmsCarrier, smsCarrier } from './sms.ts';
import type { TextChannel } from './text.ts';
import { whatsAppCarrier } from './whatsapp.ts';

/** Paths at which carriers report what became of a text message. */
export const SMS_REPORTS = '/reports/sms';
export const WHATSAPP_REPORTS = '/reports/whatsapp';

export interface Carriers {
  sms: SmsCarrier | undefined;
  /** Carriers of text messages by channel; a channel that is not set up has none. */
  byChannel: Partial<Record<TextChannel, Carrier>>;
}

/** Makes the carriers of text messages that SMS_URL and WHATSAPP_URL describe. */
export function openCarriers({
  smsUrl,
  whatsAppUrl,
  publicUrl,
}: Pick<Config, 'smsUrl' | 'whatsAppUrl' | 'publicUrl'>): Carriers {
  // Carriers refuse a text message whose report address they can't reach, so an address without https is left out.
  const reportUrl = publicUrl.startsWith('https:')
    ? (id: string) => `${publicUrl}${SMS_REPORTS}/${id}`
    : undefined;
  const sms = smsUrl === undefined ? undefined : smsCarrier({ url: smsUrl, reportUrl });
  return {
    sms,
    byChannel: {
      ...(sms && { sms: sms as Carrier }),
      ...(whatsAppUrl !== undefined && { whatsapp: whatsAppCarrier(whatsAppUrl) as Carrier }),
    },
  };
}
