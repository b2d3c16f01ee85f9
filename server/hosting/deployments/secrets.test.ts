import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRedactor } from './secrets.ts';

test('a value is hidden as it is, in JSON, in an address, in base64', () => {
  const hide = createRedactor(['p"ss word/1']);
  const base64 = Buffer.from('p"ss word/1').toString('base64');
  const line = `p"ss word/1 ${JSON.stringify({ a: 'p"ss word/1' })} ?x=${encodeURIComponent('p"ss word/1')} ${base64}`;
  assert.equal(hide(line), '•••••• {"a":"••••••"} ?x=•••••• ••••••');
});

test('each line of a value of several lines is hidden', () => {
  const hide = createRedactor(['-----BEGIN KEY-----\nabcdefgh\nijklmnop\n']);
  assert.equal(hide('got abcdefgh'), 'got ••••••');
});

test('a short value is hidden as a word, and words that hold it stay', () => {
  const hide = createRedactor(['1', 'on']);
  assert.equal(
    hide('added 1 package on port 3100 in one second'),
    'added •••••• package •••••• port 3100 in one second',
  );
});

test('no value of any length survives where it stands alone in a line', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 5 }),
      fc.string(),
      (values, other) => {
        const hide = createRedactor(values);
        for (const value of values.map((one) => one.trim()).filter((one) => one.length >= 6)) {
          assert.ok(
            !hide(`${other} ${value} ${other}`.replaceAll('\n', ' ')).includes(value) ||
              /^[•\s]*$/.test(value),
          );
        }
      },
    ),
  );
});
