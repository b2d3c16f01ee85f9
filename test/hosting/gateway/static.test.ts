import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { askGateway, exchangeBytes, startGateway, type TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

const HOST = 'pages.apps.test';
const script = 'console.log("שמחה");\n'.repeat(200);
const film = randomBytes(3 * 2 ** 20);
const bigText = 'a line of a long, long list\n'.repeat(60_000);

let gateway: TestGateway;
let folder: string;

before(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), 'simcha-static-'));
  const site = join(folder, 'site');
  for (const inside of ['docs', '.git', '.well-known', 'empty', 'שלום'])
    await mkdir(join(site, inside), { recursive: true });
  const files: Record<string, string | Buffer> = {
    'site/index.html': '<h1>home</h1>',
    'site/about.html': '<h1>about</h1>',
    'site/docs/index.html': '<h1>docs</h1>',
    'site/404.html': '<h1>not here</h1>',
    'site/app.js': script,
    'site/packed.js': script,
    'site/packed.js.br': brotliCompressSync(script),
    'site/packed.js.gz': gzipSync(script),
    'site/stale.js': script,
    'site/stale.js.br': 'older than its source',
    'site/small.css': 'a{}',
    'site/film.mp4': film,
    'site/list.txt': bigText,
    'site/.env': 'SECRET=1',
    'site/.git/config': 'secret',
    'site/.well-known/security.txt': 'Contact: x',
    'site/שלום/עולם.txt': 'שלום',
    secret: 'secret',
  };
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  await utimes(join(site, 'stale.js.br'), 1, 1);
  await symlink(join(folder, 'secret'), join(site, 'outside.txt'));
  await symlink('/etc', join(site, 'etc'));
  await symlink('../secret', join(site, 'relative.txt'));
  await symlink('app.js', join(site, 'alias.js'));
  await symlink('loop', join(site, 'loop'));
  await symlink('.env', join(site, 'env.txt'));
  gateway.sites.set('a', {
    routes: [{ host: HOST }],
    state: 'live',
    targets: [{ kind: 'static', folder: site }],
  });
  await mkdir(join(folder, 'bare'));
  gateway.sites.set('b', {
    routes: [{ host: 'bare.apps.test' }],
    state: 'live',
    targets: [{ kind: 'static', folder: join(folder, 'bare') }],
  });
});
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, headers = {}, method = 'GET') =>
  askGateway(gateway.port, HOST, path, { headers, method });

test('addresses lead to files as people expect', async () => {
  for (const [path, text] of [
    ['/', '<h1>home</h1>'],
    ['/?utm=x', '<h1>home</h1>'],
    ['/index.html', '<h1>home</h1>'],
    ['/about', '<h1>about</h1>'],
    ['/about/', '<h1>about</h1>'],
    ['/docs/', '<h1>docs</h1>'],
    ['/.well-known/security.txt', 'Contact: x'],
    [`/${encodeURIComponent('שלום')}/${encodeURIComponent('עולם.txt')}`, 'שלום'],
    ['/alias.js', script],
  ] as const) {
    const answer = await get(path);
    assert.deepEqual([answer.status, answer.text], [200, text], path);
  }
  const moved = await get('/docs?x=1');
  assert.deepEqual([moved.status, moved.headers.location], [301, '/docs/?x=1']);
  assert.equal((await get('//docs')).headers.location, '/docs/');
  assert.equal((await get('/')).headers['content-type'], 'text/html; charset=utf-8');
  assert.equal((await get('/app.js')).headers['x-content-type-options'], 'nosniff');
});

test('what is not there is told by the site’s own page, or by ours', async () => {
  const own = await get('/nothing');
  assert.deepEqual([own.status, own.text], [404, '<h1>not here</h1>']);
  assert.equal((await get('/empty/')).status, 404);
  assert.equal((await get('/empty')).status, 404);
  const ours = await askGateway(gateway.port, 'bare.apps.test', '/', {
    headers: { accept: 'application/json' },
  });
  assert.deepEqual([ours.status, JSON.parse(ours.text).code], [404, 'no_such_page']);
});

