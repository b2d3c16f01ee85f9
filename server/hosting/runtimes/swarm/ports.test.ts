import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { NodeJobOptions } from '../../engine/swarm/node-job.ts';
import type { Task } from '../../engine/swarm/types.ts';
import type { Instance, Labels } from '../runtime.ts';
import { Ports } from './ports.ts';
import { replicasOf } from './state.ts';

const NEVER = new AbortController().signal;
const node = {
  ID: 'node',
  Version: { Index: 1 },
  Description: { Hostname: 'host' },
  Spec: { Labels: {}, Role: 'worker', Availability: 'active' },
  Status: { State: 'ready' as const, Addr: '10.0.0.1' },
};

const task = (ID: string, Slot: number, port?: number): Task => ({
  ID,
  Slot,
  ServiceID: 'service',
  CreatedAt: ID,
  NodeID: node.ID,
  DesiredState: 'running',
  Status: {
    State: 'running',
    ContainerStatus: { ContainerID: `container-of-${ID}`, ExitCode: 0 },
    PortStatus: port ? { Ports: [{ TargetPort: 8080, PublishedPort: port }] } : {},
  },
});

/**
 * A cluster that is looked at every second; `fails` has its node jobs fail, `says` is what its machines know of ports.
 */
function watched() {
  let second = 0;
  const jobs: (readonly string[])[] = [];
  const state = { jobs, fails: false, says: [] as string[], asked: [] as (readonly string[])[] };
  const ports = new Ports({
    async runNodeJob(_script, words, _signal, { nodes: on, onLine: hear }: NodeJobOptions = {}) {
      assert.deepEqual([...(on ?? [])], [node.ID]);
      (hear ? state.asked : jobs).push(words);
      if (state.fails) throw new Error('a machine is busy');
      for (const line of state.says) hear?.(line);
    },
    log: pino({ level: 'silent' }),
    now: () => second * 1_000,
  });
  return Object.assign(state, {
    async look(seconds: number, ...tasks: Task[]) {
      let replicas: Instance['replicas'] = [];
      for (let turn = 0; turn < seconds; turn += 1) {
        second += 1;
        replicas = replicasOf(8080, ports.withKnownPorts(tasks), new Map([[node.ID, node]]));
        const instance = { instance: 'one', labels: {} as Labels, port: 8080, replicas };
        await ports.repair([instance], new Map(tasks.map((one) => [one.ID, one])), NEVER);
      }
      return replicas.map(({ number, origin }) => [number, origin]);
    },
  });
}

test('a port that a cluster has lost is where it was', async () => {
  const { look, jobs } = watched();
  const where = [[1, 'http://10.0.0.1:32768']];
  assert.deepEqual(await look(1, task('a', 1, 32_768)), where);
  assert.deepEqual(await look(60, task('a', 1)), where);
  assert.deepEqual(jobs, []);
});

test('of what a cluster has lost before, the machine is asked at which port it is', async () => {
  const cluster = watched();
  cluster.says = ['another 8080/tcp=1', 'container-of-a 9000/tcp=2 8080/tcp=32768 8080/tcp=32768', 'odd'];
  assert.deepEqual(await cluster.look(1, task('a', 1)), [[1, undefined]]);
  await cluster.look(1, task('a', 1));
  assert.deepEqual(await cluster.look(60, task('a', 1)), [[1, 'http://10.0.0.1:32768']]);
  assert.deepEqual([cluster.asked, cluster.jobs], [[['container-of-a']], []]);
});

test('what has run for ten seconds at no port is ended, that alone, and has not fallen', async () => {
  const { look, jobs } = watched();
  const well = task('a', 1, 32_768);
  assert.deepEqual(await look(10, well, task('b', 2)), [
    [1, 'http://10.0.0.1:32768'],
    [2, undefined],
  ]);
  assert.deepEqual(jobs, []);
  await look(1, well, task('b', 2));
  assert.deepEqual(jobs, [['container-of-b']]);
  const ended = task('b', 2);
  Object.assign(ended, { DesiredState: 'shutdown', Status: { ...ended.Status, State: 'failed' } });
  assert.deepEqual(await look(20, well, ended), [[1, 'http://10.0.0.1:32768']]);
  assert.deepEqual(await look(1, well, ended, task('c', 2, 32_769)), [
    [1, 'http://10.0.0.1:32768'],
    [2, 'http://10.0.0.1:32769'],
  ]);
  assert.equal(jobs.length, 1);
});

test('what is told late is left alone, and what could not be ended is ended later', async () => {
  const cluster = watched();
  await cluster.look(9, task('a', 1));
  await cluster.look(1, task('a', 1, 32_768));
  cluster.fails = true;
  await cluster.look(11, task('b', 2));
  assert.equal(cluster.jobs.length, 1);
  cluster.fails = false;
  await cluster.look(11, task('b', 2));
  assert.deepEqual(cluster.jobs, [['container-of-b'], ['container-of-b']]);
});
