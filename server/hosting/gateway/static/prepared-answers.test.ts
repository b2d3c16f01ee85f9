import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PreparedAnswers } from './prepared-answers.ts';

const answerOf = (bytes: number) => ({
  headers: [],
  content: Buffer.alloc(bytes),
  etag: '"x"',
  modified: new Date(0),
});

test('prepared answers are forgotten together, soon after the first of them', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const prepared = new PreparedAnswers();
  prepared.add('/a', answerOf(1));
  context.mock.timers.tick(400);
  prepared.add('/b', answerOf(1));
  assert.ok(prepared.find('/a') && prepared.find('/b'));
  context.mock.timers.tick(100);
  assert.equal(prepared.find('/a') ?? prepared.find('/b'), undefined);
  prepared.add('/a', answerOf(1));
  assert.ok(prepared.find('/a'));
});

test('prepared answers have a limit of memory', () => {
  const prepared = new PreparedAnswers();
  for (let i = 0; i < 10; i += 1) prepared.add(`/${i}`, answerOf(5 * 2 ** 20));
  const held = Array.from({ length: 10 }, (_, i) => prepared.find(`/${i}`)).filter(Boolean);
  assert.equal(held.length, 6);
});
