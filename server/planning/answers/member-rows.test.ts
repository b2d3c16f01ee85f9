import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Diet, type Member, NO_DETAILS } from '../guests/fields.ts';
import {
  countsOfRows,
  expectedRows,
  hasRowForEach,
  type MemberRow,
  memberRows,
  membersInRows,
  type RowsOf,
} from './member-rows.ts';

const person = (fields: Partial<Member>): MemberRow => ({
  id: '',
  name: null,
  child: false,
  meal: null,
  allergies: null,
  coming: true,
  ...fields,
});
const dana = person({ id: 'd', name: 'Dana' });
const away = person({ id: 'a', name: 'Ron', coming: false });

const party = (fields: Partial<RowsOf>): RowsOf => ({
  ...NO_DETAILS,
  name: 'Levy',
  coming_children: 0,
  coming: fields.party_size ?? 1,
  ...fields,
});

/** Rows in words: the name or `_`, `C` for a child, the meal. */
const words = (rows: readonly MemberRow[]) =>
  rows.map(({ name, child, meal }) =>
    [name ?? '_', ...(child ? ['C'] : []), ...(meal ? [meal] : [])].join(' '),
  );

test('a form has the known members, then blank rows for the others, and two more who may be brought', () => {
  const rows: [RowsOf, number, string[]][] = [
    [party({}), 1, ['Levy']],
    [party({}), 2, ['Levy', '_']],
    [party({ party_size: 2 }), 2, ['_', '_']],
    [party({ party_size: 2 }), 9, ['_', '_', '_', '_']],
    [party({ party_size: 2, members: [dana] }), 2, ['Dana', '_']],
    [party({ party_size: 3, coming: 2, members: [dana, away] }), 3, ['Dana', 'Ron', '_', '_']],
    [party({ party_size: 4, coming_children: 1, vegan: 1 }), 4, ['_ vegan', '_', '_', '_ C']],
    [party({ party_size: 3, coming_children: 1, childrens_meals: 1 }), 3, ['_', '_', '_ C childrens_meals']],
    [
      party({ party_size: 2, members: [{ ...dana, meal: 'vegan' }], vegan: 1, kosher: 1 }),
      2,
      ['Dana vegan', '_ kosher'],
    ],
  ];
  for (const [of, most, expected] of rows) assert.deepEqual(words(memberRows(of, most)), expected);
  assert.deepEqual(words(memberRows(party({ party_size: 2 }), 9, 4)).length, 6);
  assert.deepEqual(
    rows.map(([of]) => expectedRows(of)),
    [1, 1, 2, 2, 2, 3, 4, 3, 2],
  );
  const crowd = party({ party_size: 40, vegan: 3 });
  assert.equal(hasRowForEach(crowd), false);
  assert.deepEqual(words(memberRows(crowd, 40)), Array(10).fill('_'), 'its meals are asked as numbers');
});

test('children and meals are those of the people who come, the first of the rows without names', () => {
  const rows = [
    dana,
    { ...away, meal: 'vegan' as Diet },
    person({ meal: 'vegan' }),
    person({ child: true }),
    person({ child: true, meal: 'kosher' }),
  ];
  const counts = (coming: number) => {
    const { coming_children, vegan, kosher } = countsOfRows(rows, coming);
    return [coming_children, vegan, kosher];
  };
  assert.deepEqual(counts(1), [0, 0, 0]);
  assert.deepEqual(counts(2), [0, 1, 0]);
  assert.deepEqual(counts(3), [1, 1, 0]);
  assert.deepEqual(counts(4), [2, 1, 1]);
});

test('a row without name, meal and allergies is nobody, unless it was somebody without a name', () => {
  const unnamed = person({ id: 'u' });
  const rows = [
    person({ id: 'd' }),
    unnamed,
    person({ name: 'Noa' }),
    person({}),
    person({ meal: 'vegan' }),
    person({ allergies: 'nuts' }),
  ];
  const ids = (coming: number) =>
    membersInRows(rows, coming, [dana, unnamed]).map((row) => rows.indexOf(row));
  assert.deepEqual(ids(6), [1, 2, 4, 5]);
  assert.deepEqual(ids(5), [1, 2, 4]);
});
