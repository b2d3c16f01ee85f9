import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { HEADER_LIMITS, headersOf, readHeaders } from './headers.ts';
import { findRedirect, REDIRECT_LIMITS, readRedirects } from './redirects.ts';
import { describeProblems, LARGEST_RULES, readSiteRules } from './site-rules.ts';

const segmentsOf = (path: string) => path.split('/').filter((part) => part !== '');

/** Status and target for a path by these rules; undefined without a matching rule. */
function lead(text: string, path: string, query = ''): string | undefined {
  const { redirects, problems } = readRedirects(text);
  assert.deepEqual(problems, []);
  const found = redirects && findRedirect(redirects, segmentsOf(path), query);
  return found && `${found.rule.status}${found.rule.force ? '!' : ''} ${found.to}`;
}

test('a redirect is a path, where it leads, and a status', () => {
  for (const [rule, path, expected] of [
    ['/old /new', '/old', '301 /new'],
    ['/old /new 302', '/old/', '302 /new'],
    ['  /old\t/new   307!  # for now', '/old', '307! /new'],
    ['/old /new 308', '/old/deeper', undefined],
    ['/old /new', '/Old', undefined],
    ['/old https://other.example/a?b=c#d', '/old', '301 https://other.example/a?b=c#d'],
    ['/news/* /blog/:splat', '/news/2026/11', '301 /blog/2026/11'],
    ['/news/* /blog/:splat', '/news', '301 /blog/'],
    ['/news/* /blog/:splat', '/newsletter', undefined],
    ['/*.htm /:splat', '/a/b.htm', '301 /a/b'],
    ['/*.htm /:splat', '/a/b.html', undefined],
    ['/n/:year/:id /:id-of-:year', '/n/2026/7', '301 /7-of-2026'],
    ['/n/:year/:id /x', '/n/2026', undefined],
    ['/* /index.html 200', '/any/where', '200 /index.html'],
    ['/* /index.html 200', '/', '200 /index.html'],
    ['/he/* /he/404.html 404', '/he/x', '404 /he/404.html'],
    ['/שמחה /party', '/שמחה', '301 /party'],
    ['/%D7%A9 /party', '/ש', '301 /party'],
    ['/party /שמחה', '/party', '301 /%D7%A9%D7%9E%D7%97%D7%94'],
    ['/a /b\n/a /c', '/a', '301 /b'],
    ['/:one /first\n/a /second', '/a', '301 /first'],
    ['/a /first\n/:one /second', '/a', '301 /first'],
    ['# nothing\n\n', '/a', undefined],
  ] as const)
    assert.equal(lead(rule, path), expected, `${rule} ${path}`);
});

test('what a visitor asks for becomes neither a host, nor a query, nor a header of where they are led', () => {
  assert.equal(lead('/go/* /:splat', '/go/evil.example'), '301 /evil.example');
  assert.equal(lead('/go/* /:splat/x', '/go'), '301 /x');
  assert.equal(lead('/go/:to /x?to=:to', '/go/a&b=c#d'), '301 /x?to=a%26b%3Dc%23d');
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }), (asked) => {
      const segments = asked.filter((one) => one.isWellFormed() && !one.includes('/') && one !== '');
      const { redirects } = readRedirects('/* /:splat/x');
      assert.ok(redirects);
      const { to = '/' } = findRedirect(redirects, segments, '') ?? {};
      assert.match(to, /^\/(?![/\\])[\x21-\x7e]*$/);
      assert.equal(new URL(to, 'https://site.example').host, 'site.example');
    }),
  );
});

test('a query goes along unless the target has one, and a rule that leads to itself is passed over', () => {
  assert.equal(lead('/a /b', '/a', '?x=1'), '301 /b?x=1');
  assert.equal(lead('/a /b#c', '/a', '?x=1'), '301 /b?x=1#c');
  assert.equal(lead('/a /b?y=2', '/a', '?x=1'), '301 /b?y=2');
  assert.equal(lead('/a/ /a', '/a'), undefined);
  assert.equal(lead('/* /:splat', '/a/b'), undefined);
  assert.equal(lead('/a /a?x=1\n/a /b', '/a'), '301 /b');
  assert.equal(lead('/* /:splat', '/a*/:b'), undefined);
  assert.equal(lead('/* /home', '/home'), undefined);
  assert.equal(lead('/* /home', '/x'), '301 /home');
});

