import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FACTS, LOG } from '../../../../test/support/runtime.ts';
import { newId } from '../../../kernel/identifiers.ts';
import type { Launch } from '../../model/launch.ts';
import { Supervisors, type SupervisorsParts } from './supervisors.ts';

test('at the end of the term, a site that can’t be stopped does not keep the others from being waited for', async () => {
  const other = Promise.withResolvers<void>();
  const parts: { [part in keyof SupervisorsParts]?: unknown } = {
    instances: {
      stop: (id: string) =>
        id === 'broken' ? Promise.reject(new Error('the engine is away')) : other.promise,
      trackedIds: () => [],
      scale: async () => {},
      stopOrphans: async () => {},
    },
    records: { instances: { remove: async () => {} } },
    logs: { write: { put: () => {} } },
    log: LOG,
    clock: () => Temporal.Now.instant(),
    silentMs: 0,
    term: new AbortController().signal,
  };
  const supervisors = new Supervisors(parts as SupervisorsParts);
  for (const id of ['broken', 'slow']) {
    const launch: Launch = {
      ...FACTS,
      ownerId: newId(),
      environmentId: newId(),
      applicationId: newId(),
      releaseId: newId(),
      source: 'commit',
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
    supervisors.of(launch.environmentId).adopt(launch, {
      id,
      targets: [{ kind: 'server', origin: 'http://127.0.0.1:1' }],
      ended: new Promise(() => {}),
    });
  }
  let isClosed = false;
  const closing = supervisors.close('immediate').then(() => {
    isClosed = true;
  });
  await turn();
  assert.equal(isClosed, false);
  other.resolve();
  await closing;
});
