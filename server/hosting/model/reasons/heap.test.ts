import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeapWatch } from './heap.ts';
import { reason } from './reason.ts';

const FULL = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';
const ABORTED = reason('killed', { signal: 'SIGABRT' });

test('an end is for a full heap where its output says so shortly before', () => {
  const watch = createHeapWatch();
  watch.add(['starting']);
  assert.equal(watch.isCauseOf(ABORTED), false);
  watch.add([FULL, '----- Native stack trace -----', ' 1: 0xe16044 node::OOMErrorHandler [node]']);
  for (const how of [ABORTED, reason('exited', { code: 134 }), reason('exited', { code: 1 })])
    assert.equal(watch.isCauseOf(how), true);
  for (const how of [reason('exited', { code: 0 }), reason('too_much_memory', { mebibytes: 512 })])
    assert.equal(watch.isCauseOf(how), false);
});

test('a process that goes on after one of its own ran out does not end for that', () => {
  const watch = createHeapWatch();
  watch.add([FULL]);
  for (let n = 0; n < 300; n += 1) watch.add([`request ${n}`]);
  assert.equal(watch.isCauseOf(ABORTED), false);
});
