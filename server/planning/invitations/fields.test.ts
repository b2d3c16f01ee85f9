import { test } from 'node:test';
import { assertDescribed, TEXT_RULES } from '../../../test/support/described.ts';
import { sendSchema } from './contract.ts';
import { readNewRound } from './fields.ts';

const ID = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47';

test('what fits the schema of a round is refused by a named rule alone, and what does not is refused', () => {
  assertDescribed({
    schema: sendSchema.body,
    read: readNewRound,
    rules: {
      ...TEXT_RULES,
      /** Whom it goes to has to be said. */
      nobody: (_field, _value, { guest_ids, filter }) => guest_ids === undefined && filter === undefined,
      /** An id of a guest is a UUID. */
      texts: (field) => field === 'guest_ids',
    },
    telling: [
      'invitation',
      'reminder',
      'מחכים לכם!',
      [ID],
      [ID, ID],
      [],
      {},
      { status: 'waiting' },
      { tag: 'עבודה' },
    ],
  });
});
