import type { FieldType } from '../../kernel/field-types.ts';
import { DATE_TIME, FieldProblem, readDateTime } from '../../kernel/fields.ts';
import { STEPS } from './levels.ts';

const since: FieldType<Temporal.Instant | undefined> = {
  read: (name, value) => (value === undefined ? undefined : readDateTime(name, value, 'UTC')),
  schema: {
    type: 'string',
    pattern: DATE_TIME,
    description: 'ISO 8601; by default 24 hours ago. Figures are kept for 30 days.',
  },
};

const step: FieldType<number | undefined> = {
  read(name, value) {
    if (value === undefined) return undefined;
    const found = STEPS.find((one) => String(one) === value);
    if (found === undefined) throw new FieldProblem(name, { kind: 'choice', choices: STEPS.map(String) });
    return found;
  },
  schema: {
    type: 'integer',
    enum: STEPS,
    description:
      'Seconds of an interval. Minutes are kept for 3 hours, 5 minutes for 2 days: before that the steps are longer.',
  },
};

export const figuresQuery = { since, step };
