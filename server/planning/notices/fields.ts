import * as fieldTypes from '../../kernel/field-types.ts';
import type { TextChannel } from '../../kernel/texts/text.ts';

const on = fieldTypes.yesOrNo();

/** Channels of automatic messages. */
export const NOTICE_CHANNELS = ['mail', 'sms', 'whatsapp'] as const satisfies readonly (
  | 'mail'
  | TextChannel
)[];
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

/** Switches of the automatic messages to guests and to the organizer, and the channels to guests. */
export const noticeFields = {
  moved_up: { type: on, empty: true, shown: 'To who got a place from the waiting list.' },
  accepted: { type: on, empty: true, shown: 'To whose request to come was accepted.' },
  declined: { type: on, empty: true, shown: 'To whose request to come was declined.' },
  day_before: { type: on, empty: true, shown: 'To who comes, on the day before.' },
  digest: {
    type: on,
    empty: true,
    shown: 'To the organizer, each morning: what guests answered and asked.',
  },
  channels: {
    type: fieldTypes.someOf(NOTICE_CHANNELS),
    empty: ['mail'] as NoticeChannel[],
    shown: 'How guests are told: each by the first of these that reaches them.',
    example: ['whatsapp', 'mail'],
  },
} as const;
export type Notices = fieldTypes.ValuesOf<typeof noticeFields>;
