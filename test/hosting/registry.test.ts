import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { whyNoCluster } from '../../commands/cluster/cluster.ts';
import { startRegistry } from '../../commands/cluster/registry.ts';
import { startSweeper } from '../../commands/cluster/sweeper.ts';
import { ClusterImages } from '../../server/hosting/builds/cluster-images.ts';
import { IN_IMAGE, openSiteCopies } from '../../server/hosting/builds/site-copies.ts';
import { archiveOfTree } from '../../server/hosting/engine/archives.ts';
import { NoDeletion, RegistryClient } from '../../server/hosting/engine/registry-client.ts';
import { RegistryError } from '../../server/hosting/engine/registry-connection.ts';
import { siteFolders } from '../../server/hosting/model/site-folders.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { pushImage } from '../support/registry-images.ts';
import { startTokenServer } from '../support/token-server.ts';
import { until } from '../support/until.ts';

const NEVER = new AbortController().signal;
const REPOSITORY = 'sites/of-some/one';

const basicOf = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Debian's registry for one test, in a folder of its own. */
function withRegistry(
  name: string,
  work: (
    start: (changed?: Parameters<typeof startRegistry>[3]) => ReturnType<typeof startRegistry>,
    folder: string,
    t: TestContext,
  ) => Promise<void>,
) {
  test(name, async (t) => {
    const lacks = whyNoCluster();
    if (lacks !== undefined) return t.skip(lacks);
    await using folder = await mkdtempDisposable('/tmp/simcha-registry-');
    await using owned = new AsyncDisposableStack();
    const sweeper = owned.use(startSweeper());
    const start = (changed = {}) => startRegistry(join(folder.path, 'registry'), sweeper, owned, changed);
    await work(start, folder.path, t);
  });
}

const clientOf = ({ address, ...who }: { address: string; user: string; password: string }) =>
  new RegistryClient({ origin: `http://${address}`, ...who });

withRegistry(
  'a registry tells of its images and lets go of one, to who knows its password',
  async (start) => {
    const registry = await start();
    const client = clientOf(registry);
    assert.deepEqual(await client.tags(REPOSITORY, NEVER), []);
    const at = `http://${registry.address}/v2/${REPOSITORY}`;
    const authorization = basicOf(registry.user, registry.password);
    const one = await pushImage({ at, authorization, tag: 'one', labels: { which: '1' } });
    await pushImage({ at, authorization, tag: 'two', labels: { which: '2' } });
    assert.deepEqual((await client.tags(REPOSITORY, NEVER)).sort(), ['one', 'two']);
    assert.equal(await client.digest(REPOSITORY, 'one', NEVER), one);
    assert.equal(await client.digest(REPOSITORY, 'three', NEVER), undefined);
    await client.remove(REPOSITORY, one, NEVER);
    assert.equal(await client.digest(REPOSITORY, 'one', NEVER), undefined);
    assert.deepEqual(await client.tags(REPOSITORY, NEVER), ['two']);
    await client.remove(REPOSITORY, one, NEVER);
    const stranger = clientOf({ ...registry, password: 'another' });
    await assert.rejects(stranger.tags(REPOSITORY, NEVER), /does not tell its tags: it answered 401/);
    const fresh = clientOf(registry);
    await Promise.all(Array.from({ length: 5 }, () => fresh.tags(REPOSITORY, NEVER)));
  },
);

withRegistry(
  'a token is had for what is to be done, and serves as long as it holds',
  async (start, folder) => {
    const who = { user: 'simcha', password: 'what nobody knows' };
    using tokens = await startTokenServer(folder, who);
    const { address } = await start({ auth: tokens.auth });
    const authorization = `Bearer ${tokens.tokenFor([`repository:${REPOSITORY}:pull,push`])}`;
    const at = `http://${address}/v2/${REPOSITORY}`;
    const digest = await pushImage({ at, authorization, tag: 'one', labels: {} });
    const client = clientOf({ address, ...who });
    assert.deepEqual(await client.tags(REPOSITORY, NEVER), ['one']);
    assert.equal(await client.digest(REPOSITORY, 'one', NEVER), digest);
    await client.remove(REPOSITORY, digest, NEVER);
    assert.deepEqual(await client.tags(REPOSITORY, NEVER), []);
    assert.deepEqual(tokens.asked, [`repository:${REPOSITORY}:pull`, `repository:${REPOSITORY}:delete`]);
    const stranger = clientOf({ address, ...who, password: 'another' });
    await assert.rejects(stranger.tags(REPOSITORY, NEVER), /token server answered 401/);
  },
);

