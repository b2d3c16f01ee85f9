import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cancelled } from '../../model/deployment-rows.ts';
import { LeaseLost } from '../../model/lease-fence.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { reason } from '../../model/reasons/reason.ts';
import { outcomeOf } from './outcome.ts';

const running = new AbortController().signal;
const ended = AbortSignal.abort(new LeaseLost());
const withCode = (code: string) => Object.assign(new Error(code), { code });

const cancelled = new Cancelled(reason('superseded'));
const failure = new RuntimeFailure(reason('release_gone'));

for (const [what, error, signal, expected] of [
  ['a cancellation', cancelled, running, { status: 'cancelled', reason: reason('superseded') }],
  [
    'a cancellation at the end of a term',
    cancelled,
    ended,
    { status: 'cancelled', reason: reason('superseded') },
  ],
  ['a failure of the site', failure, running, { status: 'failed', reason: reason('release_gone') }],
  ['a full disk', withCode('ENOSPC'), running, { status: 'failed', reason: reason('no_room') }],
  ['too many open files', withCode('EMFILE'), running, { status: 'failed', reason: reason('no_files') }],
  ['an unexpected error', new TypeError('x is undefined'), running, undefined],
] as const) {
  test(`${what} ends a deployment as ${expected?.reason.code ?? 'unexpected'}`, () => {
    assert.deepEqual(outcomeOf(error, signal), expected);
  });
}

for (const [what, error, signal] of [
  ['the lost lease', new LeaseLost(), running],
  ['an unavailable database', withCode('ECONNREFUSED'), running],
  ['any failure at the end of a term', failure, ended],
] as const) {
  test(`after ${what} a deployment has no outcome and is repeated`, () => {
    assert.throws(
      () => outcomeOf(error, signal),
      (thrown) => thrown === error,
    );
  });
}
