import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openRuntime } from '../../../test/support/runtime.ts';
import { CAPABILITIES } from './capabilities.ts';
import { CONTAINER_CAPABILITIES } from './containers/runtime.ts';
import { SWARM_CAPABILITIES } from './swarm/runtime.ts';

const DOCS = new URL('../../../docs/runtimes.md', import.meta.url);

test('the table of docs/runtimes.md says what each runtime can do', async () => {
  const rows = [
    ...readFileSync(DOCS, 'utf8').matchAll(
      /^\| `(\w+)` \| (.+) \| (yes|no|in the sandbox|in the sandbox, or as root) \| (yes|no) \| (yes|no) \|$/gm,
    ),
  ];
  assert.deepEqual(
    rows.map(([, name, what]) => [name, what]),
    Object.entries(CAPABILITIES),
  );
  const can = (...answers: string[]) =>
    rows.filter(([, , , answer = '']) => answers.includes(answer)).map(([, name]) => name);
  for (const [at, capabilities] of [
    [4, CONTAINER_CAPABILITIES],
    [5, SWARM_CAPABILITIES],
  ] as const) {
    const told = rows.filter((row) => row[at] === 'yes').map(([, name]) => name);
    assert.deepEqual([...capabilities].sort(), told.sort());
  }
  await using walled = await openRuntime();
  assert.deepEqual(
    [...walled.runtime.capabilities].sort(),
    can('yes', 'in the sandbox', 'in the sandbox, or as root').sort(),
  );
  await using open = await openRuntime({ appsIsolation: 'none' });
  const more = process.getuid?.() === 0 ? ['in the sandbox, or as root'] : [];
  assert.deepEqual([...open.runtime.capabilities].sort(), can('yes', ...more).sort());
});
