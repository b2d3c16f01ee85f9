import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostBodyBytes, requestLimits } from './request-limits.ts';

const operator = { answerMs: 60_000, mostAnswerMs: 300_000, mostBodyBytes: mostBodyBytes(100) };
const unlimited = { ...operator, mostBodyBytes: mostBodyBytes(0) };

const CASES = [
  ['nothing set', { response_seconds: null, max_body_mb: null }, operator, 60_000, 104_857_600],
  ['less than the operator allows', { response_seconds: 5, max_body_mb: 1 }, operator, 5_000, 1_048_576],
  ['more than the default', { response_seconds: 240, max_body_mb: 99 }, operator, 240_000, 103_809_024],
  [
    'more than the operator allows',
    { response_seconds: 900, max_body_mb: 500 },
    operator,
    300_000,
    104_857_600,
  ],
  ['no limit of the operator', { response_seconds: null, max_body_mb: 2 }, unlimited, 60_000, 2_097_152],
  [
    'no limit at all',
    { response_seconds: null, max_body_mb: null },
    unlimited,
    60_000,
    Number.POSITIVE_INFINITY,
  ],
] as const;

for (const [what, own, most, answerMs, bodyBytes] of CASES) {
  test(`limits of a request: ${what}`, () => {
    assert.deepEqual(requestLimits(own, most), { answerMs, bodyBytes });
  });
}
