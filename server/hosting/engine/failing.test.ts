import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeFailure } from '../reasons/failure.ts';
import { refusalBy } from './connection.ts';
import { failing } from './failing.ts';

const codeOf = async (error: Error): Promise<string> => {
  try {
    await failing(() => Promise.reject(error));
  } catch (failure) {
    assert.ok(failure instanceof RuntimeFailure, String(failure));
    return failure.reason.code;
  }
  assert.fail('nothing failed');
};

test('an engine whose disk is full is told by that, and what else it says by its words', async () => {
  const said = 'write /var/lib/docker/overlay2/1-init/link: no space left on device';
  assert.equal(await codeOf(refusalBy(500, said)), 'no_room');
  assert.equal(await codeOf(refusalBy(409, 'the container is used')), 'cant_run');
});
