import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spansOf, withoutColors } from '../../web/src/components/log-view/ansi.ts';
import { type Level, type LogEntry, parseLine } from '../../web/src/components/log-view/log-lines.ts';

import { addToSections, rowsOf, type Section } from '../../web/src/components/log-view/log-steps.ts';
import { foldCase, partsOf } from '../../web/src/components/log-view/marks.ts';
import { remedyOf } from '../../web/src/features/site-deployments/api/remedies.ts';

const TIME = '2026-11-29T08:00:00.000Z';
const E = '\u001b';

test('colors of a terminal become spans, and whatever else it can do is left out', () => {
  const cases: [string, object[]][] = [
    ['plain', [{ text: 'plain' }]],
    [`${E}[32m✓${E}[0m built`, [{ text: '✓', color: 'green' }, { text: ' built' }]],
    [
      `${E}[1;31mError${E}[22m: x`,
      [
        { text: 'Error', color: 'red', isBold: true },
        { text: ': x', color: 'red' },
      ],
    ],
    [`${E}[38;5;9mx${E}[39my`, [{ text: 'x' }, { text: 'y' }]],
    [`${E}[48;2;1;2;3;94mx`, [{ text: 'x', color: 'blue' }]],
    [`${E}[2mdim${E}[m`, [{ text: 'dim', isDim: true }]],
    [`${E}[8mconcealed${E}[30;40mblack`, [{ text: 'concealed' }, { text: 'black', color: 'black' }]],
  ];
  for (const [line, spans] of cases) {
    assert.deepEqual(spansOf(line), spans, line);
    assert.equal(
      withoutColors(line),
      spansOf(line)
        .map(({ text }) => text)
        .join(''),
    );
  }
});

test('a match of the search is one part, whatever colors it has', () => {
  const parts = (text: string, searched: string) =>
    partsOf(text, searched).map(({ isMatch, spans }) => {
      const texts = spans.map((span) => (span.color ? `${span.color}:${span.text}` : span.text));
      return isMatch ? texts : texts.join('|');
    });
  assert.deepEqual(parts(`a ${E}[32mtest ${E}[31mfai${E}[0mled b`, 'st failed'), [
    'a |green:te',
    ['green:st ', 'red:fai', 'led'],
    ' b',
  ]);
  assert.deepEqual(parts('one One', 'one'), [['one'], ' ', ['One']]);
  assert.deepEqual(parts(`${E}[31mx`, ''), ['red:x']);
  assert.deepEqual(parts('', 'x'), []);
  // The lower case of İ is longer than İ.
  assert.deepEqual(parts('İİ Found', foldCase('found')), ['İİ ', ['Found']]);
});

test('a line has its time, its step or process, and a level', () => {
  const { time, step, text } = parseLine(`${TIME} [build] > build`, true);
  assert.deepEqual([time, step, text], [TIME, 'build', '> build']);
  const site = parseLine(`${TIME} worker.2 | [cache] cold`, false);
  assert.deepEqual([site.process, site.text], ['worker.2', '[cache] cold']);
  assert.equal(parseLine('no time', true).text, 'no time');
  const levels: [string, Level][] = [
    ['npm error code 1', 'error'],
    ['Error: Cannot find module ./guests', 'error'],
    ["a.ts(1,7): error TS2322: Type 'string'", 'error'],
    ['django.core.exceptions.ImproperlyConfigured: SECRET_KEY', 'plain'],
    ['KeyError: x', 'error'],
    ['sh: 1: gunicorn: command not found', 'error'],
    ['found 0 errors', 'plain'],
    ['npm warn deprecated x', 'warning'],
    ['(node:7) DeprecationWarning: old', 'warning'],
    ['$ npm run build', 'command'],
    ['✓ 12 modules transformed.', 'success'],
    ['terror in the title', 'plain'],
  ];
  for (const [line, level] of levels)
    assert.equal(parseLine(`${TIME} [build] ${line}`, true).level, level, line);
});

test('steps fold: their first and last lines become a header, and lines between steps have none', () => {
  const sections: Section[] = [];
  const lines: LogEntry[] = [];
  const add = (...texts: string[]) =>
    addToSections(
      sections,
      lines,
      texts.map((text) => parseLine(`${TIME} ${text}`, true)),
    );
  add(
    '[deploy] hello',
    '[source] …',
    '[source] commit 1',
    '[source] done in 0.10 s',
    '[deploy] type: server',
  );
  add(
    '[build] …',
    '[build] Error: burnt',
    '[deploy] beside',
    '[build] failed after 1.20 s',
    '[deploy] failed',
  );
  assert.deepEqual(
    sections.map(({ step, state, seconds, from, to, hasError }) => [
      step,
      state,
      seconds,
      from,
      to,
      hasError,
    ]),
    [
      [undefined, 'running', undefined, 0, 1, false],
      ['source', 'done', '0.10', 1, 2, false],
      [undefined, 'running', undefined, 2, 3, false],
      ['build', 'failed', '1.20', 3, 4, true],
      [undefined, 'running', undefined, 4, 6, false],
    ],
  );
  assert.deepEqual(
    rowsOf(sections, () => false),
    [0, -2, 1, 2, -4, 3, 4, 5],
  );
  assert.deepEqual(
    rowsOf(sections, ({ state }) => state === 'done'),
    [0, -2, 2, -4, 3, 4, 5],
  );
  // A server that was restarted starts over.
  add('[source] …', '[source] …');
  assert.deepEqual(
    sections.slice(-2).map(({ state }) => state),
    ['ended', 'running'],
  );
});

test('a failed deployment has a remedy by its output, or by its code', () => {
  const cases: [code: string | null, reason: string, advice: string | undefined][] = [
    [
      'command_failed',
      '`npm run build` exited with code 1. Output: “Error: Cannot find module ./x”.',
      'missingModule',
    ],
    ['command_failed', '`npm ci` exited with code 1. Output: “npm error code EUSAGE”.', 'lockfile'],
    ['command_failed', '`vite build` exited with code 127 (command not found).', 'notFound'],
    [
      'command_failed',
      '`x` exited with code 1. Output: “FATAL ERROR: JavaScript heap out of memory”.',
      'memory',
    ],
    ['command_failed', '`x` exited with code 3.', 'command'],
    [
      'ended_before_healthy',
      'The site did not start: it exited with code 1. Output: “DATABASE_URL is not set”.',
      'missingVariable',
    ],
    ['ended_before_healthy', 'The site did not start: it exited with code 0.', 'ended'],
    ['not_listening', 'The site did not listen on port 8080.', 'notListening'],
    ['no_access_without_deploy_key', 'The repository can’t be read.', 'noAccess'],
    ['a_code_to_come', 'Something.', undefined],
    [null, '', undefined],
  ];
  for (const [reason_code, reason, advice] of cases)
    assert.equal(remedyOf({ reason, reason_code })?.advice, advice, reason);
});
