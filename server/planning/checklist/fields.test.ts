import { test } from 'node:test';
import { assertDescribed, TEXT_RULES } from '../../../test/support/described.ts';
import { readGiven } from '../../kernel/field-types.ts';
import { updateFactsSchema, updateItemSchema } from './contract.ts';
import { factFields, progressFields } from './fields.ts';

for (const [what, schema, table] of [
  ['facts', updateFactsSchema.body, factFields],
  ['an item', updateItemSchema.body, progressFields],
] as const) {
  test(`what fits the schema of ${what} is refused by a named rule alone, and what does not is refused`, () => {
    assertDescribed({
      schema,
      read: (body) => readGiven(table, body),
      rules: TEXT_RULES,
      telling: [true, false, 'open', 'done', 'האישור אצל דנה', 'a'.repeat(5001)],
    });
  });
}
