import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { judgeRepository } from '../../server/hosting/applications/repository.ts';
import { DEPLOY_SCRIPT, pipelineFile } from '../../web/src/features/site-git/api/ci-lines.ts';
import { hostOf, nameFromRepository, sshAddressOf, webPageOf } from '../../web/src/lib/repository-hosts.ts';

test('the page knows the host of a repository, its web page and its ssh address', () => {
  for (const [repository, host, page, ssh] of [
    [
      'https://github.com/noa/site.git',
      'github',
      'https://github.com/noa/site',
      'git@github.com:noa/site.git',
    ],
    ['git@github.com:noa/site.git', 'github', 'https://github.com/noa/site', undefined],
    ['https://gitlab.com/a/b/c', 'gitlab', 'https://gitlab.com/a/b/c', 'git@gitlab.com:a/b/c.git'],
    ['ssh://git@gitlab.example.org:2222/a/b.git', 'gitlab', 'https://gitlab.example.org/a/b', undefined],
    ['https://codeberg.org/a/b.git/', 'forgejo', 'https://codeberg.org/a/b', 'git@codeberg.org:a/b.git'],
    [
      'https://gitea.example.org/a/b.git',
      'gitea',
      'https://gitea.example.org/a/b',
      'git@gitea.example.org:a/b.git',
    ],
    ['file:///srv/site.git', 'github', undefined, undefined],
  ] as const) {
    assert.deepEqual(
      [hostOf(repository), webPageOf(repository), sshAddressOf(repository)],
      [host, page, ssh],
    );
    if (ssh) assert.ok('address' in judgeRepository(ssh, ['ssh']), ssh);
  }
});

test('a site is named after its repository', () => {
  for (const [repository, name] of [
    ['https://github.com/noa/wedding.git', 'wedding'],
    ['https://codeberg.org/a/b.git/', 'b'],
    ['git@github.com:menu.git', 'menu'],
    ['', ''],
  ] as const)
    assert.equal(nameFromRepository(repository), name);
});

test('the lines for CI are those of the documentation', () => {
  const docs = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8');
  const [, script] = /```sh\n(.*?)```/s.exec(docs) ?? [];
  assert.equal(DEPLOY_SCRIPT, script);
  const { content } = pipelineFile('github', 'https://simcha.example.com', 'menu');
  const [, workflow = ''] = /```yaml\n# .github\/workflows\/deploy.yml\n(.*?)```/s.exec(docs) ?? [];
  const filled = workflow
    .replace(/\$\{\{ vars.SIMCHA_URL \}\}/, 'https://simcha.example.com')
    .replace(/\$\{\{ vars.SIMCHA_APP \}\}/, 'menu');
  assert.equal(content, filled);
});
