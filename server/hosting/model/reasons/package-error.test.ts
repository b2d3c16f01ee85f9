import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageErrorIn } from './package-error.ts';
import { describeReason } from './reason.ts';

const hintIn = (output: string) => {
  const hint = packageErrorIn(output.split('\n'));
  return hint && describeReason(hint, 'en');
};

// Output of node with jsonwebtoken 8
const OLD = `> node server.js

/app/node_modules/buffer-equal-constant-time/index.js:37
var origSlowBufEqual = SlowBuffer.prototype.equal;
                                  ^

TypeError: Cannot read properties of undefined (reading 'prototype')
    at Object.<anonymous> (/app/node_modules/buffer-equal-constant-time/index.js:37:35)
    at Module._compile (node:internal/modules/cjs/loader:1761:14)

Node.js v26.10.0`;

test('an error that a package throws at the start brings a hint at an earlier version', () => {
  assert.equal(
    hintIn(OLD),
    'The error comes from a package, and the site ran with Node.js 26.10.0. Older packages may need an earlier version, such as node: "22".',
  );
});

test('no hint where the site throws it, where the version is early already, and of another program', () => {
  assert.equal(hintIn(OLD.replaceAll('/app/node_modules/buffer-equal-constant-time', '/app')), undefined);
  assert.equal(hintIn(OLD.replace('v26.10.0', 'v22.21.1')), undefined);
  assert.equal(hintIn(OLD.replace('Node.js v26.10.0', '')), undefined);
  assert.equal(
    hintIn(`node:internal/modules/cjs/loader:1459
  throw err;
  ^

Error: Cannot find module 'express'
    at Function._resolveFilename (node:internal/modules/cjs/loader:1456:15)
    at Object.<anonymous> (/app/server.js:1:1)

Node.js v26.10.0`),
    undefined,
  );
});
