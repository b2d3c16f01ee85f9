import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decideRetry,
  type FailedRequest,
  isBackendGone,
  problemForFailure,
  type RetryDecision,
} from './retry-policy.ts';

/** GET request that a site with a single backend on a running machine did not answer. */
const BROKEN: FailedRequest = {
  failure: 'broken',
  method: 'GET',
  hasBody: false,
  toPeer: false,
  backendLost: false,
  alreadyTried: false,
  others: false,
  mayWait: true,
};

const ROWS: readonly [name: string, changed: Partial<FailedRequest>, decision: RetryDecision][] = [
  ['the only backend breaks', {}, 'fail'],
  ['one of several replicas breaks', { others: true }, 'other-backend'],
  ['one of several replicas breaks, after the deadline', { others: true, mayWait: false }, 'other-backend'],
  ['a second replica breaks under the same request', { others: true, alreadyTried: true }, 'fail'],
  ['a replica breaks under a POST request', { others: true, method: 'POST' }, 'fail'],
  ['a replica breaks under a PUT request', { others: true, method: 'PUT' }, 'fail'],
  ['a replica breaks under a HEAD request', { others: true, method: 'HEAD' }, 'other-backend'],
  ['a replica breaks under an OPTIONS request', { others: true, method: 'OPTIONS' }, 'other-backend'],
  ['a replica breaks under a request with a body', { others: true, hasBody: true }, 'fail'],
  ['the only backend is unreachable', { failure: 'unreachable' }, 'wait'],
  ['the only backend is unreachable for a POST request', { failure: 'unreachable', method: 'POST' }, 'wait'],
  ['the only backend is unreachable, with a body', { failure: 'unreachable', hasBody: true }, 'fail'],
  ['the only backend is unreachable, after the deadline', { failure: 'unreachable', mayWait: false }, 'fail'],
  ['one of several replicas is unreachable', { failure: 'unreachable', others: true }, 'other-backend'],
  [
    'a second replica is unreachable after another one broke',
    { failure: 'unreachable', others: true, alreadyTried: true },
    'other-backend',
  ],
  [
    'one of several replicas is unreachable, after the deadline',
    { failure: 'unreachable', others: true, mayWait: false },
    'fail',
  ],
  ['the peer gateway breaks', { toPeer: true }, 'wait'],
  ['the peer gateway breaks under a POST request', { toPeer: true, method: 'POST' }, 'fail'],
  ['the peer gateway breaks, after the deadline', { toPeer: true, mayWait: false }, 'fail'],
  ['the machine of the only backend is lost', { backendLost: true }, 'wait'],
  ['the machine of the only backend is lost under a POST', { backendLost: true, method: 'POST' }, 'fail'],
  ['the machine of one of several replicas is lost', { backendLost: true, others: true }, 'other-backend'],
  [
    'a second machine is lost under the same request',
    { backendLost: true, others: true, alreadyTried: true },
    'other-backend',
  ],
  ['a backend is late', { failure: 'late', others: true }, 'fail'],
  ['an upload is late', { failure: 'upload_late', hasBody: true, others: true }, 'fail'],
];

for (const [name, changed, decision] of ROWS) {
  test(`${name}: ${decision}`, () => assert.equal(decideRetry({ ...BROKEN, ...changed }), decision));
}

const failedRequests = fc.record({
  failure: fc.constantFrom<FailedRequest['failure']>('unreachable', 'broken', 'late', 'upload_late'),
  method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'),
  hasBody: fc.boolean(),
  toPeer: fc.boolean(),
  backendLost: fc.boolean(),
  alreadyTried: fc.boolean(),
  others: fc.boolean(),
  mayWait: fc.boolean(),
});

test('a request that a site may have received is never repeated if its method is unsafe', () => {
  fc.assert(
    fc.property(failedRequests, (failed) => {
      if (failed.failure === 'unreachable' || ['GET', 'HEAD', 'OPTIONS'].includes(failed.method)) return;
      assert.equal(decideRetry(failed), 'fail');
    }),
  );
});

test('a request only goes to another backend if there is one, and only waits for a backend that is gone', () => {
  fc.assert(
    fc.property(failedRequests, (failed) => {
      const decision = decideRetry(failed);
      if (decision === 'other-backend') assert.ok(failed.others);
      if (decision === 'wait') assert.ok(isBackendGone(failed) && failed.mayWait && !failed.others);
    }),
  );
});

test('an unreachable peer is not shown as a broken site', () => {
  assert.equal(problemForFailure('unreachable', true), 'site_elsewhere');
  assert.equal(problemForFailure('unreachable', false), 'site_broken');
  assert.equal(problemForFailure('broken', true), 'site_broken');
  assert.equal(problemForFailure('late', true), 'site_late');
  assert.equal(problemForFailure('upload_late', false), 'upload_late');
});
