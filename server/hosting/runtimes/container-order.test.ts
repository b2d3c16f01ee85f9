import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../kernel/identifiers.ts';
import { termsOf } from './container-order.ts';
import type { Order } from './runtime.ts';

const KEYS = ['applicationId', 'environmentId', 'deploymentId', 'releaseId', 'buildId'] as const;

function orderOf(artifact: Order['artifact']): Order {
  const ids = Object.fromEntries(KEYS.map((key) => [key, newId()])) as Record<(typeof KEYS)[number], string>;
  return {
    instance: newId(),
    labels: { ...ids, process: 'web', number: 1 },
    artifact,
    command: 'node server.js',
    variables: { NODE_OPTIONS: '--no-warnings' },
    limits: { memoryMb: 512, processes: 500, diskMb: 64 },
    mounts: [],
  };
}

test('Node.js in a container is told its memory, and in an image of the source’s own what its owner says', () => {
  const optionsIn = (artifact: Order['artifact']) =>
    termsOf('platform', orderOf(artifact)).env.filter((one) => one.startsWith('NODE_OPTIONS='));
  const image = { kind: 'image', image: 'simcha', below: '' } as const;
  assert.deepEqual(optionsIn(image), ['NODE_OPTIONS=--no-warnings --max-old-space-size=384']);
  assert.deepEqual(optionsIn({ ...image, own: { lacksCommand: false } }), ['NODE_OPTIONS=--no-warnings']);
});
