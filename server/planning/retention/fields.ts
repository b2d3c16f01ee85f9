import * as takes from '../../kernel/takes.ts';
import { eventFields } from '../events/fields.ts';

const { takes: count, label } = eventFields.retention_policy_days;

/** What an organizer decides about how long guests' data is kept, until it has gone. */
export const retentionFields = {
  retention_policy_days: { takes: takes.filled(count), label, example: 90 },
} as const;
