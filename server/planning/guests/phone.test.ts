import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FieldProblem } from '../../kernel/fields.ts';
import { readablePhone, readPhone } from './phone.ts';

test('every usual way to write an Israeli number gives the same one', () => {
  const forms = [
    '050-123-4567',
    '0501234567',
    ' 050 123 4567 ',
    '050.123.4567',
    '+972501234567',
    '+972-50-123-4567',
    '972501234567',
    '00972501234567',
    '‪+972 50-123-4567‬',
    '٠٥٠١٢٣٤٥٦٧',
    501234567,
  ];
  for (const form of forms) assert.equal(readPhone('phone', form), '+972501234567', String(form));
  assert.equal(readPhone('phone', '(03) 123-4567'), '+97231234567');
  assert.equal(readPhone('phone', '+44 20 7946 0958'), '+442079460958');
});

test('what is no number of anybody is refused by the name of its field', () => {
  for (const wrong of [
    '123',
    '050-123-456',
    'אין',
    '',
    '05012345678901234',
    '050-1234567 ext 3',
    {},
    null,
    12,
  ]) {
    assert.throws(
      () => readPhone('phone', wrong),
      (error) => error instanceof FieldProblem && error.field === 'phone',
      String(wrong),
    );
  }
});

test('a number read once is read again as itself, also as people write it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2_000_000, max: 9_999_999 }),
      fc.constantFrom('050', '052', '054'),
      (rest, code) => {
        const number = readPhone('phone', `${code}-${rest}`);
        assert.match(number, /^\+9725\d{8}$/);
        assert.equal(readPhone('phone', number), number);
        assert.equal(readPhone('phone', readablePhone(number)), number);
      },
    ),
  );
});

test('any text at all is a number or refused, never a crash', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        assert.match(readPhone('phone', text), /^\+\d{6,15}$/);
      } catch (error) {
        assert.ok(error instanceof FieldProblem);
      }
    }),
  );
});
