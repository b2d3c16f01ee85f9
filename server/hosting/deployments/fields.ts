import * as fieldTypes from '../../kernel/field-types.ts';
import { invalidField } from '../../kernel/fields.ts';
import { messages } from './messages.ts';

export const rollbackFields = {
  deployment_uuid: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.uuid(messages.deploymentUuid)),
      'The deployment whose release should run again; null: the previously live release.',
    ),
    empty: null,
  },
} as const satisfies fieldTypes.FieldTable;

const DEFAULT_LINES = 500;
const MOST_LINES = 10_000;

const lines: fieldTypes.FieldType<number> = {
  read(name, value) {
    if (value === undefined) return DEFAULT_LINES;
    const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0;
    if (number < 1 || number > MOST_LINES) throw invalidField(name, messages.lines);
    return number;
  },
  schema: { type: 'integer', minimum: 1, maximum: MOST_LINES, default: DEFAULT_LINES },
};

export const siteLogQuery = { lines };
