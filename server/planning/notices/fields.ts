import * as takes from '../../kernel/takes.ts';

const on = takes.yesOrNo();

/** What guests are told by themselves, each with a switch. */
export const noticeFields = {
  moved_up: { takes: on, empty: true, shown: 'To who got a place from the waiting list.' },
  accepted: { takes: on, empty: true, shown: 'To whose request to come was accepted.' },
  declined: { takes: on, empty: true, shown: 'To whose request to come was declined.' },
} as const;
export type Notices = takes.ValuesOf<typeof noticeFields>;
