import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDotenv } from '../../server/hosting/applications/dotenv.ts';
import {
  compareVariables,
  readEnvFile,
  writeEnvFile,
} from '../../web/src/features/site-variables/api/env-file.ts';

const read = (text: string) => {
  const { variables, refused } = readEnvFile(text);
  return [Object.fromEntries(variables), refused.map(({ line, problem }) => `${line} ${problem}`)];
};

const ACCEPTED = [
  '',
  '\ufeffA=1\r\nB=2\r\n',
  '# a comment\n\n  export A = one # and more\nB=two#three\nC=\n',
  'A=\'one # $B \\n\'\nB="one\\ttwo \\"three\\" \\\\n"',
  'KEY="-----BEGIN KEY-----\nabc\n-----END KEY-----"\nNEXT=1',
  "A='one\ntwo'  # over two lines\nA=last",
  'URL=postgres://noa:p%40ss@db/menu?ssl=true\nשלום=no'.split('\n')[0] ?? '',
  '__proto__=1\nconstructor=2',
];

test('a pasted .env file is read as the server reads it', () => {
  for (const text of ACCEPTED) {
    const server = Object.fromEntries(readDotenv(text).map(({ name, value }) => [name, value]));
    assert.deepEqual(read(text), [server, []], text);
  }
});

test('each line that the server would refuse is named, and the others are read', () => {
  for (const [text, variables, refused] of [
    ['A=1\nnot a variable\nB=2', { A: '1', B: '2' }, ['2 notAssignment']],
    ['1A=1\nA-B=2\nשם=3\nC=4', { C: '4' }, ['1 notAssignment', '2 notAssignment', '3 notAssignment']],
    ['A="never closed\nB=2\nC=3', { B: '2', C: '3' }, ['1 openQuote']],
    ['A="one\ntwo" three\nB=2', { B: '2' }, ['2 afterQuote']],
    ['PORT=1\nexport PATH=/bin\nB=2', { B: '2' }, ['1 serverSets', '2 serverSets']],
    [`A=${'x'.repeat(65_537)}\nB=${'ש'.repeat(32_768)}`, { B: 'ש'.repeat(32_768) }, ['1 tooLong']],
  ] as const)
    assert.deepEqual(read(text), [variables, refused], text.slice(0, 40));
});

test('an import says what it adds, changes and leaves, and deletes only if it replaces all', () => {
  const before = { A: '1', B: '2', C: '' };
  const file = new Map([
    ['D', '4'],
    ['A', '1'],
    ['B', 'other'],
  ]);
  const effects = (isWhole: boolean) =>
    compareVariables(before, file, isWhole).map(({ name, effect }) => `${name} ${effect}`);
  assert.deepEqual(effects(false), ['A equal', 'B changed', 'D added']);
  assert.deepEqual(effects(true), ['A equal', 'B changed', 'C deleted', 'D added']);
  assert.deepEqual(compareVariables({}, new Map([['toString', 'x']]), true), [
    { name: 'toString', effect: 'added' },
  ]);
});

test('variables that are downloaded can be pasted again', () => {
  const variables = {
    PLAIN: 'postgres://noa@db:5432/menu',
    EMPTY: '',
    SPACES: '  two words # no comment ',
    LINES: '-----BEGIN-----\nabc\n-----END-----\n',
    SINGLE: "it's",
    BOTH: `"it's" \\n`,
    RETURN: 'one\r\ntwo',
    HEBREW: 'ברוכים הבאים',
  };
  assert.deepEqual(read(writeEnvFile(variables)), [variables, []]);
});
