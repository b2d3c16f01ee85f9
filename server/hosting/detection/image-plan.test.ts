import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageConfig } from '../model/image-config.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeFinding } from './findings.ts';
import { planOfImage } from './image-plan.ts';

const IMAGE = { name: 'ghcr.io/who/app:1.4', digest: `sha256:${'a'.repeat(64)}` };
const NONE = { start: null, port: null };

function said(config: ImageConfig, settings: { start: string | null; port: number | null } = NONE) {
  const { run, findings } = planOfImage(IMAGE, config, settings);
  const [first, ...others] = findings.map((finding) => describeFinding(finding, 'en'));
  assert.equal(first, `image: ${IMAGE.name} (${IMAGE.digest}) (the application’s settings)`);
  return { run, others };
}

test('an image runs its own command on its own port, unless the application sets them', () => {
  const config = {
    Entrypoint: ['/entry'],
    Cmd: ['serve', '--name', 'two words'],
    ExposedPorts: { '80/tcp': {} },
  };
  assert.deepEqual(said(config), {
    run: { processes: { web: '' } },
    others: ['start: /entry serve --name "two words" (the image)', 'port: 80 (the image)'],
  });
  assert.deepEqual(said(config, { start: 'node x.js', port: 3000 }), {
    run: { processes: { web: 'node x.js' }, port: 3000 },
    others: ['start: node x.js (the application’s settings)', 'port: 3000 (the application’s settings)'],
  });
});

test('a port is the image’s own only if it declares exactly one', () => {
  const Cmd = ['/app'];
  for (const [ExposedPorts, port] of [
    [undefined, undefined],
    [{ '80/tcp': {}, '443/tcp': {} }, undefined],
    [{ '53/udp': {} }, undefined],
    [{ '53/udp': {}, '8080/tcp': {} }, 'port: 8080 (the image)'],
  ] as const) {
    const { others } = said({ Cmd, ...(ExposedPorts && { ExposedPorts }) });
    assert.equal(others[1], port);
  }
});

test('an image without a command needs one of the application', () => {
  assert.throws(
    () => planOfImage(IMAGE, {}, NONE),
    (error) => error instanceof RuntimeFailure && error.reason.code === 'no_command_in_image',
  );
  assert.deepEqual(said({}, { start: '/app', port: null }).run.processes, { web: '/app' });
});
