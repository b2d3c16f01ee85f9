import * as fieldTypes from '../../kernel/field-types.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';

export const feedFields = {
  language: {
    type: fieldTypes.orDefault(fieldTypes.oneOf(LANGUAGE_NAMES), 'hebrew'),
    empty: 'hebrew',
    label: { he: 'שפה', ar: 'اللغة', en: 'Language' },
  },
  payments: {
    type: fieldTypes.withDescription(
      fieldTypes.orDefault(fieldTypes.yesOrNo(), false),
      'Unpaid payments, on their due dates.',
    ),
    empty: false,
    label: { he: 'תשלומים', ar: 'الدفعات', en: 'Payments' },
  },
  approvals: {
    type: fieldTypes.withDescription(
      fieldTypes.orDefault(fieldTypes.yesOrNo(), false),
      'Open licences and approvals of the checklist, on their due dates; for the next 50 events.',
    ),
    empty: false,
    label: { he: 'אישורים', ar: 'الموافقات', en: 'Approvals' },
  },
} as const;
export type FeedInput = fieldTypes.ValuesOf<typeof feedFields>;
