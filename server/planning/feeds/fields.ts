import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import * as takes from '../../kernel/takes.ts';

/** What an organizer decides about their calendar feed. */
export const feedFields = {
  language: {
    takes: takes.orDefault(takes.oneOf(LANGUAGE_NAMES), 'hebrew'),
    empty: 'hebrew',
    label: { he: 'שפה', ar: 'اللغة', en: 'Language' },
  },
  payments: {
    takes: takes.described(takes.orDefault(takes.yesOrNo(), false), 'Payments that are due, on their days.'),
    empty: false,
    label: { he: 'תשלומים', ar: 'الدفعات', en: 'Payments' },
  },
} as const;
export type FeedInput = takes.ValuesOf<typeof feedFields>;