test('lines that can’t be honoured are problems by their number, and the others count', () => {
  for (const [line, why] of [
    ['/a', 'target'],
    ['/a b', 'target'],
    ['/a //evil.example', 'target'],
    ['/a /\\evil.example', 'target'],
    ['/:host https://:host/', 'target'],
    ['/a https://x:y', 'target'],
    ['/a javascript:x', 'target'],
    ['a /b', 'path'],
    ['/a/*/b /c', 'path'],
    ['/** /c', 'path'],
    ['/%zz /c', 'path'],
    ['https://old.example/* /:splat', 'address'],
    ['//old.example/a /b', 'address'],
    ['/a?b=c /d', 'query'],
    ['/a id=:id /b/:id 301', 'query'],
    ['/a /b 418', 'status'],
    ['/a /b now', 'status'],
    ['/a /b 301 now', 'status'],
    ['/a /b 302 Country=il', 'condition'],
    ['/a /b Language=he', 'condition'],
    ['/api/* https://api.example/:splat 200', 'proxy'],
    ['/api/* https://api.example/:splat 404', 'proxy'],
    ['/api/* /.netlify/functions/:splat 200', 'hidden'],
    [`/a /${'b'.repeat(REDIRECT_LIMITS.line)}`, 'too_long'],
  ] as const) {
    const { redirects, problems } = readRedirects(`/fine /1\r\n${line}\n/also /2`);
    assert.deepEqual(problems, [{ line: 2, why }], line);
    for (const [path, to] of [
      ['fine', '/1'],
      ['also', '/2'],
    ] as const)
      assert.equal(redirects && findRedirect(redirects, [path], '')?.to, to);
  }
  const many = Array.from({ length: REDIRECT_LIMITS.rules + 5 }, (_, index) => `/${index} /x`).join('\n');
  assert.deepEqual(readRedirects(many).problems, [{ line: REDIRECT_LIMITS.rules + 1, why: 'too_many' }]);
  const patterns = Array.from({ length: REDIRECT_LIMITS.patterns + 1 }, (_, index) => `/${index}/* /x`);
  assert.deepEqual(readRedirects([...patterns, '/a /b'].join('\n')).problems, [
    { line: REDIRECT_LIMITS.patterns + 1, why: 'too_many_patterns' },
  ]);
});

test('headers go to the paths that they stand below, joined where several are', () => {
  const { headers, problems } = readHeaders(
    [
      '# all',
      '/*',
      '  X-Frame-Options: DENY',
      '\tLink: </a.css>; rel=preload',
      '  link: </b.css>; rel=preload',
      '/docs/:page',
      'X-Page: docs: one',
      '/*.pdf',
      '  Content-Type:application/pdf',
    ].join('\n'),
  );
  assert.deepEqual(problems, []);
  const of = (path: string) => headers && Object.fromEntries(headersOf(headers, segmentsOf(path)));
  const all = { 'x-frame-options': 'DENY', link: '</a.css>; rel=preload, </b.css>; rel=preload' };
  assert.deepEqual(of('/'), all);
  assert.deepEqual(of('/docs/a'), { ...all, 'x-page': 'docs: one' });
  assert.deepEqual(of('/docs/a/b.pdf'), { ...all, 'content-type': 'application/pdf' });
});

test('headers beyond what one answer may have are left out', () => {
  const long = 'x'.repeat(HEADER_LIMITS.line - 10);
  const { headers, problems } = readHeaders(`/*\n${`  X-A: ${long}\n`.repeat(30)}  X-Last: 1\n`);
  assert.deepEqual(problems, []);
  const found = headersOf(headers ?? [], ['a']);
  assert.deepEqual([...found.keys()], ['x-a', 'x-last']);
  const bytes = [...found].flat().join('').length;
  assert.ok(bytes > HEADER_LIMITS.answerBytes / 2 && bytes <= HEADER_LIMITS.answerBytes, String(bytes));
});

