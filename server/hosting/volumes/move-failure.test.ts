import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '../../kernel/config.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { messages } from './messages.ts';
import { moveFailureReason } from './move-failure.ts';

const CASES: readonly [string, unknown, string][] = [
  ['a full disk', Object.assign(new Error('write'), { code: 'ENOSPC' }), 'no_room'],
  ['contents over the limit', new Refusal(413, 'too_large', messages.tooLarge(16)), 'kept_too_large'],
  ['another refusal', new Refusal(400, 'no_archive', messages.noTar), 'kept_away'],
  ['a runtime that is not available', new ConfigError('no engine answers'), 'kept_away'],
  ['any other error', new Error('it is not there'), 'kept_away'],
];

for (const [name, error, code] of CASES) {
  test(`the reason after ${name} is ${code}`, () => {
    assert.equal(moveFailureReason(error).code, code);
  });
}
