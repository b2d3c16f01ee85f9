import { test } from 'node:test';
import { assertSchemaAgrees, ruleForFields, TEXT_RULES } from '../../../test/support/schema-agreement.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { changeCoOrganizerSchema, inviteCoOrganizerSchema } from './contract.ts';
import { accessField, coOrganizerFields } from './fields.ts';

for (const [what, schema, table] of [
  ['an invitation', inviteCoOrganizerSchema.body, coOrganizerFields],
  ['another access', changeCoOrganizerSchema.body, accessField],
] as const) {
  test(`what fits the schema of ${what} is refused by a named rule alone, and what does not is refused`, () => {
    assertSchemaAgrees({
      schema,
      read: (body) => readWhole(table, body),
      rules: { ...TEXT_RULES, email: ruleForFields('email') },
      telling: [
        'itai@example.com',
        'Itai@Example.com',
        'view',
        'view_without_contacts',
        'edit',
        `${'a'.repeat(250)}@b.co`,
      ],
    });
  });
}
