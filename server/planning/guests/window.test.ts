import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { windowOf } from './window.ts';

test('whatever end a page is read from, it is the same page', () => {
  fc.assert(
    fc.property(
      fc.nat(60),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 12 }),
      (total, limit, page) => {
        const rows = Array.from({ length: total }, (_, index) => index);
        const offset = (page - 1) * limit;
        const { backwards, skip, take } = windowOf(total, { limit, offset: BigInt(offset) });
        const read = backwards
          ? rows
              .toReversed()
              .slice(skip, skip + take)
              .reverse()
          : rows.slice(skip, skip + take);
        assert.deepEqual(read, rows.slice(offset, offset + limit));
        assert.ok(skip <= total / 2, 'the farther end was chosen');
      },
    ),
  );
});

test('a page far beyond the end is empty', () => {
  assert.deepEqual(windowOf(10, { limit: 1000, offset: 10n ** 20n }), { backwards: false, skip: 0, take: 0 });
});
