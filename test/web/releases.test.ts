import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment } from 'simcha-client';
import { promotionTargets } from '../../web/src/features/site-releases/api/promotion-targets.ts';
import { hostLinks, promotionOf, releasesOf } from '../../web/src/features/site-releases/api/release-list.ts';

/** Deployments as the API lists them, newest first: `<release> <action> <status>`, the current one with a star. */
function deploymentsOf(...described: string[]): Deployment[] {
  return described.map((text, index) => {
    const [release = '', action, status] = text.replace('*', '').split(' ');
    const at = `2026-11-29T08:${String(59 - index)}:00.000Z`;
    return {
      deployment_uuid: `${described.length - index}`,
      release_uuid: release === '-' || release.startsWith('deleted') ? null : release,
      commit_hash: release.replace('deleted-', ''),
      action,
      status,
      is_current: text.endsWith('*'),
      requested_at: at,
      ended_at: at,
    } as Deployment;
  });
}

const named = (...described: string[]) =>
  releasesOf(deploymentsOf(...described)).map(({ deployment, first, isCurrent, isStored }) =>
    [
      deployment.deployment_uuid,
      first.deployment_uuid,
      ...(isCurrent ? ['current'] : []),
      ...(isStored ? [] : ['deleted']),
    ].join(' '),
  );

test('releases are those that were live, each once, whatever restarted or brought them back', () => {
  assert.deepEqual(named(), []);
  assert.deepEqual(named('- deploy failed', '- deploy cancelled', 'b deploy building'), []);
  assert.deepEqual(
    named(
      'a rollback live*',
      '- deploy failed',
      'c deploy live',
      'b restart live',
      'b deploy live',
      'a deploy live',
    ),
    ['4 4', '3 2', '6 1 current'],
  );
  assert.deepEqual(named('b deploy live*', 'deleted-a rollback live', 'deleted-a deploy live'), [
    '3 3 current',
    '2 1 deleted',
  ]);
});

test('a release has the promotion that brought it, also once another one is live', () => {
  const promotions = (...described: string[]) =>
    releasesOf(deploymentsOf(...described)).map((release) => promotionOf(release)?.deployment_uuid);
  assert.deepEqual(promotions('b deploy live*', 'a promote live'), [undefined, '1']);
  assert.deepEqual(promotions('a restart live*', 'a promote live'), ['1']);
  assert.deepEqual(promotions('a promote live*', 'a deploy live'), ['2']);
  assert.deepEqual(promotions('b deploy live*', 'a promote live', 'a deploy live'), [undefined, undefined]);
});

test('a commit leads to its page at hosts whose addresses are known', () => {
  for (const [repository, commit, comparison] of [
    [
      'https://github.com/noa/menu.git',
      'https://github.com/noa/menu/commit/b',
      'https://github.com/noa/menu/compare/a...b',
    ],
    [
      'git@github.com:noa/menu.git',
      'https://github.com/noa/menu/commit/b',
      'https://github.com/noa/menu/compare/a...b',
    ],
    [
      'ssh://git@codeberg.org/noa/menu',
      'https://codeberg.org/noa/menu/commit/b',
      'https://codeberg.org/noa/menu/compare/a...b',
    ],
    [
      'https://gitlab.com/noa/group/menu/',
      'https://gitlab.com/noa/group/menu/-/commit/b',
      'https://gitlab.com/noa/group/menu/-/compare/a...b',
    ],
  ] as const) {
    const links = hostLinks({ repository });
    assert.deepEqual([links?.commit('b'), links?.comparison('a', 'b')], [commit, comparison], repository);
  }
  for (const repository of [
    null,
    'https://git.example.com/noa/menu.git',
    'file:///srv/menu',
    'https://github.com.example/a/b',
  ])
    assert.equal(hostLinks({ repository }), undefined);
});

test('a release is promoted to other sites that the user may deploy, as the role in its own site allows', () => {
  const site = (id: string, owner: string, role: 'look' | 'deploy' | 'owner') => ({
    application_uuid: id,
    name: id,
    subdomain: id,
    owner,
    role,
  });
  const others = [
    site('mine', 'noa', 'owner'),
    site('seen', 'noa', 'look'),
    site('shared', 'noa', 'deploy'),
    site('theirs', 'itai', 'deploy'),
  ];
  for (const [own, expected] of [
    [site('mine', 'noa', 'owner'), ['shared', 'theirs']],
    [site('other', 'noa', 'look'), ['mine', 'shared']],
    [site('other', 'dana', 'look'), []],
    [site('other', 'dana', 'deploy'), ['mine', 'shared', 'theirs']],
  ] as const)
    assert.deepEqual(
      promotionTargets(own, others).map(({ name }) => name),
      expected,
    );
});
