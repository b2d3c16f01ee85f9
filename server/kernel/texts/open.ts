import type { Config } from '../config.ts';
import type { Carrier } from './carrier.ts';
import { type SmsCarrier, smsCarrier } from './sms.ts';
import type { TextChannel } from './text.ts';
import { whatsAppCarrier } from './whatsapp.ts';

/** Where carriers report what became of texts. */
export const SMS_REPORTS = '/reports/sms';
export const WHATSAPP_REPORTS = '/reports/whatsapp';

export interface Carriers {
  sms: SmsCarrier | undefined;
  /** Who takes texts, by channel. */
  byChannel: Partial<Record<TextChannel, Carrier>>;
}

/** The carriers that SMS_URL and WHATSAPP_URL name. */
export function openCarriers({
  smsUrl,
  whatsAppUrl,
  publicUrl,
}: Pick<Config, 'smsUrl' | 'whatsAppUrl' | 'publicUrl'>): Carriers {
  // Carriers refuse a text whose reports have no way to us.
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
