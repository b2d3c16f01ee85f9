import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRepository } from '../applications/repository.ts';
import { byHttpsLike, gitlinksIn, submoduleAddress, submoduleUrls } from './submodules.ts';

test('addresses of submodules are read by their folders', () => {
  const text = `# ours
[submodule "theme"]
\tpath = themes/ananke
\turl = https://github.com/theNewDynamic/gohugo-theme-ananke.git
\tbranch = main
[submodule "a b"]
  path = "lib/a b/"\r
  url=../lib.git
[core]
\tpath = no
\turl = no
[submodule "half"]
\tpath = half
`;
  assert.deepEqual(
    [...submoduleUrls(text)],
    [
      ['themes/ananke', 'https://github.com/theNewDynamic/gohugo-theme-ananke.git'],
      ['lib/a b', '../lib.git'],
    ],
  );
});

test('a relative address is one beside the repository’s own', () => {
  for (const [base, url, address] of [
    ['https://h.example/o/site.git', '../lib.git', 'https://h.example/o/lib.git'],
    ['https://h.example/o/site.git/', '../../p/lib.git', 'https://h.example/p/lib.git'],
    ['https://h.example/o/site.git', './lib.git', 'https://h.example/o/site.git/lib.git'],
    ['git@h.example:o/site.git', '../lib.git', 'git@h.example:o/lib.git'],
    ['git@h.example:site.git', '../lib.git', 'git@h.example:lib.git'],
    ['file:///srv/site', '../lib', 'file:///srv/lib'],
    ['http://h.example:4735/m.git', '../../4736/x', 'http://h.example:4735/4736/x'],
    ['http://h.example:4735/m.git', '../../me@other:4736/x', 'http://h.example:4735/me@other:4736/x'],
    ['ssh://git@h.example:22/o/m.git', '../../../x', 'ssh://git@h.example:22/x'],
    ['https://h.example/site.git', 'https://other.example/x.git', 'https://other.example/x.git'],
  ] as const) {
    assert.equal(submoduleAddress(url, base), address);
  }
  // Never another host, nor above the root.
  assert.equal(
    submoduleAddress('../../../../evil.example/x', 'https://h.example/o/site.git'),
    'https://h.example/evil.example/x',
  );
});

test('ssh on the host of a repository that is read by https is read by https too', () => {
  const main = judgeRepository('https://git.example:8443/o/site.git', ['https']);
  assert.ok('host' in main);
  for (const [address, read] of [
    ['git@git.example:o/lib.git', 'https://git.example:8443/o/lib.git'],
    ['ssh://git@git.example/o/lib.git', 'https://git.example:8443/o/lib.git'],
    ['ssh://git@git.example:2222/o/lib.git', 'ssh://git@git.example:2222/o/lib.git'],
    ['git@other.example:o/lib.git', 'git@other.example:o/lib.git'],
    ['https://git.example/o/lib.git', 'https://git.example/o/lib.git'],
  ] as const) {
    assert.equal(byHttpsLike(main, address), read);
  }
});

test('submodules are found among what git said', () => {
  const hash = '6dfbcc2f4a9ff8e9aab7a1b2b1ae9d19be3d5a30';
  assert.deepEqual(gitlinksIn(`remote: hello\n160000 ${hash} 0\tlib/a b\n${hash} a message\n`), [
    { hash, path: 'lib/a b' },
  ]);
});

test('a .gitmodules of a stranger takes no long time to read', { timeout: 10_000 }, () => {
  const long = ' '.repeat(500_000);
  for (const text of [
    `[submodule "a"]\npath = ${long}x\nurl = x`,
    '\n'.repeat(1_000_000),
    `[submodule "a"]\n${long}`.repeat(2),
  ]) {
    submoduleUrls(text);
  }
  for (const url of [`../${'/'.repeat(500_000)}`, '../'.repeat(200_000), `git@h:${long}`])
    submoduleAddress(url, 'https://h.example/o');
});
