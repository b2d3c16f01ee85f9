import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { isDefaultBranch, isSigned, newHookSecret, pushedBranch } from './push.ts';

const secret = newHookSecret();
const hmac = (body: Buffer, key = secret) => createHmac('sha256', key).update(body).digest('hex');

test('GitHub’s, Gitea’s, Forgejo’s and GitLab’s way of signing pass, with the right secret over these bytes alone', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const body = Buffer.from(bytes);
      const more = Buffer.concat([body, Buffer.from(' ')]);
      const right = [
        { 'x-hub-signature-256': `sha256=${hmac(body)}` },
        { 'x-gitea-signature': hmac(body) },
        { 'x-forgejo-signature': hmac(body) },
      ];
      for (const headers of right) {
        assert.equal(isSigned(headers, body, secret), true);
        assert.equal(isSigned(headers, more, secret), false);
        assert.equal(isSigned(headers, body, newHookSecret()), false);
      }
      assert.equal(isSigned({ 'x-gitlab-token': secret }, body, secret), true);
    }),
  );
});

test('no signature, an empty one, an older kind and a wrong one beside a right one do not pass', () => {
  const body = Buffer.from('{}');
  const wrong = [
    {},
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': hmac(body) },
    { 'x-hub-signature': `sha1=${hmac(body)}` },
    { 'x-gitea-signature': '' },
    { 'x-gitlab-token': '' },
    { 'x-gitlab-token': `${secret}x` },
    { 'x-hub-signature-256': `sha256=${hmac(body, 'another')}`, 'x-gitlab-token': secret },
  ];
  for (const headers of wrong) assert.equal(isSigned(headers, body, secret), false, JSON.stringify(headers));
});

test('the branch of a push is told; pings, tags and deleted branches are no push to one', () => {
  const push = { 'x-github-event': 'push' };
  assert.equal(pushedBranch(push, { ref: 'refs/heads/main', after: 'ab' }), 'main');
  assert.equal(pushedBranch(push, { ref: 'refs/heads/feature/x' }), 'feature/x');
  assert.equal(pushedBranch({ 'x-gitlab-event': 'Push Hook' }, { ref: 'refs/heads/main' }), 'main');
  assert.equal(pushedBranch({ 'x-gitea-event': 'push' }, { ref: 'refs/heads/main' }), 'main');
  assert.equal(pushedBranch({ 'x-github-event': 'ping' }, { zen: 'x' }), undefined);
  assert.equal(pushedBranch(push, { ref: 'refs/tags/v1' }), undefined);
  assert.equal(pushedBranch(push, { ref: 'refs/heads/main', deleted: true }), undefined);
  assert.equal(pushedBranch(push, { ref: 'refs/heads/main', after: '0'.repeat(40) }), undefined);
  for (const payload of [undefined, null, 7, [], {}, { ref: 7 }])
    assert.equal(pushedBranch(push, payload), undefined);
});

test('the default branch is the one that the delivery names', () => {
  assert.equal(isDefaultBranch({ repository: { default_branch: 'trunk' } }, 'trunk'), true);
  assert.equal(
    isDefaultBranch({ project: { default_branch: 'trunk' }, repository: { name: 'x' } }, 'trunk'),
    true,
  );
  assert.equal(isDefaultBranch({ repository: { default_branch: 'trunk' } }, 'main'), false);
  for (const payload of [undefined, null, 7, [], {}, { repository: null }, { project: 'x' }]) {
    assert.equal(isDefaultBranch(payload, 'main'), false);
  }
});
