import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import * as takes from '../../kernel/field-types.ts';

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
  approvals: {
    takes: takes.described(
      takes.orDefault(takes.yesOrNo(), false),
      'Licences and approvals of the checklist that are not settled yet, on the days they are due; of the next 50 events.',
    ),
    empty: false,
    label: { he: 'אישורים', ar: 'الموافقات', en: 'Approvals' },
  },
} as const;
export type FeedInput = takes.ValuesOf<typeof feedFields>;
