import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fields, refuseUnknown } from './fields.ts';
import { pageQuery, readPage, readPageLeniently } from './paging.ts';
import * as queryTypes from './query-types.ts';

test('a page is asked for in positive integers, and a limit is cut at 1000', () => {
  assert.deepEqual(readPage({ page: '3', limit: '5000' }), { page: 3, limit: 1000, offset: 2000n });
  const page = (query: Record<string, unknown>) => Object.values(readPageLeniently(query)).slice(0, 2);
  assert.deepEqual(page({}), [1, 20]);
  assert.deepEqual(page({ page: '3', limit: '50' }), [3, 50]);
  assert.deepEqual(page({ page: '0', limit: '-5' }), [1, 20]);
  assert.deepEqual(page({ page: '1.5', limit: 'ten' }), [1, 20]);
  assert.deepEqual(page({ page: ['1', '2'], limit: '5000' }), [1, 1000]);
  assert.deepEqual(page({ page: '9'.repeat(30), limit: '1e3' }), [1, 20]);
});

const table = {
  ...pageQuery,
  status: queryTypes.oneOf(['draft', 'published']),
  order: queryTypes.oneOfOr(['name', 'waiting'], 'name'),
  diets: queryTypes.someOf(['vegan', 'glatt']),
  tags: queryTypes.someTexts({ most: 2, longest: 5 }),
  search: queryTypes.text(5),
  id: queryTypes.id(),
  all: queryTypes.flag(),
};
const NOTHING = {
  page: 1,
  limit: 20,
  status: undefined,
  order: 'name',
  diets: undefined,
  tags: undefined,
  search: undefined,
  id: undefined,
  all: false,
};
const ID = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44';

test('what a query says is read as the schema has it', () => {
  assert.deepEqual(queryTypes.readQuery(table, {}), NOTHING);
  assert.deepEqual(
    queryTypes.readQuery(table, {
      status: 'draft',
      order: 'waiting',
      id: ID,
      all: 'true',
      page: '2',
      search: ' אבי ',
      diets: 'vegan,glatt,vegan',
      tags: ['כלה', ' חתן'],
    }),
    {
      status: 'draft',
      order: 'waiting',
      id: ID,
      all: true,
      page: 2,
      limit: 20,
      search: 'אבי',
      diets: ['vegan', 'glatt'],
      tags: ['כלה', 'חתן'],
    },
  );
  const read = (query: Fields) => queryTypes.readQuery(table, query);
  assert.deepEqual(read({ diets: ['glatt'] }).diets, ['glatt']);
  // Commas belong to the tag.
  assert.deepEqual(read({ tags: 'א,ב' }).tags, ['א,ב']);
  assert.equal(read({ all: 'false' }).all, false);
  assert.equal(read({ all: true }).all, true);
});

test('what does not fit is refused by its name, and passed over where a list always answers', () => {
  for (const [name, values] of Object.entries({
    page: ['0', '-1', '1.5', 'ten', '', ['1', '2'], '9'.repeat(30)],
    status: ['gone', '', 'draft,published', ['draft', 'published'], null],
    order: ['Name', ' '],
    diets: ['', 'vegan,', 'vegan,meat', [], [['vegan']], 5],
    tags: ['', ' ', [], ['a', ''], ['a', 'b', 'c'], 'longer', [['a']], 5, { a: 1 }],
    search: ['', ' ', 'longer', '\0', ['a', 'b']],
    id: ['1', '', [ID]],
    all: ['yes', '1', '', 'constructor', ['true'], null],
  })) {
    for (const value of values) {
      const refused = { name: 'Error', field: `filter.${name}` };
      assert.throws(
        () => queryTypes.readQuery(table, { [name]: value }, 'filter.'),
        refused,
        `${name}: ${value}`,
      );
      assert.deepEqual(queryTypes.readQueryLeniently(table, { [name]: value }), NOTHING);
    }
  }
});

test('a name that nobody reads is refused, with those that are', () => {
  const names = Object.keys(table);
  refuseUnknown(names, { page: '1', tags: 'a' });
  assert.throws(() => refuseUnknown(names, { page: '1', tagg: 'a' }, 'filter.'), {
    field: 'filter.tagg',
    complaint: { kind: 'unknown', names },
  });
});