test('headers that are the server’s, or none, are problems by their line', () => {
  for (const [line, problem] of [
    ['Set-Cookie: a=b', { why: 'owned', name: 'set-cookie' }],
    ['Content-Length: 5', { why: 'owned', name: 'content-length' }],
    ['Transfer-Encoding: chunked', { why: 'owned', name: 'transfer-encoding' }],
    ['Connection: close', { why: 'owned', name: 'connection' }],
    ['ETag: "x"', { why: 'owned', name: 'etag' }],
    ['X-Accel-Redirect: /internal/x', { why: 'owned', name: 'x-accel-redirect' }],
    ['X-Sendfile: /etc/passwd', { why: 'owned', name: 'x-sendfile' }],
    ['Basic-Auth: noa:secret', { why: 'owned', name: 'basic-auth' }],
    ['Simcha-Passed-On: 1', { why: 'owned', name: 'simcha-passed-on' }],
    ['X-A:', { why: 'value', name: 'x-a' }],
    ['X-A: שלום', { why: 'value', name: 'x-a' }],
    ['X-A: a\x00b', { why: 'value', name: 'x-a' }],
    ['X A: b', { why: 'header' }],
    ['! X-A', { why: 'header' }],
    ['nothing', { why: 'header' }],
    [`X-A: ${'b'.repeat(HEADER_LIMITS.line)}`, { why: 'too_long' }],
  ] as const) {
    const { headers, problems } = readHeaders(`/a\n  ${line}\n  X-Fine: 1`);
    assert.deepEqual(problems, [{ line: 2, ...problem }], line);
    assert.deepEqual(headers && [...headersOf(headers, ['a'])], [['x-fine', '1']]);
  }
  assert.deepEqual(readHeaders('X-A: b\n/a').problems, [{ line: 1, why: 'no_path' }]);
  assert.deepEqual(readHeaders('https://x.example/a\n  X-A: b\n/a/*/b\n X-A: b').problems, [
    { line: 1, why: 'address' },
    { line: 3, why: 'path' },
  ]);
  const paths = Array.from({ length: HEADER_LIMITS.paths + 1 }, () => '/a\nX-A: b').join('\n');
  assert.deepEqual(readHeaders(paths).problems, [{ line: 2 * HEADER_LIMITS.paths + 1, why: 'too_many' }]);
  const values = `/a\n${'X-A: b\n'.repeat(HEADER_LIMITS.headers + 5)}`;
  assert.deepEqual(readHeaders(values).problems, [{ line: HEADER_LIMITS.headers + 2, why: 'too_many' }]);
});

test('no text is a failure, and what it gives is within its bounds', () => {
  const word = fc.oneof(
    fc.constantFrom('/a', '/*', '/:x', '\n', ' ', '200', '301!', 'X-A: b', 'https://x.example', '#', '*'),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 40 }),
      fc.array(fc.string({ minLength: 1 })),
      (words, segments) => {
        const text = words.join(' ');
        const { redirects } = readRedirects(text);
        const known = segments.filter((one) => one.isWellFormed());
        if (redirects) findRedirect(redirects, known, '?q');
        for (const [name, value] of headersOf(readHeaders(text).headers ?? [], known))
          assert.doesNotThrow(() => new Headers([[name, value]]));
      },
    ),
  );
});

test('the files of a site say in the log what of them is passed over; links and large ones are not read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-rules-'));
  try {
    assert.deepEqual(await readSiteRules(folder), { redirects: undefined, headers: undefined, bytes: 0 });
    assert.deepEqual(await describeProblems(folder), []);
    await writeFile(join(folder, '_redirects'), '/a /b\n/c https://x.example 200\n');
    await writeFile(join(folder, '_headers'), '/*\n  Set-Cookie: token=secret\n');
    assert.deepEqual(await describeProblems(folder), [
      '_redirects, line 2 is ignored: another server’s page can’t be shown here (200); use a redirect (302).',
      '_headers, line 2 is ignored: only the server sets set-cookie.',
    ]);
    assert.ok((await readSiteRules(folder)).redirects?.exact.has('a'));
    await writeFile(join(folder, '_redirects'), 'x\n'.repeat(50));
    const told = await describeProblems(folder);
    assert.equal(told.length, 22);
    assert.equal(told[20], '_redirects: 30 more lines are ignored.');
    await writeFile(join(folder, '_redirects'), ' '.repeat(LARGEST_RULES + 1));
    assert.match(
      (await describeProblems(folder))[0] ?? '',
      /^_redirects is ignored: it is larger than 256 KiB/,
    );
    await rm(join(folder, '_redirects'));
    await symlink('/etc/passwd', join(folder, '_redirects'));
    assert.equal((await describeProblems(folder)).length, 1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
