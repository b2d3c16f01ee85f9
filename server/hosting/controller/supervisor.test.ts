import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FACTS, LOG } from '../../../test/support/runtime.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Launch } from '../model/launch.ts';
import { createRunningSites, type RunningParts } from './supervisor.ts';

test('at the end, a site that can’t be stopped keeps nobody from waiting for the others', async () => {
  const other = Promise.withResolvers<void>();
  const parts: { [part in keyof RunningParts]?: unknown } = {
    instances: {
      stop: (id: string) =>
        id === 'broken' ? Promise.reject(new Error('the engine is away')) : other.promise,
      attended: () => [],
      scale: async () => {},
      endOthers: async () => {},
    },
    records: { instances: { remove: async () => {} } },
    logs: { write: { put: () => {} } },
    log: LOG,
    clock: () => Temporal.Now.instant(),
    silentMs: 0,
    tenure: new AbortController().signal,
  };
  const running = createRunningSites(parts as RunningParts);
  for (const id of ['broken', 'slow']) {
    const launch: Launch = {
      ...FACTS,
      ownerId: newId(),
      environmentId: newId(),
      applicationId: newId(),
      releaseId: newId(),
      buildId: newId(),
      artifact: { kind: 'folder', below: '' },
      plan: { processes: { web: 'true' } },
      process: 'web',
      number: 1,
      replicas: 1,
      isOneOfSeveral: false,
      variables: {},
      healthPath: '/',
      volumes: [],
      sticky: false,
    };
    running.adopt(launch, {
      id,
      targets: [{ kind: 'server', origin: 'http://127.0.0.1:1' }],
      ended: new Promise(() => {}),
    });
  }
  let isClosed = false;
  const closing = running.close('at once').then(() => {
    isClosed = true;
  });
  await turn();
  assert.equal(isClosed, false);
  other.resolve();
  await closing;
});
