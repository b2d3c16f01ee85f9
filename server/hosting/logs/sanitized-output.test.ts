import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor } from './redaction.ts';
import { sanitizedOutput } from './sanitized-output.ts';

test('a secret with something invisible in its middle is hidden like any other', () => {
  const hide = createRedactor(['the secret', 'with\x07bell']);
  assert.equal(sanitizedOutput('the \x1b[1msec\u200bret and with\x07bell', hide), '•••••• and ••••••');
});

test('of a long line the head is shown, and no half letter', () => {
  const line = sanitizedOutput(`${'x'.repeat(7_999)}🎂`, (line) => line);
  assert.equal(line.length, 8_000);
  assert.ok(line.isWellFormed());
});
