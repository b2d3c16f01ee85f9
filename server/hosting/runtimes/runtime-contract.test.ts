import { InMemoryRuntime } from '../../../test/support/in-memory-runtime.ts';
import { openRuntime } from '../../../test/support/runtime.ts';
import { scriptedOrder, testRuntimeContract } from '../../../test/support/runtime-contract.ts';
import { newId } from '../../kernel/identifiers.ts';
import { CAPABILITIES, type Capability } from './capabilities.ts';

const ALL = Object.keys(CAPABILITIES) as Capability[];
const ALONE = ['folders', 'tasks'] as const;

for (const [name, capabilities] of [
  ['with all capabilities', ALL],
  ['as of one machine', undefined],
  ['with few capabilities', ALONE],
] as const) {
  testRuntimeContract(`in memory, ${name}`, async () => {
    const runtime = new InMemoryRuntime(capabilities && { capabilities });
    const ids = () => ({ applicationId: newId(), environmentId: newId(), deploymentId: newId() });
    const order = {
      instance: newId(),
      labels: { ...ids(), releaseId: newId(), buildId: newId(), process: 'web', number: 1 },
      artifact: { kind: 'folder', below: '' } as const,
      command: 'node server.js',
      variables: {},
      limits: { memoryMb: 128, processes: 100, diskMb: 64 },
      mounts: [],
      replicas: 1,
      listens: true,
    };
    return { runtime, order, startMs: 50, [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose]() };
  });
}

for (const appsIsolation of ['sandbox', 'none'] as const)
  testRuntimeContract(`processes (${appsIsolation})`, async () => {
    const opened = await openRuntime({ appsIsolation });
    return { ...opened, order: await scriptedOrder(opened), startMs: 1_000 };
  });
