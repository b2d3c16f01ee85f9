import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { newHookSecret } from '../applications/hook-secret.ts';
import { readDelivery } from './delivery.ts';
import { isSigned } from './signature.ts';

const nothing = (why: string) => ({ what: 'nothing', why });
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

test('the branch of a push is told, and whether it is the default one; pings and tags tell nothing', () => {
  const push = { 'x-github-event': 'push' };
  const pushed = (branch: string, isDefault = false) => ({
    what: 'pushed',
    branch,
    isDefault,
    skipsCi: false,
  });
  assert.deepEqual(readDelivery(push, { ref: 'refs/heads/main', after: 'ab' }), pushed('main'));
  assert.deepEqual(readDelivery(push, { ref: 'refs/heads/feature/x' }), pushed('feature/x'));
  const trunk = { ref: 'refs/heads/trunk', repository: { default_branch: 'trunk' } };
  assert.deepEqual(readDelivery(push, trunk), pushed('trunk', true));
  assert.deepEqual(readDelivery(push, { ...trunk, ref: 'refs/heads/main' }), pushed('main'));
  assert.deepEqual(readDelivery({ 'x-gitea-event': 'push' }, trunk), pushed('trunk', true));
  const gitlab = { ref: 'refs/heads/trunk', project: { default_branch: 'trunk' }, repository: { name: 'x' } };
  assert.deepEqual(readDelivery({ 'x-gitlab-event': 'Push Hook' }, gitlab), pushed('trunk', true));
  assert.deepEqual(readDelivery({ 'x-github-event': 'ping' }, { zen: 'x' }), nothing('other_event'));
  assert.deepEqual(readDelivery({}, trunk), nothing('other_event'));
  assert.deepEqual(readDelivery(push, { ref: 'refs/tags/v1' }), nothing('tag'));
  for (const payload of [undefined, null, 7, [], {}, { ref: 7 }, { repository: null }])
    assert.deepEqual(readDelivery(push, payload), nothing('other_event'));
});

test('a push says whether its newest commit asks for no deployment', () => {
  const ref = 'refs/heads/main';
  const skips = (event: string, payload: object) => {
    const told = readDelivery(
      { [event]: event === 'x-gitlab-event' ? 'Push Hook' : 'push' },
      { ref, ...payload },
    );
    return told.what === 'pushed' ? told.skipsCi : undefined;
  };
  const github = (message: unknown) => skips('x-github-event', { after: 'b', head_commit: { message } });
  for (const word of ['skip ci', 'ci skip', 'no ci', 'skip actions', 'actions skip', 'Skip CI'])
    assert.equal(github(`Say it better\n\nLong [${word}]`), true, word);
  for (const message of ['skip ci', '[skip cig]', '[skip  ci]', '', 7, null, undefined])
    assert.equal(github(message), false, String(message));
  // GitLab lists the oldest commit first, Gitea the newest
  const said = (id: string, message: string) => ({ id, message });
  const one = [said('a', 'one'), said('b', '[ci skip] two')];
  for (const commits of [one, one.toReversed()]) {
    assert.equal(skips('x-gitlab-event', { after: 'b', commits }), true);
    assert.equal(skips('x-gitea-event', { after: 'a', commits }), false);
  }
  assert.equal(skips('x-github-event', { head_commit: { message: 'x' }, after: 'b', commits: one }), false);
  for (const commits of [undefined, [], [null], [7], 'b', {}])
    assert.equal(skips('x-gitlab-event', { after: 'b', commits }), false);
});

test('a deleted branch is told by a push of nothing, and by itself', () => {
  const deleted = { what: 'deleted', branch: 'main' };
  const ref = 'refs/heads/main';
  assert.deepEqual(readDelivery({ 'x-github-event': 'push' }, { ref, deleted: true }), deleted);
  assert.deepEqual(readDelivery({ 'x-gitlab-event': 'Push Hook' }, { ref, after: '0'.repeat(40) }), deleted);
  assert.deepEqual(readDelivery({ 'x-gitea-event': 'delete' }, { ref: 'main', ref_type: 'branch' }), deleted);
  assert.deepEqual(
    readDelivery({ 'x-github-event': 'delete' }, { ref: 'v1', ref_type: 'tag' }),
    nothing('tag'),
  );
});

const pullRequest = (action: string, from = 7, number: unknown = 12) => ({
  action,
  number,
  pull_request: {
    number,
    head: { ref: 'seats', repo: { id: from } },
    base: { ref: 'main', repo: { id: 7 } },
  },
});
const mergeRequest = (action: string, more = {}) => ({
  object_kind: 'merge_request',
  object_attributes: {
    action,
    iid: 12,
    source_branch: 'seats',
    source_project_id: 7,
    target_project_id: 7,
    ...more,
  },
});

test('a pull request is told as it is opened, has other commits, and ends; other changes of it are not', () => {
  const proposed = { what: 'proposed', branch: 'seats', pullRequest: 12 };
  const settled = { what: 'settled', branch: 'seats', pullRequest: 12 };
  const github = { 'x-github-event': 'pull_request' };
  // Gitea sends GitHub's header too
  const gitea = { 'x-gitea-event': 'pull_request', ...github };
  const gitlab = { 'x-gitlab-event': 'Merge Request Hook' };
  for (const action of ['opened', 'reopened', 'synchronize'])
    assert.deepEqual(readDelivery(github, pullRequest(action)), proposed, action);
  assert.deepEqual(readDelivery(gitea, pullRequest('synchronized')), proposed);
  for (const headers of [github, gitea])
    assert.deepEqual(readDelivery(headers, pullRequest('closed')), settled);
  for (const action of ['open', 'reopen'])
    assert.deepEqual(readDelivery(gitlab, mergeRequest(action)), proposed);
  assert.deepEqual(readDelivery(gitlab, mergeRequest('update', { oldrev: 'ab' })), proposed);
  for (const action of ['merge', 'close'])
    assert.deepEqual(readDelivery(gitlab, mergeRequest(action)), settled);
  for (const action of ['edited', 'labeled', 'assigned', 'toString'])
    assert.deepEqual(readDelivery(github, pullRequest(action)), nothing('other_change'), action);
  for (const action of ['update', 'approved'])
    assert.deepEqual(readDelivery(gitlab, mergeRequest(action)), nothing('other_change'));
});

test('a pull request out of another repository tells nothing, whatever its branch is called', () => {
  const github = { 'x-github-event': 'pull_request' };
  const gitlab = { 'x-gitlab-event': 'Merge Request Hook' };
  for (const action of ['opened', 'synchronize', 'closed'])
    assert.deepEqual(readDelivery(github, pullRequest(action, 8)), nothing('fork'));
  assert.deepEqual(readDelivery(gitlab, mergeRequest('open', { source_project_id: 8 })), nothing('fork'));
  const gone = { ...pullRequest('closed'), pull_request: { number: 12, head: { ref: 'seats', repo: null } } };
  assert.deepEqual(readDelivery(github, gone), nothing('fork'));
  for (const number of [null, 0, -1, 1.5, '12', 2 ** 53])
    assert.deepEqual(readDelivery(github, pullRequest('opened', 7, number)), nothing('other_event'));
  fc.assert(
    fc.property(fc.anything(), (payload) => {
      for (const headers of [github, gitlab, { 'x-github-event': 'delete' }]) readDelivery(headers, payload);
    }),
  );
});
