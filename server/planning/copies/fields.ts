import * as fieldTypes from '../../kernel/field-types.ts';
import type { Words } from '../../kernel/languages.ts';
import { eventFields } from '../events/fields.ts';

const flag = (description: string, label: Words) => ({
  type: fieldTypes.withDescription(fieldTypes.orEmpty(fieldTypes.yesOrNo(), false), description),
  empty: false,
  label,
});

/** Fields, in a request to duplicate an event, that choose which records are copied. */
export const extentFields = {
  guests: flag('Also copies the guests; they get new personal links.', {
    he: 'גם האורחים',
    ar: 'الضيوف أيضًا',
    en: 'Guests too',
  }),
  progress: flag(
    'Also copies progress: guests’ answers, statuses of bookings, payments, the checklist. Otherwise all of them start over.',
    { he: 'כולל ההתקדמות', ar: 'مع التقدّم', en: 'With progress' },
  ),
};

/**
 * Fields of a request to duplicate an event: which of its records are copied, and the event's fields whose value
 * differs in the copy.
 */
export const copyFields = { ...fieldTypes.toChangeTable(eventFields), ...extentFields };
