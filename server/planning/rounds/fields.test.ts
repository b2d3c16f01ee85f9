import { test } from 'node:test';
import { assertSchemaAgrees, ruleForFields, TEXT_RULES } from '../../../test/support/schema-agreement.ts';
import { sendRoundSchema } from './contract.ts';
import { readNewRound } from './fields.ts';

const NOW = Temporal.Instant.from('2026-11-22T08:00:00Z');
const ID = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47';

test('what fits the schema of a round is refused by a named rule alone, and what does not is refused', () => {
  assertSchemaAgrees({
    schema: sendRoundSchema.body,
    read: (body) => readNewRound(body, NOW),
    rules: {
      ...TEXT_RULES,
      /** Audience: it must be given. */
      nobody: (_field, _value, { guest_ids, filter }) => guest_ids === undefined && filter === undefined,
      /** Text: required for the kind `message`. */
      missing: (field) => field === 'message',
      /** Own rules: an id is a UUID; a time is within two years. */
      own: ruleForFields('guest_ids', 'send_at', 'subject', 'message'),
      past: ruleForFields('send_at'),
      date_time: ruleForFields('send_at'),
    },
    telling: [
      'invitation',
      'reminder',
      'message',
      '2027-06-15T19:30',
      '2026-01-01T10:00Z',
      { hebrew: 'מחכים לכם!' },
      { hebrew: ' ', arabic: null },
      { hebrew: 5 },
      { klingon: 'x' },
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
