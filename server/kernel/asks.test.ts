import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as asks from './asks.ts';
import { pageQuery, readPage } from './paging.ts';

test('a page is asked for in positive integers, and a limit is cut at 1000', () => {
  const page = (query: Record<string, unknown>) => Object.values(readPage(query)).slice(0, 2);
  assert.deepEqual(page({}), [1, 20]);
  assert.deepEqual(page({ page: '3', limit: '50' }), [3, 50]);
  assert.deepEqual(page({ page: '0', limit: '-5' }), [1, 20]);
  assert.deepEqual(page({ page: '1.5', limit: 'ten' }), [1, 20]);
  assert.deepEqual(page({ page: ['1', '2'], limit: '5000' }), [1, 1000]);
  assert.deepEqual(page({ page: '9'.repeat(30), limit: '1e3' }), [1, 20]);
});

const table = {
  ...pageQuery,
  status: asks.oneOf(['draft', 'published']),
  order: asks.oneOfOr(['name', 'waiting'], 'name'),
  tag: asks.text(),
  id: asks.uuid(),
  all: asks.flag(),
};

test('what a query says is read as the schema has it', () => {
  const id = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44';
  assert.deepEqual(
    asks.readQuery(table, { status: 'draft', order: 'waiting', tag: ' כלה ', id, all: 'true', page: '2' }),
    { status: 'draft', order: 'waiting', tag: 'כלה', id, all: true, page: 2, limit: 20 },
  );
});

test('whatever a query says, it is answered: what does not fit is as if it were not given', () => {
  const nothing = {
    page: 1,
    limit: 20,
    status: undefined,
    order: 'name',
    tag: undefined,
    id: undefined,
    all: false,
  };
  const nonsense = fc.oneof(
    fc.array(fc.string(), { minLength: 2 }),
    fc.constantFrom('', ' ', 'gone', '\0', '-1', '0', '1.5', 'True'),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(table)), nonsense), ({ tag, ...query }) => {
      assert.deepEqual(asks.readQuery(table, query), nothing);
      const read = asks.readQuery(table, { tag }).tag;
      assert.ok(read === undefined || (read.trim() === read && read !== '' && !read.includes('\0')));
    }),
  );
});