test('a single-page site’s own 404.html goes before its page, unless that is for every path', async () => {
  const page = join(folder, 'page');
  await mkdir(page);
  await writeFile(join(page, 'index.html'), 'the page');
  const at = (host: string, spa: 'auto' | 'always') =>
    gateway.sites.set(host, {
      routes: [{ host }],
      state: 'live',
      targets: [{ kind: 'static', folder: page, spa }],
    });
  at('auto.apps.test', 'auto');
  at('always.apps.test', 'always');
  const deep = (host: string) =>
    askGateway(gateway.port, host, '/guests/7', { headers: { accept: 'text/html' } });
  const auto = await deep('auto.apps.test');
  assert.deepEqual([auto.status, auto.text], [200, 'the page']);
  await writeFile(join(page, '404.html'), 'not here');
  // What was found a moment ago is remembered for one.
  await until(async () => (await deep('auto.apps.test')).status === 404);
  assert.equal((await deep('always.apps.test')).text, 'the page');
  await writeFile(join(page, '200.html'), 'for all');
  await until(async () => (await deep('always.apps.test')).text === 'for all');
});

test('a site’s own redirects and headers are honoured, and never served', async () => {
  const site = join(folder, 'ruled');
  for (const inside of ['', 'docs', 'assets']) await mkdir(join(site, inside));
  for (const [path, content] of Object.entries({
    'index.html': 'home',
    'about.html': 'about',
    'docs/index.html': 'docs',
    '404.html': 'not here',
    'assets/app-C7fGh2aK.js': 'hashed',
    'data.json': '{}',
    _redirects: [
      '/old /about 301',
      '/about /never',
      '/docs/* /moved/:splat 302!',
      '/shown /docs 200',
      '/folder/* /about/ 200',
      '/gone /about.html 404',
      '/nowhere /nothing-there 200',
      '/broken /x Country=il',
    ].join('\n'),
    _headers: [
      '/*',
      '  X-Frame-Options: DENY',
      '  Vary: X-A',
      '/data.json',
      '  Content-Type: application/manifest+json',
      '  Cache-Control: max-age=60',
      '/assets/*',
      '  Cache-Control: max-age=60',
      '  Set-Cookie: a=b',
    ].join('\n'),
  }))
    await writeFile(join(site, path), content);
  await symlink('_headers', join(site, 'headers.txt'));
  const host = 'ruled.apps.test';
  const set = (more = {}) =>
    gateway.sites.set(host, {
      routes: [{ host }],
      state: 'live',
      targets: [{ kind: 'static', folder: site }],
      ...more,
    });
  set();
  const at = (path: string, headers = {}, method = 'GET') =>
    askGateway(gateway.port, host, path, { headers, method });

  for (const [path, status, to] of [
    ['/old?x=1', 301, '/about?x=1'],
    ['/docs/a/b', 302, '/moved/a/b'],
    ['/docs', 302, '/moved/'],
  ] as const) {
    const { status: answered, headers } = await at(path);
    assert.deepEqual([answered, headers.location, headers['cache-control']], [status, to, 'no-cache'], path);
  }
  for (const [path, status, text] of [
    ['/about', 200, 'about'],
    ['/shown', 200, 'docs'],
    ['/folder/a', 200, 'about'],
    ['/gone', 404, 'about'],
    ['/nowhere', 404, 'not here'],
    ['/broken', 404, 'not here'],
    ['/_redirects', 404, 'not here'],
    ['/_headers', 404, 'not here'],
    ['/%5Fheaders/', 404, 'not here'],
    ['/headers.txt', 404, 'not here'],
  ] as const) {
    const answer = await at(path);
    assert.deepEqual([answer.status, answer.text], [status, text], path);
    assert.equal(
      answer.headers['x-frame-options'],
      path.includes('_') || path.includes('%') ? undefined : 'DENY',
    );
  }
  assert.equal((await at('/old', {}, 'POST')).status, 405);

  const data = await at('/data.json');
  assert.deepEqual(
    [data.headers['content-type'], data.headers['cache-control'], data.headers.vary],
    ['application/manifest+json', 'max-age=60', 'accept-encoding, X-A'],
  );
  const asset = await at('/assets/app-C7fGh2aK.js');
  assert.deepEqual([asset.headers['cache-control'], asset.headers['set-cookie']], ['max-age=60', undefined]);
  const same = await at('/assets/app-C7fGh2aK.js', { 'if-none-match': asset.headers.etag });
  assert.deepEqual([same.status, same.headers['x-frame-options']], [304, 'DENY']);
  const missing = await at('/assets/missing.js');
  assert.deepEqual([missing.status, missing.headers['cache-control']], [404, 'no-cache']);

  // A change of them is noticed like one of any file.
  await writeFile(join(site, '_headers'), '/*\n  X-Frame-Options: SAMEORIGIN\n');
  await until(async () => (await at('/')).headers['x-frame-options'] === 'SAMEORIGIN');
  assert.equal(
    (await at('/assets/app-C7fGh2aK.js')).headers['cache-control'],
    'public, max-age=31536000, immutable',
  );
  assert.equal((await at('/')).headers['cache-control'], 'no-cache');
  await rm(join(site, '_redirects'));
  await until(async () => (await at('/old')).status === 404);
});

