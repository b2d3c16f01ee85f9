import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { GIT_PROTOCOLS } from '../../kernel/settings.ts';
import { messages } from './messages.ts';
import { addressWithCredentials, isBranch, judgeRepository } from './repository.ts';

const judge = (text: string) => judgeRepository(text, GIT_PROTOCOLS);

test('an address is taken apart, and shown without its credentials', () => {
  assert.deepEqual(judge('https://github.com/owner/name.git'), {
    protocol: 'https',
    host: 'github.com',
    port: undefined,
    address: 'https://github.com/owner/name.git',
    credentials: undefined,
  });
  assert.deepEqual(judge('https://me:s3cret@git.example:8443/owner/name'), {
    protocol: 'https',
    host: 'git.example',
    port: 8443,
    address: 'https://git.example:8443/owner/name',
    credentials: 'me:s3cret',
  });
  assert.deepEqual(judge('git@github.com:owner/name.git'), {
    protocol: 'ssh',
    host: 'github.com',
    port: undefined,
    address: 'git@github.com:owner/name.git',
    credentials: undefined,
  });
  assert.deepEqual(judge('ssh://git@[2001:db8::1]:2222/srv/name.git'), {
    protocol: 'ssh',
    host: '2001:db8::1',
    port: 2222,
    address: 'ssh://git@[2001:db8::1]:2222/srv/name.git',
    credentials: undefined,
  });
  assert.deepEqual(judge('file:///srv/git/site.git'), {
    protocol: 'file',
    host: '',
    port: undefined,
    address: 'file:///srv/git/site.git',
    credentials: undefined,
  });
});

test('credentials come back into the address for git alone', () => {
  const repository = judge('https://token@git.example/a/b');
  assert.ok(!('wrong' in repository));
  assert.equal(repository.address, 'https://git.example/a/b');
  assert.equal(
    addressWithCredentials(repository.address, repository.credentials),
    'https://token@git.example/a/b',
  );
});

test('the page of a folder or file is told from a repository, and what was meant is said', () => {
  for (const [address, repository, branch, folder] of [
    ['https://github.com/o/r/tree/main', 'https://github.com/o/r', 'main', ''],
    ['https://github.com/o/r/tree/main/', 'https://github.com/o/r', 'main', ''],
    ['https://github.com/o/r/tree/v1.x/apps/web', 'https://github.com/o/r', 'v1.x', 'apps/web'],
    ['https://github.com/o/r/blob/main/docs/a.md', 'https://github.com/o/r', 'main', ''],
    ['https://github.com/o/r.js/tree/a%20b?tab=readme-ov-file', 'https://github.com/o/r.js', 'a b', ''],
    ['https://gitlab.com/g/s/r/-/tree/main', 'https://gitlab.com/g/s/r', 'main', ''],
    ['https://gitlab.com/g/r/-/tree/main/a?ref_type=heads', 'https://gitlab.com/g/r', 'main', 'a'],
    ['https://git.example:8443/g/r/-/blob/main/a.txt', 'https://git.example:8443/g/r', 'main', ''],
    ['https://bitbucket.org/w/r/src/main/', 'https://bitbucket.org/w/r', 'main', ''],
    ['https://bitbucket.org/w/r/src/main/a/b/', 'https://bitbucket.org/w/r', 'main', 'a/b'],
    ['https://codeberg.org/o/r/src/branch/main/a', 'https://codeberg.org/o/r', 'main', 'a'],
    ['https://me:s3cret@gitea.example/o/r/src/branch/main', 'https://gitea.example/o/r', 'main', ''],
  ] as const)
    assert.deepEqual(judge(address), { wrong: 'page', repository, branch, folder }, address);
  for (const address of [
    'https://github.com/o/tree',
    'https://github.com/tree/main',
    'https://github.com/o/r/tree',
    'https://codeberg.org/o/src',
    'https://git.example/o/r/src/main',
    'https://git.example/srv/git/tree/site.git',
    'https://gitlab.com/g/s/t/tree/main',
  ])
    assert.ok(!('wrong' in judge(address)), address);
});

test('an address without its protocol is told with it', () => {
  for (const [text, address] of [
    ['github.com/o/r', 'https://github.com/o/r'],
    ['www.git.example:8443/o/r.git', 'https://www.git.example:8443/o/r.git'],
  ] as const)
    assert.deepEqual(judge(text), { wrong: 'scheme', address });
  assert.deepEqual(judge('github.com/o/r/tree/main'), {
    wrong: 'page',
    repository: 'https://github.com/o/r',
    branch: 'main',
    folder: '',
  });
  for (const text of ['github.com', 'o/r', 'github.com/o/r?x', 'token@github.com/o/r'])
    assert.deepEqual(judge(text), { wrong: 'form' }, text);
});

