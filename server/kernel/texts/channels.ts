import { Refusal } from '../refusal.ts';
import { closedWords } from './messages.ts';
import { TEXT_CHANNELS } from './text.ts';
import type { Texts } from './texts.ts';

/** True if this server can send messages in a channel: SMS and WhatsApp need a carrier, the others don't. */
export function isChannelOpen(channel: string, { channels }: Pick<Texts, 'channels'>): boolean {
  const text = TEXT_CHANNELS.find((one) => one === channel);
  return text === undefined || channels[text] !== undefined;
}

/** Throws a 409 if a message is to be sent in a channel for which no carrier is set up. */
export function refuseClosedChannel(field: string, channel: string, texts: Pick<Texts, 'channels'>): void {
  if (!isChannelOpen(channel, texts)) throw new Refusal(409, 'channel_closed', closedWords, { field });
}
