import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor } from './redaction.ts';
import { sanitizedColors, sanitizedOutput } from './sanitized-output.ts';

test('a secret with something invisible in its middle is hidden like any other', () => {
  const hide = createRedactor(['the secret', 'with\x07bell']);
  assert.equal(sanitizedOutput('the \x1b[1msec\u200bret and with\x07bell', hide), '•••••• and ••••••');
});

test('of a long line the head is shown, and no half letter', () => {
  const line = sanitizedOutput(`${'x'.repeat(7_999)}🎂`, (line) => line);
  assert.equal(line.length, 8_000);
  assert.ok(line.isWellFormed());
});

test('a line keeps its colours, and no secret that a colour splits', () => {
  const hide = createRedactor(['the secret', 'nope']);
  const cases = {
    '\x1b[1;31mred\x1b[0m': '\x1b[1;31mred\x1b[0m',
    '\x1b[38;2;1;2;3mtrue\x1b[m\x1b[2J\x1b]0;title\x07': '\x1b[38;2;1;2;3mtrue\x1b[m',
    '\x1b[32mthe secret\x1b[0m': '\x1b[32m••••••\x1b[0m',
    '\x1b[32mthe \x1b[31msecret\x1b[0m': '••••••',
    '\x1b[32mthe sec\u200b\x1b[1mret': '••••••',
    '\x1b[32mnope\x1b[0m': '••••••',
    '\x1b[8mconcealed\x1b[31;08;1mred\x1b[;8mend': 'concealed\x1b[31;1mred\x1b[mend',
    '\x1b[38;5;8mgrey\x1b[48;2;8;8;8;8mx\x1b[38;8mx\x1b[8:1mx': '\x1b[38;5;8mgrey\x1b[48;2;8;8;8mx\x1b[38mxx',
    'a \x9b31m\x1b[?25l\x1b[3 q b': 'a  b',
  };
  for (const [line, stored] of Object.entries(cases)) assert.equal(sanitizedColors(line, hide), stored);
  const long = sanitizedColors(`${'x'.repeat(7_997)}\x1b[31mred`, (line) => line);
  assert.equal(long, 'x'.repeat(7_997));
});
