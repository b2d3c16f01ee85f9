import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { RegistryClient } from '../engine/registry-client.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type NamedImageSettings, NamedImages } from './named-images.ts';

const NEVER = new AbortController().signal;
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

type Answer = (response: ServerResponse, path: string, authorization: string) => void;

/** HTTP server with the answers of a registry, at an address of this machine. */
async function serve(answer: Answer) {
  const server = createServer((request, response) =>
    answer(response, request.url ?? '', request.headers.authorization ?? ''),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    registry: `127.0.0.1:${port}`,
    port,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers of a registry that has one image for two platforms. */
function imageOf(config: object, sizes: readonly number[]): { digest: string; answer: Answer } {
  const settings = JSON.stringify(config);
  const manifest = JSON.stringify({
    mediaType: MANIFEST,
    config: { digest: digestOf(settings) },
    layers: sizes.map((size) => ({ size })),
  });
  const platform = { os: 'linux', architecture: 'amd64' };
  const index = JSON.stringify({ mediaType: INDEX, manifests: [{ digest: digestOf(manifest), platform }] });
  const documents = new Map([
    [`/v2/who/app/manifests/${digestOf(manifest)}`, manifest],
    [`/v2/who/app/manifests/${digestOf(index)}`, index],
    ['/v2/who/app/manifests/1', index],
    [`/v2/who/app/blobs/${digestOf(settings)}`, settings],
  ]);
  const answer: Answer = (response, path) => {
    const text = documents.get(path);
    if (text === undefined) return response.writeHead(404).end('{}');
    response.writeHead(200, { 'docker-content-digest': digestOf(text) }).end(text);
  };
  return { digest: digestOf(index), answer };
}

const CONFIG = {
  os: 'linux',
  architecture: 'amd64',
  config: { Cmd: ['/app'], ExposedPorts: { '80/tcp': {} } },
};

function imagesAt(registry: string, changed: Partial<NamedImageSettings> = {}, processArch = 'x64') {
  const settings: NamedImageSettings = {
    appsNamedImages: 'on',
    appsAllowPrivateHosts: true,
    appsHttpRegistries: [registry],
    appsDiskMb: 100,
  };
  return new NamedImages({ ...settings, ...changed }, processArch);
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was described'),
    (rejected) => rejected,
  );
  assert.ok(error instanceof RuntimeFailure, String(error));
  return error.reason.code;
}

test('a registry describes the image that a name means now', async () => {
  const { digest, answer } = imageOf(CONFIG, [100, 200]);
  using at = await serve(answer);
  const name = `${at.registry}/who/app:1`;
  const found = await imagesAt(at.registry).describe(name, undefined, NEVER);
  const config = { ExposedPorts: { '80/tcp': {} }, Entrypoint: [], Cmd: ['/app'] };
  assert.deepEqual(found, { name, digest, bytes: 300, layers: 2, config });
  const pinned = `${at.registry}/who/app@${digest}`;
  assert.equal((await imagesAt(at.registry).describe(pinned, undefined, NEVER)).digest, digest);
});

test('an image that may not or cannot run here has a reason', async () => {
  const { answer } = imageOf(CONFIG, [100, 200]);
  using at = await serve(answer);
  const describe = (changed: Partial<NamedImageSettings>, name = 'who/app:1', arch = 'x64') =>
    codeOf(imagesAt(at.registry, changed, arch).describe(`${at.registry}/${name}`, undefined, NEVER));
  assert.equal(await describe({ appsNamedImages: 'off' }), 'image_off');
  assert.equal(await describe({ appsNamedImages: 'open_registration' }), 'image_untrusted');
  assert.equal(await describe({ appsNamedImages: 'no_engine' }), 'image_without_engine');
  assert.equal(await describe({ appsAllowPrivateHosts: false }), 'registry_refused');
  assert.equal(await describe({ appsDiskMb: 0 }), 'named_image_too_large');
  assert.equal(await describe({}, 'who/app:2'), 'named_image_missing');
  assert.equal(await describe({}, 'who/app:1', 'arm64'), 'image_platform');
  assert.equal(await describe({ appsHttpRegistries: [] }), 'registry_unreached');
  assert.equal(
    await codeOf(imagesAt('', { appsAllowPrivateHosts: false }).check('127.0.0.1/a')),
    'registry_refused',
  );

  using other = await serve(imageOf({ ...CONFIG, architecture: 'arm64' }, []).answer);
  const wrong = imagesAt(other.registry).describe(`${other.registry}/who/app:1`, undefined, NEVER);
  assert.equal(await codeOf(wrong), 'image_platform');
  using none = await serve(imageOf({ no: 'image' }, []).answer);
  const odd = imagesAt(none.registry).describe(`${none.registry}/who/app:1`, undefined, NEVER);
  assert.equal(await codeOf(odd), 'not_an_image');
});

test('what a registry answers to a login decides the reason', async () => {
  const login = { user: 'noa', password: 'secret' };
  const header = `Basic ${Buffer.from('noa:secret').toString('base64')}`;
  for (const [status, given, code] of [
    [401, undefined, 'named_image_missing'],
    [401, login, 'named_image_denied'],
    [403, login, 'named_image_denied'],
    [404, login, 'named_image_missing'],
    [429, undefined, 'registry_limited'],
    [500, undefined, 'registry_unreached'],
  ] as const) {
    let seen = '';
    using at = await serve((response, _path, authorization) => {
      seen ||= authorization;
      response.writeHead(status, { 'www-authenticate': 'Basic realm="r"' }).end('{}');
    });
    const work = imagesAt(at.registry).describe(`${at.registry}/who/app:1`, given, NEVER);
    assert.equal(await codeOf(work), code, `${status}`);
    assert.equal(seen, status === 401 && given ? header : '');
  }
});

test('a registry can lead neither to a token server nor to storage on a host that is closed', async () => {
  const asked: string[] = [];
  using closed = await serve((response) => {
    asked.push('closed');
    response.writeHead(200).end('{"token":"t"}');
  });
  const there = `http://localhost:${closed.port}/`;
  const checkHost = async (host: string) => {
    if (host === 'localhost') throw new Error('closed');
  };
  for (const headers of [
    { 'www-authenticate': `Bearer realm="${there}",service="s"` },
    { location: there },
  ] as const) {
    const status = 'location' in headers ? 307 : 401;
    using at = await serve((response) => void response.writeHead(status, headers).end('{}'));
    const client = new RegistryClient({ origin: `http://${at.registry}`, checkHost });
    await assert.rejects(client.json('who/app', digestOf('x'), NEVER), /closed/);
  }
  assert.deepEqual(asked, []);
});