test('nothing leads out of the folder, and nothing hidden is shown', async () => {
  for (const path of [
    '/../secret',
    '/..%2fsecret',
    '/%2e%2e/secret',
    '/docs/../../secret',
    '/docs/%2e%2e%2f%2e%2e%2fsecret',
    '/outside.txt',
    '/relative.txt',
    '/etc/passwd',
    '/etc/',
    '/loop',
    '/.env',
    '/env.txt',
    '/.git/config',
    '/%2eenv',
    '/docs/.%2e/.env',
    '/.well-known/../.env',
    '/app.js%00.html',
    '/..%5csecret',
    '/%c0%ae%c0%ae/secret',
    '/app.js/',
    '/app.js/x',
    `/${'x'.repeat(300)}`,
  ]) {
    // Raw: clients tidy such paths away.
    const answer = await exchangeBytes(
      gateway.port,
      `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 404 /, path);
    assert.doesNotMatch(answer, /secret|SECRET|root:/, path);
  }
});

test('a file is read, not written', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await get('/app.js', {}, method);
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'], method);
  }
  const head = await get('/app.js', {}, 'HEAD');
  assert.deepEqual(
    [head.status, head.text, head.headers['content-length']],
    [200, '', String(Buffer.byteLength(script))],
  );
});

test('a browser that has the file is told so', async () => {
  const first = await get('/app.js');
  const { etag = '', 'last-modified': modified = '' } = first.headers;
  assert.match(etag, /^"/);
  for (const headers of [
    { 'if-none-match': etag },
    { 'if-none-match': `"x", W/${etag}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': modified },
  ]) {
    const again = await get('/app.js', headers);
    assert.deepEqual(
      [again.status, again.text, again.headers.etag],
      [304, '', etag],
      JSON.stringify(headers),
    );
  }
  assert.equal((await get('/app.js', { 'if-none-match': '"x"', 'if-modified-since': modified })).status, 200);
  assert.equal((await get('/app.js', { 'if-modified-since': 'yesterday' })).status, 200);
});

test('a part is sent of what has not changed', async () => {
  const part = await get('/film.mp4', { range: 'bytes=1000-1999' });
  assert.equal(part.status, 206);
  assert.equal(part.headers['content-range'], `bytes 1000-1999/${film.length}`);
  assert.ok(part.body.equals(film.subarray(1000, 2000)));
  assert.ok((await get('/film.mp4', { range: 'bytes=-500' })).body.equals(film.subarray(-500)));
  assert.ok((await get('/film.mp4')).body.equals(film));
  const none = await get('/film.mp4', { range: `bytes=${film.length}-` });
  assert.deepEqual([none.status, none.headers['content-range']], [416, `bytes */${film.length}`]);
  const { etag = '' } = part.headers;
  assert.equal((await get('/film.mp4', { range: 'bytes=0-9', 'if-range': etag })).status, 206);
  assert.equal((await get('/film.mp4', { range: 'bytes=0-9', 'if-range': '"old"' })).status, 200);
  // A part of the compressed form would be a part of something else.
  const plain = await get('/app.js', { range: 'bytes=0-9', 'accept-encoding': 'br' });
  assert.deepEqual(
    [plain.status, plain.headers['content-encoding'], plain.text],
    [206, undefined, script.slice(0, 10)],
  );
});

