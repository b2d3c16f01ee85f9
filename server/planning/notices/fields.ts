import * as fieldTypes from '../../kernel/field-types.ts';
import type { TextChannel } from '../../kernel/texts/text.ts';

const on = fieldTypes.yesOrNo();

/** Channels in which automatic messages to guests can be sent. */
export const NOTICE_CHANNELS = ['mail', 'sms', 'whatsapp'] as const satisfies readonly (
  | 'mail'
  | TextChannel
)[];
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

/** Switches of the automatic messages to guests and to the organizer, and the channels to guests. */
export const noticeFields = {
  moved_up: { type: on, empty: true, shown: 'To guests who got a place from the waiting list.' },
  accepted: { type: on, empty: true, shown: 'To people whose request to come was accepted.' },
  declined: { type: on, empty: true, shown: 'To people whose request to come was declined.' },
  answered: {
    type: on,
    empty: true,
    shown: 'To guests who answered on their page, some minutes later.',
  },
  day_before: { type: on, empty: true, shown: 'To guests who come, on the day before the event.' },
  digest: {
    type: on,
    empty: true,
    shown: 'To the organizer, each morning: guests’ new answers and requests.',
  },
  channels: {
    type: fieldTypes.someOf(NOTICE_CHANNELS),
    empty: ['mail'] as NoticeChannel[],
    shown: 'Channels to guests: each guest gets the message by the first channel that reaches them.',
    example: ['whatsapp', 'mail'],
  },
} as const;
export type Notices = fieldTypes.ValuesOf<typeof noticeFields>;
