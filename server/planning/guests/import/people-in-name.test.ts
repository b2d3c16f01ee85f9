import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFamily, readPeopleInName } from './people-in-name.ts';

test('a name tells how many people it stands for', () => {
  for (const [written, name, people, children] of [
    ['משפחת כהן + 2', 'משפחת כהן', 3],
    ['משפחת כהן +2', 'משפחת כהן', 3],
    ['דנה כהן +1', 'דנה כהן', 2],
    ['דנה כהן (+1)', 'דנה כהן', 2],
    ['דנה כהן ועוד 2', 'דנה כהן', 3],
    ["חבר'ה מהעבודה (8 איש)", "חבר'ה מהעבודה", 8],
    ['משפחת ברק (5)', 'משפחת ברק', 5],
    ['משפחת ברק - 5 נפשות', 'משפחת ברק', 5],
    ['משפחת ברק 5', 'משפחת ברק', 5],
    ['צוות הגן x8', 'צוות הגן', 8],
    ['צוות הגן X 8', 'צוות הגן', 8],
    ['Team ×12', 'Team', 12],
    ['זוג פרץ', 'זוג פרץ', 2],
    ['זוג פרץ + 2 ילדים', 'זוג פרץ', 4, 2],
    ['דוד ואילנה', 'דוד ואילנה', 2],
    ['דוד כהן ואילנה לוי', 'דוד כהן ואילנה לוי', 2],
    ['דוד ואילנה פרץ', 'דוד ואילנה פרץ', 2],
    ['רון ושיר + תינוק', 'רון ושיר', 3, 1],
    ['רון ושיר (3)', 'רון ושיר', 3],
    ['רון ושיר (תינוק)', 'רון ושיר', 3, 1],
    ['דנה (2 ילדים)', 'דנה', 3, 2],
    ['משפחת ברק (2+3 ילדים)', 'משפחת ברק', 5, 3],
    ['יוסי כהן ואשתו', 'יוסי כהן ואשתו', 2],
    ['רות לוי ובן זוג', 'רות לוי ובן זוג', 2],
    ['Dana Cohen + 1', 'Dana Cohen', 2],
    ['Dana Cohen + guest', 'Dana Cohen', 2],
    ['Dana Cohen plus one', 'Dana Cohen', 2],
    ['David & Ilana', 'David & Ilana', 2],
    ['David and Ilana Peretz', 'David and Ilana Peretz', 2],
    ['Mr. & Mrs. Peretz', 'Mr. & Mrs. Peretz', 2],
    ['The Levi family (4)', 'The Levi family', 4],
    ['عائلة خوري + 2', 'عائلة خوري', 3],
    ['عائلة خوري (٥)', 'عائلة خوري', 5],
    ['أحمد وليلى', 'أحمد وليلى', 2],
    ['أحمد وزوجته', 'أحمد وزوجته', 2],
  ] as const) {
    assert.deepEqual(
      readPeopleInName(written),
      { name, people, ...(children !== undefined && { children }) },
      written,
    );
  }
});

test('names that only look like two people or a number stay one', () => {
  for (const name of [
    'דוד ויצמן',
    'רות ורד',
    'יעל וקנין',
    'משה ועקנין',
    'דנה כהן',
    'דנה (מהעבודה)',
    'דנה 2',
    'סבתא רבקה',
    'וויליאם ויקטור',
    'Cohen & Sons Ltd',
    'محمد وليد',
    'Dana (Ben’s sister)',
    'C++ team',
    'משפחת כהן',
    'משפחת כהן (1985)',
    'משפחת כהן (3 ילדים)',
    'דנה +972501',
    'Class x101',
  ]) {
    assert.equal(readPeopleInName(name), undefined, name);
  }
});

test('a family without a number is recognized', () => {
  for (const name of [
    'משפחת כהן',
    "משפ' לוי",
    'דוד כהן ומשפחתו',
    'The Levi family',
    'Cohen & family',
    'عائلة خوري',
  ])
    assert.ok(isFamily(name), name);
  for (const name of ['דנה כהן', 'משה פחימה', 'Dana Levi']) assert.ok(!isFamily(name), name);
});
