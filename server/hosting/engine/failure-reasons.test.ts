import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import type { Reason } from '../model/reasons/reason.ts';
import { engineErrorFor } from './errors.ts';
import { withFailureReasons } from './failure-reasons.ts';

const reasonOf = async (error: Error): Promise<Reason> => {
  try {
    await withFailureReasons(() => Promise.reject(error));
  } catch (failure) {
    assert.ok(failure instanceof RuntimeFailure, String(failure));
    return failure.reason;
  }
  assert.fail('nothing failed');
};
const codeOf = async (error: Error) => (await reasonOf(error)).code;

test('an engine whose disk is full is told by that, and what else it says by its words', async () => {
  const said = 'write /var/lib/docker/overlay2/1-init/link: no space left on device';
  assert.equal(await codeOf(engineErrorFor(500, said)), 'no_room');
  assert.equal(await codeOf(engineErrorFor(409, 'the container is used')), 'cant_run');
});

test('of where an engine has its files nobody is told who deploys', async () => {
  const layer = 'a1b2'.repeat(16);
  for (const root of [
    `/srv/docker/overlay2/${layer}/merged`,
    `/srv/docker/vfs/dir/${layer}`,
    `/srv/docker/volumes/${layer}/_data`,
  ]) {
    const { params } = await reasonOf(engineErrorFor(500, `mkdir ${root}/srv/wd: too many links`));
    assert.deepEqual(params, { error: 'mkdir /srv/wd: too many links' });
  }
});
