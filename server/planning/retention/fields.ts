import * as fieldTypes from '../../kernel/field-types.ts';
import { LARGEST_INTEGER } from '../../kernel/fields.ts';
import { eventFields } from '../events/fields.ts';

/** Retention period of guests' data; changeable until the data is erased. */
export const retentionFields = {
  retention_policy_days: {
    type: fieldTypes.wholeNumber(0, LARGEST_INTEGER),
    label: eventFields.retention_policy_days.label,
    example: 90,
  },
} as const;
