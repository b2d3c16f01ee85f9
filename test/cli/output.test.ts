import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SERVER_VARIABLES } from '../../cli/src/commands/dotenv-file.ts';
import { counted } from '../../cli/src/output/counted.ts';
import { FIELD_WORDS, fieldWords } from '../../cli/src/output/field-words.ts';
import { LEFT_OUT_WORDS } from '../../cli/src/output/left-out-words.ts';
import { OPERATION_WORDS } from '../../cli/src/output/operation-words.ts';
import { logLine, printable } from '../../cli/src/output/printable.ts';
import { tableOf, truncate } from '../../cli/src/output/table.ts';
import { terminalAt } from '../../cli/src/output/terminal.ts';
import { bytesText, duration, spanOf, timeAgo } from '../../cli/src/output/time.ts';
import { RESERVED_VARIABLES } from '../../server/hosting/sandbox/confined.ts';
import { words as messageWords } from '../../web/src/features/messages/words.ts';
import { words as consoleFields, fieldWord } from '../../web/src/features/site-people/api/history-fields.ts';
import { words as consoleWords } from '../../web/src/features/site-people/api/operation-words.ts';

const TERMINAL = { ...terminalAt({ isTTY: false } as never), isTerminal: true, columns: 30 };
const NO_TERMINAL = { ...TERMINAL, isTerminal: false, columns: Number.POSITIVE_INFINITY };

test('a noun is in the plural unless there is one', () => {
  assert.deepEqual(
    [0, 1, 2].map((number) => counted(number, 'file')),
    ['0 files', '1 file', '2 files'],
  );
});

test('changes of an application are called as in the console', () => {
  assert.deepEqual(
    OPERATION_WORDS,
    Object.fromEntries(Object.entries(consoleWords).map(([operation, { en }]) => [operation, en])),
  );
});

test('changed fields of an application are called as in the console, and names that people gave stay', () => {
  assert.deepEqual(
    FIELD_WORDS,
    Object.fromEntries(Object.entries(consoleFields).map(([field, { en }]) => [field, en])),
  );
  for (const [operation, field, expected] of [
    ['updateDomain', 'redirect_to', 'Redirects to'],
    ['updateEnvironment', 'name', 'name'],
    ['scaleProcesses', 'build', 'build'],
  ] as const) {
    assert.equal(fieldWords(operation, field), expected);
    const word = fieldWord(operation, field);
    assert.equal(word === undefined ? field : consoleFields[word].en, expected);
  }
});

test('variables of the server are left out of a .env file as it refuses them', () => {
  assert.deepEqual(SERVER_VARIABLES, RESERVED_VARIABLES);
});

test('reasons why guests get no message are called as in the console', () => {
  const reasons = Object.entries(messageWords).filter(([name]) => name.startsWith('why_'));
  assert.deepEqual(LEFT_OUT_WORDS, Object.fromEntries(reasons.map(([name, { en }]) => [name.slice(4), en])));
});

test('texts of others reach a terminal without what it would obey', () => {
  for (const [text, shown] of [
    ['a\u001b[2Jb', 'ab'],
    ['\u001b]0;title\u0007rest', 'rest'],
    ['a\u009b31mb', 'ab'],
    ['back\u0008\u0007 \u007f', 'back '],
    ['a\u202eb\u2066c', 'abc'],
    ['עוגה\tx\ny', 'עוגה\tx\ny'],
  ] as const)
    assert.equal(printable(text), shown);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[^\P{Cc}\n\t]/u.test(printable(text))));
});

test('lines of logs keep their colours on a terminal that shows colours, and nothing else it would obey', () => {
  const line = '\u001b[31mred\u001b[2J\u202e\u001b[0m';
  const on = (isTerminal: boolean, hasColours: boolean) => logLine(line, { isTerminal, hasColours });
  assert.equal(on(true, true), '\u001b[31mred\u001b[0m\u001b[0m');
  assert.equal(on(true, false), 'red');
  assert.equal(logLine('plain', { isTerminal: true, hasColours: true }), 'plain');
});

test('a table fits its terminal, shortens what may be shortened, and keeps wide letters and Hebrew in place', () => {
  const columns = [
    { heading: 'name', text: (row: string[]) => row[0] ?? '', canShrink: true },
    { heading: 'state', text: (row: string[]) => row[1] ?? '' },
  ];
  const rows = [
    ['a name that is far too long for a line', 'live'],
    ['חתונה', 'down'],
    ['婚礼', 'live'],
  ];
  assert.equal(
    tableOf(columns, rows, TERMINAL),
    [
      'name                     state',
      'a name that is far too…  live',
      '\u2068חתונה\u2069                    down',
      '婚礼                     live',
    ].join('\n'),
  );
  assert.equal(tableOf(columns, [['a\tb\nc', 'live']], NO_TERMINAL), 'a b c\tlive');
  assert.equal(tableOf(columns, [], TERMINAL), '');
  assert.equal(truncate('שלום עולם', 5), 'שלום…');
});

test('times, durations and sizes are short', () => {
  const now = Date.parse('2027-06-15T12:00:00Z');
  for (const [instant, shown] of [
    ['2027-06-15T11:59:58Z', 'just now'],
    ['2027-06-15T11:59:18Z', '42 s ago'],
    ['2027-06-15T11:30:00Z', '30 min ago'],
    ['2027-06-14T11:00:00Z', '1 d ago'],
    ['2027-01-14T11:00:00Z', '2027-01-14'],
    ['2027-06-15T14:00:00Z', 'in 2 h'],
  ] as const)
    assert.equal(timeAgo(instant, now), shown);
  assert.deepEqual([340, 9_949, 64_000].map(duration), ['0.3 s', '9.9 s', '1 min 4 s']);
  assert.deepEqual([0, 900, 1536, 1_000_000, 5e9].map(bytesText), [
    '0 B',
    '900 B',
    '1.5 kB',
    '1.0 MB',
    '5.0 GB',
  ]);
  assert.deepEqual(['10m', '90s', '2 h', 'soon'].map(spanOf), [600_000, 90_000, 7_200_000, undefined]);
});