withRegistry('a registry that does not delete keeps what it has, which is said once', async (start) => {
  const registry = await start({ storage: { delete: { enabled: false } } });
  const client = clientOf(registry);
  const applicationId = newId();
  const builds = [newId(), newId()];
  const at = `http://${registry.address}/v2/sites/${applicationId}`;
  const authorization = basicOf(registry.user, registry.password);
  for (const tag of builds) await pushImage({ at, authorization, tag, labels: { tag } });
  const said: string[] = [];
  const images = new ClusterImages({
    client,
    repositoryOf: (id) => `sites/${id}`,
    machines: async () => {},
    log: pino({ base: null, timestamp: false }, { write: (line) => said.push(JSON.parse(line).msg) }),
  });
  assert.deepEqual((await images.builds(applicationId, NEVER)).sort(), builds.toSorted());
  for (const build of builds) await images.prune(applicationId, [build], NEVER);
  await images.forget(applicationId, NEVER);
  assert.deepEqual(said, [
    'images of sites stay at the registry: the registry does not delete: it answered 405 (UNSUPPORTED)',
  ]);
  assert.deepEqual(await images.builds(applicationId, NEVER), [], 'nobody looks for what can’t be removed');
  assert.equal((await client.tags(`sites/${applicationId}`, NEVER)).length, 2);
});

withRegistry('what a kept tag stands for stays, whoever else stands for it', async (start) => {
  const registry = await start();
  const client = clientOf(registry);
  const applicationId = newId();
  const repository = `sites/${applicationId}`;
  const [gone = '', kept = '', alone = ''] = [newId(), newId(), newId()];
  const push = (tag: string, which: string) =>
    pushImage({
      at: `http://${registry.address}/v2/${repository}`,
      tag,
      labels: { which },
      authorization: basicOf(registry.user, registry.password),
      created: new Date(0),
    });
  // The same, and what is only called alike.
  for (const tag of [gone, kept]) await push(tag, 'shared');
  for (const tag of [alone, `${alone}-folders`, `${alone}0`, 'latest']) await push(tag, tag);
  const images = new ClusterImages({
    client,
    repositoryOf: (id) => `sites/${id}`,
    machines: async () => {},
    log: pino({ level: 'silent' }),
  });
  assert.deepEqual((await images.builds(applicationId, NEVER)).sort(), [gone, kept, alone].sort());
  await images.prune(applicationId, [gone, alone], NEVER);
  assert.deepEqual((await client.tags(repository, NEVER)).sort(), [gone, kept, `${alone}0`, 'latest'].sort());
  await images.forget(applicationId, NEVER);
  assert.deepEqual((await client.tags(repository, NEVER)).sort(), [`${alone}0`, 'latest'].sort());
});

/** What plays a registry where Debian's has no such answer to give. */
async function playing(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('tags are told page by page, and who we are to nobody else', async () => {
  const heard: string[] = [];
  using other = await playing((_, response) => {
    heard.push('other');
    response.end();
  });
  using registry = await playing((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://registry');
    heard.push(`${request.method} ${pathname} ${searchParams.get('last') ?? ''}`);
    if (pathname.includes('/manifests/'))
      return response.writeHead(307, { location: `${other.origin}${pathname}` }).end();
    const page = Number(searchParams.get('last') ?? 0);
    if (page < 2) {
      const to = `${other.origin}${pathname}?n=1&last=${page + 1}`;
      response.setHeader('link', `<${to}>; rel="next"`);
    }
    response.end(JSON.stringify({ name: 'one', tags: [`tag-${page}`] }));
  });
  const client = new RegistryClient({ origin: registry.origin, user: 'a', password: 'b' });
  assert.deepEqual(await client.tags('one', NEVER), ['tag-0', 'tag-1', 'tag-2']);
  await assert.rejects(client.digest('one', 'tag', NEVER), /does not tell a digest: it answered 307/);
  assert.deepEqual(heard, [
    'GET /v2/one/tags/list ',
    'GET /v2/one/tags/list 1',
    'GET /v2/one/tags/list 2',
    'HEAD /v2/one/manifests/tag ',
  ]);
});

test('an answer without an end, and tags without one, are no answer', async () => {
  using large = await playing((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(2 ** 16, ' ')));
    };
    response.on('drain', more);
    more();
  });
  const client = new RegistryClient({ origin: large.origin });
  await assert.rejects(client.tags('one', NEVER), /larger than/);
  using endless = await playing((request, response) => {
    response.setHeader('link', `<${request.url}>; rel="next"`);
    response.end(JSON.stringify({ tags: ['again'] }));
  });
  const other = new RegistryClient({ origin: endless.origin });
  await assert.rejects(other.tags('one', NEVER), /too many tags/);
});

test('who may not delete is told so as by a registry that does not, and what fails may be tried again', async () => {
  let status = 403;
  using registry = await playing((_, response) => {
    response.writeHead(status).end(JSON.stringify({ errors: [{ code: 'DENIED' }] }));
  });
  const client = new RegistryClient({ origin: registry.origin, user: 'a', password: 'b' });
  await assert.rejects(client.remove('one', 'sha256:0', NEVER), NoDeletion);
  status = 503;
  const failing = client.remove('one', 'sha256:0', NEVER);
  await assert.rejects(failing, (error) => error instanceof RegistryError && !(error instanceof NoDeletion));
});

