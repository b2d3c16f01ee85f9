import * as takes from '../../kernel/takes.ts';

const on = takes.yesOrNo();

/** What guests, and the organizer, are told by itself, each with a switch. */
export const noticeFields = {
  moved_up: { takes: on, empty: true, shown: 'To who got a place from the waiting list.' },
  accepted: { takes: on, empty: true, shown: 'To whose request to come was accepted.' },
  declined: { takes: on, empty: true, shown: 'To whose request to come was declined.' },
  day_before: { takes: on, empty: true, shown: 'To who comes, on the day before.' },
  digest: {
    takes: on,
    empty: true,
    shown: 'To the organizer, each morning: what guests answered and asked.',
  },
} as const;
export type Notices = takes.ValuesOf<typeof noticeFields>;
