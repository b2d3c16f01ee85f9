import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDotenv } from './dotenv.ts';
import {
  DotenvText,
  LARGEST_VALUE,
  MOST_VARIABLES,
  readVariableChanges,
  variablesField,
} from './environment.ts';
import { valueChanges, valuesByName, withChanges } from './variable-definitions.ts';

const refused = (body: unknown, said: RegExp) => assert.throws(() => readVariableChanges(body), said);

test('names and values as an environment can carry them, null to delete', () => {
  const changes = { A: 'x', _b: '', c_3: 'שורה\nועוד', D: null };
  assert.deepEqual(readVariableChanges(changes), changes);
});

test('anything else is refused, and the sentence names the variable but never its value', () => {
  for (const name of ['', '1A', 'A-B', 'A B', 'A=B', 'ש', 'A.B', `A${'x'.repeat(255)}`]) {
    refused({ [name]: 'secret' }, /^Refusal|Error: (?!.*secret)/);
  }
  assert.throws(() => readVariableChanges({ '': 'x' }), { field: '""' });
  for (const value of [
    1,
    true,
    {},
    ['x'],
    'a\0b',
    'x'.repeat(LARGEST_VALUE + 1),
    'ש'.repeat(LARGEST_VALUE / 2 + 1),
  ]) {
    refused({ NAME: value }, /NAME/);
  }
  for (const body of [undefined, null, [], 'A=1', 7]) refused(body, /body/);
});

test('changes apply like assignments, and the set has its limit', () => {
  const changed = (before: Record<string, string>, change: Record<string, string | null>) => {
    const stored = withChanges([], valueChanges(before), MOST_VARIABLES);
    return valuesByName(withChanges(stored, valueChanges(change), MOST_VARIABLES));
  };
  const names = fc.constantFrom('A', 'B', 'C', 'D');
  const stored = fc.dictionary(names, fc.string());
  const changes = fc.dictionary(names, fc.option(fc.string()));
  fc.assert(
    fc.property(stored, changes, (before, change) => {
      const after = changed(before, change);
      for (const name of ['A', 'B', 'C', 'D']) {
        const wanted = name in change ? change[name] : before[name];
        assert.equal(after[name], wanted ?? undefined);
      }
    }),
  );
  const full = Object.fromEntries(Array.from({ length: MOST_VARIABLES }, (_, i) => [`V${i}`, 'x']));
  assert.equal(Object.keys(changed(full, { V0: 'y' })).length, MOST_VARIABLES);
  assert.throws(() => changed(full, { ONE_MORE: 'x' }), /200/);
  assert.ok(changed(full, { ONE_MORE: 'x', V0: null }));
});

test('what the server sets itself is refused by name, and can be deleted where it is stored', () => {
  for (const name of ['PORT', 'HOST', 'HOME', 'PATH']) {
    const why = { field: name, message: new RegExp(`${name} is set by the server itself`) };
    assert.throws(() => readVariableChanges({ FINE: 'x', [name]: '9' }), why);
    assert.throws(() => variablesField.read('env', { [name]: '9' }), why);
    assert.throws(() => readVariableChanges(new DotenvText(`A=1\nexport ${name}=9`)), {
      field: 'line 2',
      message: why.message,
    });
    assert.deepEqual(readVariableChanges({ [name]: null }), { [name]: null });
  }
  assert.deepEqual(readVariableChanges({ PORTS: '9', port: '9' }), { PORTS: '9', port: '9' });
});

test('a .env file is read as its libraries write it', () => {
  const values = (text: string) => readVariableChanges(new DotenvText(text));
  for (const [text, expected] of [
    ['', {}],
    ['\n  \n# nothing\n\t# A=1', {}],
    ['A=1', { A: '1' }],
    ['\ufeffA=1\r\nB=2\rC=3', { A: '1', B: '2', C: '3' }],
    ['export A=1\n  export\tB = 2  ', { A: '1', B: '2' }],
    ['A=', { A: '' }],
    ['A=   # empty', { A: '' }],
    ['A= #', { A: '' }],
    ['A=#f00', { A: '#f00' }],
    ['A=one two  # said of it', { A: 'one two' }],
    ['URL=https://x.example/#part?a=b=c', { URL: 'https://x.example/#part?a=b=c' }],
    ['A="x # y" # said of it', { A: 'x # y' }],
    ["A='x # y'#z", { A: 'x # y' }],
    ['A=""\nB=\'\'', { A: '', B: '' }],
    [String.raw`A="one\ntwo\t\"three\" \\n \d"`, { A: 'one\ntwo\t"three" \\n \\d' }],
    [String.raw`A='one\ntwo'`, { A: String.raw`one\ntwo` }],
    [String.raw`A=one\ntwo`, { A: String.raw`one\ntwo` }],
    [
      'KEY="-----BEGIN-----\nab\n-----END-----\n"\nB=2',
      { KEY: '-----BEGIN-----\nab\n-----END-----\n', B: '2' },
    ],
    ['A=$B $C "\nB="$A"', { A: '$B $C "', B: '$A' }],
    ['A=it\'s "quoted" within', { A: 'it\'s "quoted" within' }],
    ['A=1\nA=2', { A: '2' }],
    ['BRIDE=נועה ואיתי', { BRIDE: 'נועה ואיתי' }],
  ] as const)
    assert.deepEqual(values(text), expected, JSON.stringify(text));
});

test('what is wrong in a .env file is said by its line, and never shown', () => {
  for (const [text, line] of [
    ['A=1\nsecret', 2],
    ['1A=secret', 1],
    ['A-B=secret', 1],
    ['\n\nA: secret', 3],
    ['export A', 1],
    ['A="one\ntwo"\nB="secret', 3],
    ["A='secret", 1],
    ['A="one\ntwo" secret', 2],
    ['A=1\nB="secret\\"', 2],
    [`A=1\nB=${'secret'.repeat(11_000)}`, 2],
    ['A=secret\0', 1],
    [`${'A'.repeat(256)}=secret`, 1],
  ] as const)
    assert.throws(
      () => readVariableChanges(new DotenvText(text)),
      (error: Error & { field?: string }) => error.field === `line ${line}` && !/secret/.test(error.message),
      JSON.stringify(text).slice(0, 60),
    );
  const many = Array.from({ length: 2 * MOST_VARIABLES + 1 }, (_, index) => `V${index}=`).join('\n');
  assert.throws(() => readVariableChanges(new DotenvText(many)), { field: 'body' });
});

test('whatever is put into double quotes comes out of them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const normal = value.replace(/\r\n?/g, '\n');
      const quoted = normal.replace(/["\\]/g, '\\$&');
      assert.deepEqual(
        readDotenv(`A="${quoted}" # b\nB=1`).map((one) => one.value),
        [normal, '1'],
      );
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        readDotenv(text);
      } catch (error) {
        assert.match((error as { field: string }).field, /^line \d+$/);
      }
    }),
  );
});
