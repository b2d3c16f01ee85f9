import assert from 'node:assert/strict';
import { test } from 'node:test';
import { architectureOf, manifestFor, manifestOf, settingsOf } from './image-manifest.ts';

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const forPlatform = (os: unknown, architecture: unknown, letter: string) => ({
  digest: digest(letter),
  platform: { os, architecture },
});

test('the manifest for a machine’s platform is chosen from a list', () => {
  const manifests = [
    { digest: digest('f'), platform: { os: 'unknown', architecture: 'unknown' } },
    forPlatform('windows', 'amd64', 'a'),
    forPlatform('linux', 'arm64', 'b'),
    forPlatform('linux', 'amd64', 'c'),
    forPlatform('linux', 'amd64', 'd'),
  ];
  for (const [json, architecture, expected] of [
    [{ manifests }, 'amd64', digest('c')],
    [{ manifests }, 'arm64', digest('b')],
    [{ manifests }, 's390x', undefined],
    [{ manifests: [] }, 'amd64', undefined],
    [{ manifests: [null, 1, {}] }, 'amd64', undefined],
    [{ manifests: [{ ...forPlatform('linux', 'amd64', 'c'), digest: '../x' }] }, 'amd64', undefined],
    [{ layers: [] }, 'amd64', 'single'],
    [null, 'amd64', 'single'],
  ] as const)
    assert.equal(manifestFor(json, architecture), expected);
  assert.deepEqual(['x64', 'arm64', 'ia32'].map(architectureOf), ['amd64', 'arm64', '386']);
});

test('a manifest has the digest of the settings and the sizes of the layers', () => {
  const config = { digest: digest('c'), size: 7 };
  assert.deepEqual(manifestOf({ config, layers: [{ size: 10 }, { size: 0 }] }), {
    config: digest('c'),
    layers: [10, 0],
  });
  for (const json of [
    null,
    'text',
    {},
    { config },
    { config: { digest: 'md5:1' }, layers: [] },
    { config, layers: [{}] },
    { config, layers: [{ size: -1 }] },
    { config, layers: [{ size: '10' }] },
    { config, layers: [{ size: 1e300 }] },
  ])
    assert.equal(manifestOf(json), undefined, JSON.stringify(json));
});

test('settings of an image are read as far as they are valid', () => {
  const config = { ExposedPorts: { '80/tcp': {} }, Entrypoint: ['/run'], Cmd: ['web', 1], Env: ['A=b'] };
  assert.deepEqual(settingsOf({ os: 'linux', architecture: 'amd64', config }), {
    platform: 'linux/amd64',
    config: { ExposedPorts: { '80/tcp': {} }, Entrypoint: ['/run'], Cmd: ['web'] },
  });
  assert.deepEqual(settingsOf({ os: 'linux', architecture: 'amd64' })?.config, {
    ExposedPorts: {},
    Entrypoint: [],
    Cmd: [],
  });
  for (const json of [null, {}, { os: 'linux' }, [], 'x']) assert.equal(settingsOf(json), undefined);
});