test('text is compressed: in memory, as a stream, or as it was prepared', async () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [path, content] of [
    ['/app.js', script],
    ['/packed.js', script],
    ['/list.txt', bigText],
    ['/stale.js', script],
  ] as const) {
    for (const encoding of ['br', 'gzip'] as const) {
      const answer = await get(path, { 'accept-encoding': encoding });
      assert.equal(answer.headers['content-encoding'], encoding, path);
      assert.equal(answer.headers.vary, 'accept-encoding');
      assert.ok(answer.body.length < content.length / 2);
      assert.equal(unpack[encoding](answer.body).toString(), content, path);
      const again = await get(path, { 'accept-encoding': encoding, 'if-none-match': answer.headers.etag });
      assert.equal(again.status, 304);
      assert.notEqual((await get(path)).headers.etag, answer.headers.etag);
    }
  }
  const prepared = await get('/packed.js', { 'accept-encoding': 'gzip, br' });
  assert.ok(prepared.body.equals(brotliCompressSync(script)));
  for (const path of ['/small.css', '/film.mp4']) {
    assert.equal((await get(path, { 'accept-encoding': 'br' })).headers['content-encoding'], undefined, path);
  }
});

test('an answer that is asked for again is the same, and only for requests to which it belongs', async () => {
  const withoutDate = ({ status, headers, body }: Awaited<ReturnType<typeof get>>) => {
    const { date, ...others } = headers;
    return { status, headers: others, body };
  };
  for (const headers of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip' }]) {
    const first = await get('/app.js?again', headers);
    assert.deepEqual(withoutDate(await get('/app.js?again', headers)), withoutDate(first));
    const head = await get('/app.js?again', headers, 'HEAD');
    assert.deepEqual([head.headers, head.text], [{ ...first.headers, date: head.headers.date }, '']);
    const unchanged = await get('/app.js?again', { ...headers, 'if-none-match': first.headers.etag });
    const { 'content-length': _, 'content-encoding': __, ...about } = withoutDate(first).headers;
    assert.deepEqual(withoutDate(unchanged), { status: 304, headers: about, body: Buffer.alloc(0) });
  }
  assert.equal((await get('/app.js?again', { range: 'bytes=0-9' })).status, 206);
  assert.equal((await get('/app.js?again', {}, 'POST')).status, 405);
});

test('a preview is not for search engines, though production gets the same file with a header of its own', async () => {
  const own = join(folder, 'own');
  await mkdir(own);
  await writeFile(join(own, 'index.html'), 'home');
  await writeFile(join(own, '_headers'), '/*\n  X-Robots-Tag: all\n');
  for (const host of ['own', 'preview'])
    gateway.sites.set(host, {
      routes: [{ host: `${host}.apps.test` }],
      state: 'live',
      targets: [{ kind: 'static', folder: own }],
      isPreview: host === 'preview',
    });
  for (const expected of ['all', 'noindex', 'all', 'noindex']) {
    const host = expected === 'all' ? 'own.apps.test' : 'preview.apps.test';
    const { headers } = await askGateway(gateway.port, host, '/', {});
    assert.equal(headers['x-robots-tag'], expected);
  }
});

test('a changed file is noticed soon', async () => {
  const file = join(folder, 'site', 'news.txt');
  await writeFile(file, 'old');
  assert.equal((await get('/news.txt')).text, 'old');
  assert.equal((await get('/news.txt')).text, 'old');
  await writeFile(file, 'newer');
  const changed = performance.now();
  await until(async () => (await get('/news.txt')).text === 'newer');
  assert.ok(performance.now() - changed < 3_000);
});