test('the address of a folder says that its branch may have a longer name', () => {
  const page = judge('https://github.com/o/r/tree/feature/x');
  assert.ok('wrong' in page && page.wrong === 'page');
  assert.equal(
    messages.repository.page(page).en,
    'is the address of a page. The repository’s is https://github.com/o/r, with "branch": "feature" and "root": "x", ' +
      'or with "branch": "feature/x" if that is the branch’s name.',
  );
});

const HOSTILE = [
  '',
  '-',
  '--upload-pack=touch /tmp/x',
  '-u./evil:x',
  'ext::sh -c id',
  'ext::sh%20-c%20id',
  'http::https://host/x',
  'fd::17',
  'ssh://-oProxyCommand=id/x',
  'ssh://git@-oProxyCommand=id/x',
  'ssh://-oProxyCommand=id@host/x',
  '-oProxyCommand=id:x',
  'git@-oProxyCommand=id:x',
  '-oProxyCommand=id@host:x',
  'host:-x',
  'git@host:../../etc/passwd',
  'https://host/-x',
  'https://host/a\nb',
  'https://host/a\0b',
  'https://host/a b',
  'https://host/a%0ab',
  'https://host/%2e%2e/x%2f..%2f..',
  'ssh://host/%2d-upload-pack=x',
  'https://us%0aer@host/x',
  'https://host/x?y',
  'https://host/x#y',
  'https://host',
  'https://host/',
  'https:///x',
  'https://ho st/x',
  'git://ho..st/x',
  'git://host%0a/x',
  'file://host/x',
  'file://../x',
  'file:relative',
  '/etc/passwd',
  './x',
  '../x',
  'C:\\x',
  '\\\\host\\share',
  'javascript:alert(1)',
  'https://host/ש',
  `https://host/${'a'.repeat(2_000)}`,
];
for (const text of HOSTILE) {
  test(`refused: ${JSON.stringify(text.slice(0, 60))}`, () => {
    assert.ok('wrong' in judge(text), JSON.stringify(judge(text)));
  });
}

test('only allowed protocols pass, and ssh takes no password', () => {
  assert.deepEqual(judgeRepository('http://host/x', ['https', 'ssh']), { wrong: 'protocol' });
  assert.deepEqual(judgeRepository('git://host/x', ['https', 'ssh']), { wrong: 'protocol' });
  assert.deepEqual(judgeRepository('file:///srv/x', ['https', 'ssh']), { wrong: 'protocol' });
  assert.deepEqual(judge('ftp://host/x'), { wrong: 'protocol' });
  assert.deepEqual(judge('ssh://git:pw@host/x'), { wrong: 'password' });
});

test('whatever is accepted is printable, starts with no dash, and shows no credentials', () => {
  const pieces = fc.array(
    fc.constantFrom(
      'https',
      'ssh',
      'git',
      'ext',
      '://',
      '::',
      ':',
      '@',
      '/',
      '-',
      '..',
      'a',
      'host',
      'x.git',
      '\n',
      ' ',
      '%0a',
      'PW',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const repository = judge(parts.join(''));
      if ('wrong' in repository) return;
      assert.match(repository.address, /^[\x21-\x7e]+$/);
      assert.doesNotMatch(repository.address, /^-|^[a-z]+::|\/-/);
      if (repository.protocol !== 'ssh') assert.equal(new URL(repository.address).username, '');
      assert.doesNotMatch(repository.host, /^-/);
    }),
    { numRuns: 20_000 },
  );
});

test('a branch is what git itself takes for one', () => {
  for (const name of ['main', 'feature/x', 'v1.2', 'שמחה', 'a-b_c', 'release/2026-11'])
    assert.ok(isBranch(name), name);
  const wrong = [
    '',
    '-x',
    '--upload-pack=x',
    'a..b',
    'a b',
    'a~b',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    '/a',
    'a/',
    'a//b',
  ];
  const more = [
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    '@',
    'a@{b',
    'a\nb',
    'a\0b',
    'a/-b',
    '\ud800',
    'x'.repeat(300),
  ];
  for (const name of [...wrong, ...more]) assert.ok(!isBranch(name), JSON.stringify(name));
});

test('no branch passes that git check-ref-format refuses', () => {
  const letters = fc.constantFrom(
    'a',
    'B',
    '/',
    '.',
    '-',
    '@',
    '{',
    '..',
    '.lock',
    '~',
    ':',
    ' ',
    '\\',
    'ש',
    '*',
    '\x7f',
  );
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 6 }), (parts) => {
      const name = parts.join('');
      if (isBranch(name)) execFileSync('git', ['check-ref-format', '--branch', name], { stdio: 'ignore' });
    }),
    { numRuns: 300 },
  );
});
