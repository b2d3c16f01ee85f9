import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepFor } from './levels.ts';

const HOUR = 3_600;

for (const { age, requested, step } of [
  { age: HOUR, requested: undefined, step: 60 },
  { age: 3 * HOUR, requested: undefined, step: 60 },
  { age: 24 * HOUR, requested: undefined, step: 300 },
  { age: 7 * 24 * HOUR, requested: undefined, step: HOUR },
  { age: 30 * 24 * HOUR, requested: undefined, step: 6 * HOUR },
  // Finer intervals than those that are stored become those that are stored.
  { age: 24 * HOUR, requested: 60, step: 300 },
  { age: 30 * 24 * HOUR, requested: 60, step: HOUR },
  { age: HOUR, requested: 300, step: 300 },
  { age: 7 * 24 * HOUR, requested: 24 * HOUR, step: 24 * HOUR },
]) {
  test(`figures of ${age / HOUR} h in steps of ${requested ?? 'any length'} come in steps of ${step} s`, () => {
    assert.equal(stepFor(age, requested), step);
  });
}
