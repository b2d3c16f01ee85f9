import * as fieldTypes from '../../kernel/field-types.ts';
import { LARGEST_INTEGER } from '../../kernel/fields.ts';
import { eventFields } from '../events/fields.ts';

/** What an organizer decides about how long guests' data is kept, until it has gone. */
export const retentionFields = {
  retention_policy_days: {
    type: fieldTypes.wholeNumber(0, LARGEST_INTEGER),
    label: eventFields.retention_policy_days.label,
    example: 90,
  },
} as const;