test('who we are is told to no token server but by HTTP, and once alone to who does not take it', async () => {
  using registry = await playing((_, response) => {
    response.writeHead(401, { 'www-authenticate': 'Bearer realm="ftp://token",service="s"' }).end();
  });
  const client = new RegistryClient({ origin: registry.origin, user: 'a', password: 'b' });
  await assert.rejects(client.tags('one', NEVER), /asks for a token of ftp:/);
  let asked = 0;
  using basic = await playing((_, response) => {
    asked += 1;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
  });
  const other = new RegistryClient({ origin: basic.origin, user: 'a', password: 'b' });
  await assert.rejects(other.tags('one', NEVER), /answered 401/);
  assert.equal(asked, 2);
  await assert.rejects(other.tags('one', NEVER), /answered 401/);
  assert.equal(asked, 3, 'who asks for a password is told it at once from then on');
});

withRegistry(
  'files of a site are brought once, again where they are gone, and go where nobody is served from them',
  async (start, folder, t) => {
    const registry = await start();
    const [site, dataDir] = [join(folder, 'site'), join(folder, 'data')];
    await mkdir(join(site, 'deep'), { recursive: true });
    await writeFile(join(site, 'index.html'), 'page');
    await writeFile(join(site, 'deep/רשימה'), 'list');
    const content = await buffer(archiveOfTree(site, IN_IMAGE, { uid: 1_000, gid: 1_000 }));
    const build = { applicationId: newId(), buildId: newId() };
    const place = { authorization: basicOf(registry.user, registry.password), labels: {} };
    const at = (applicationId: string) => `http://${registry.address}/v2/sites/${applicationId}`;
    const push = () => pushImage({ ...place, at: at(build.applicationId), tag: build.buildId, content });
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const folders = siteFolders(dataDir);
    const open = (mostBytes = 2 ** 20) =>
      openSiteCopies({
        client: clientOf(registry),
        repositoryOf: (applicationId) => `sites/${applicationId}`,
        folders,
        mostBytes,
        log: pino({ level: 'silent' }),
      });
    const small = await open(1_000);
    assert.equal(await small.bring(build), false, 'nobody has it');
    await push();
    assert.equal(await small.bring(build), false, 'and nobody is asked again for a while');
    now += 10_000;
    assert.equal(await small.bring(build), false, 'it is more than may be');
    await small.close();

    const copies = await open();
    assert.equal(copies.isHere(build), false);
    assert.deepEqual(await Promise.all([copies.bring(build), copies.bring(build)]), [true, true]);
    assert.equal(copies.isHere(build), true);
    const there = copies.folderOf(build);
    assert.equal(await readFile(join(there, 'deep/רשימה'), 'utf8'), 'list');
    assert.deepEqual((await readdir(folders.copies)).sort(), [build.applicationId, 'trash'].sort());
    const again = await open();
    assert.equal(again.isHere(build), true, 'it outlives the process');

    await rm(there, { recursive: true });
    assert.equal(await copies.has(build), true);
    assert.equal(await readFile(join(there, 'index.html'), 'utf8'), 'page');
    await rm(there, { recursive: true });
    again.keep([build]);
    await until(() => !again.isHere(build));

    await copies.has(build);
    copies.keep([]);
    now += 500_000;
    copies.keep([build]);
    now += 500_000;
    copies.keep([]);
    assert.equal(copies.isHere(build), true);
    now += 600_000;
    copies.keep([]);
    assert.equal(copies.isHere(build), false);
    await until(async () => (await readdir(folders.copiesOf(build.applicationId))).length === 0);
    assert.deepEqual(await copies.applications(), [build.applicationId]);
    await copies.forget(build.applicationId, NEVER);
    assert.deepEqual(await copies.applications(), []);
    await Promise.all([copies.close(), again.close()]);
  },
);

withRegistry(
  'what a registry gives is no file of a site unless it is what its digest says',
  async (_start, folder) => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const answers: Record<string, RequestListener> = {
      manifests: (_request, response) =>
        response.end(
          JSON.stringify({ layers: [{ digest, mediaType: 'application/vnd.oci.image.layer.v1.tar' }] }),
        ),
      blobs: (request, response) => {
        // Kept elsewhere, where nobody is told a password.
        if (request.headers.authorization) response.writeHead(307, { location: '/elsewhere' }).end();
        else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      },
    };
    let told: string | undefined = 'nobody asked';
    const server = createServer((request, response) => {
      const [, , , , what = ''] = (request.url ?? '').split('/');
      if (request.url === '/elsewhere') told = request.headers.authorization;
      (answers[what] ?? ((_request, answer) => answer.end(Buffer.alloc(1_024))))(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lines: string[] = [];
    const copies = await openSiteCopies({
      client: clientOf({ address, user: 'a', password: 'b' }),
      repositoryOf: (applicationId) => `sites/${applicationId}`,
      folders: siteFolders(join(folder, 'data')),
      mostBytes: 2 ** 20,
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    });
    assert.equal(await copies.bring({ applicationId: newId(), buildId: newId() }), false);
    assert.match(lines.join(''), /the registry gave sha256:5f70bf18a086/);
    assert.equal(told, undefined);
    await copies.close();
    server.close();
  },
);
