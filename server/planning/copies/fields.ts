import * as fieldTypes from '../../kernel/field-types.ts';
import type { Words } from '../../kernel/languages.ts';
import { eventFields } from '../events/fields.ts';

const flag = (description: string, label: Words) => ({
  type: fieldTypes.withDescription(fieldTypes.orEmpty(fieldTypes.yesOrNo(), false), description),
  empty: false,
  label,
});

/** Fields for the extent of a copy. */
export const extentFields = {
  guests: flag('The guests too, with links of their own.', {
    he: 'גם האורחים',
    ar: 'الضيوف أيضًا',
    en: 'Guests too',
  }),
  progress: flag(
    'How far things are: answers of guests, statuses of bookings, payments, the checklist. Else all of it begins anew.',
    { he: 'כולל ההתקדמות', ar: 'مع التقدّم', en: 'With progress' },
  ),
};

/** Fields of the request body: the extent, and the event's fields that differ in the copy. */
export const copyFields = { ...fieldTypes.toChangeTable(eventFields), ...extentFields };
