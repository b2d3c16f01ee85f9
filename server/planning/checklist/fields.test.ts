import { test } from 'node:test';
import { assertSchemaAgrees, TEXT_RULES } from '../../../test/support/schema-agreement.ts';
import { readGiven } from '../../kernel/field-types.ts';
import { updateFactsSchema, updateItemSchema } from './contract.ts';
import { factFields, progressFields } from './fields.ts';

for (const [what, schema, table] of [
  ['facts', updateFactsSchema.body, factFields],
  ['an item', updateItemSchema.body, progressFields],
] as const) {
  test(`what fits the schema of ${what} is refused by a named rule alone, and what does not is refused`, () => {
    assertSchemaAgrees({
      schema,
      read: (body) => readGiven(table, body),
      rules: TEXT_RULES,
      telling: [true, false, 'open', 'done', 'האישור אצל דנה', 'a'.repeat(5001)],
    });
  });
}
