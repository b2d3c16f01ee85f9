import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, Task } from '../../engine/swarm/types.ts';
import { describeReason } from '../../model/reasons/reason.ts';
import type { Replica } from '../runtime.ts';
import { byNumber, portsIn, replicasOf, stateOfTasks } from './state.ts';

const node = (ID: string, State: Node['Status']['State'] = 'ready'): Node => ({
  ID,
  Version: { Index: 1 },
  Description: { Hostname: `host-${ID}` },
  Spec: { Labels: {}, Role: 'worker', Availability: 'active' },
  Status: { State, Addr: `10.0.0.${ID}` },
});
const nodes = (...all: Node[]) => new Map(all.map((one) => [one.ID, one]));

let turn = 0;
const task = (
  Slot: number,
  DesiredState: Task['DesiredState'],
  State: Task['Status']['State'],
  { NodeID = '1', port, code = 0 }: { NodeID?: string; port?: number; code?: number } = {},
): Task => {
  turn += 1;
  return {
    ID: `task-${turn}`,
    ServiceID: 'service',
    CreatedAt: new Date(turn * 1_000).toISOString(),
    Slot,
    DesiredState,
    NodeID,
    Status: {
      State,
      ContainerStatus: { ContainerID: 'c', ExitCode: code },
      PortStatus: { Ports: port ? [{ TargetPort: 8080, PublishedPort: port }] : [] },
    },
  };
};
const told = (replicas: readonly Replica[]) =>
  replicas.map(({ number, origin, down }) => [
    number,
    origin ?? (down ? describeReason(down, 'en') : 'runs'),
  ]);

test('of each replica the newest counts, where its machine passes requests on to it', () => {
  const all = [
    task(1, 'running', 'running', { port: 32_768 }),
    task(2, 'shutdown', 'failed', { code: 7 }),
    task(2, 'running', 'running', { NodeID: '2', port: 32_769 }),
  ];
  assert.deepEqual(told(replicasOf(8080, all, nodes(node('1'), node('2')))), [
    [1, 'http://10.0.0.1:32768'],
    [2, 'http://10.0.0.2:32769'],
  ]);
  assert.deepEqual(told(replicasOf(undefined, all, nodes(node('1'), node('2')))), [
    [1, 'runs'],
    [2, 'runs'],
  ]);
});

test('how one ended is told until the next one runs', () => {
  const ended = (state: Task['Status']['State'], code: number) =>
    told(
      replicasOf(
        8080,
        [task(1, 'shutdown', state, { code }), task(1, 'ready', 'preparing')],
        nodes(node('1')),
      ),
    );
  assert.deepEqual(ended('failed', 7), [[1, 'exited with code 7']]);
  assert.deepEqual(ended('complete', 0), [[1, 'exited with code 0']]);
  assert.deepEqual(told(replicasOf(8080, [task(1, 'running', 'preparing')], nodes(node('1')))), []);
});

test('of an image that a machine could not bring, its registry is not told', () => {
  const refused = task(1, 'shutdown', 'rejected');
  refused.Status.Err = 'No such image: registry.internal:5000/sites/one:two';
  assert.deepEqual(told(replicasOf(8080, [refused], nodes(node('1')))), [
    [1, 'could not be run: machine host-1 failed to pull its image from the cluster’s registry'],
  ]);
});

test('a machine that is gone has taken what ran there, whoever of both is known first', () => {
  const lost = 'lost its machine (host-3)';
  const running = () => task(1, 'running', 'running', { NodeID: '3', port: 32_768 });
  const taken = () => task(1, 'shutdown', 'running', { NodeID: '3' });
  const next = () => task(1, 'ready', 'pending', { NodeID: '' });
  const down = nodes(node('1'), node('3', 'down'));
  assert.deepEqual(told(replicasOf(8080, [running()], down)), [[1, lost]]);
  assert.deepEqual(told(replicasOf(8080, [taken(), next()], down)), [[1, lost]]);
  assert.deepEqual(told(replicasOf(8080, [taken(), next()], nodes(node('1'), node('3')))), [[1, lost]]);
  assert.deepEqual(told(replicasOf(8080, [taken()], nodes(node('1'), node('3')))), [[1, lost]]);
});

test('what is not wanted any more is none, and what has no port for a moment is where it was', () => {
  assert.deepEqual(replicasOf(8080, [task(2, 'remove', 'running')], nodes(node('1'))), []);
  assert.deepEqual(told(replicasOf(8080, [task(1, 'running', 'running')], nodes(node('1')))), [[1, 'runs']]);
});

test('how far each has come that is to run is said in a line', () => {
  const all = [
    task(1, 'running', 'running', { NodeID: '2', port: 32_768 }),
    task(2, 'running', 'preparing'),
    task(4, 'running', 'running'),
    task(3, 'shutdown', 'failed', { code: 7 }),
    task(3, 'ready', 'pending', { NodeID: '' }),
  ];
  const said = stateOfTasks(all, nodes(node('1'), node('2')));
  assert.equal(said, 'host-1: preparing; host-1: running, at no port; host-2: running; pending');
});

test('replicas are numbered from 1, in the order of a cluster’s own numbers, of which some may be left out', () => {
  const all = [
    task(4, 'running', 'running', { port: 32_770 }),
    task(1, 'running', 'running', { port: 32_768 }),
    task(2, 'remove', 'shutdown'),
    task(3, 'shutdown', 'failed', { code: 7 }),
    task(3, 'ready', 'preparing'),
  ];
  assert.deepEqual(told(replicasOf(8080, all, nodes(node('1')))), [
    [1, 'http://10.0.0.1:32768'],
    [2, 'exited with code 7'],
    [3, 'http://10.0.0.1:32770'],
  ]);
  assert.deepEqual(
    [...byNumber(all)].map(([number, its]) => [number, its.at(-1)?.Slot]),
    [
      [1, 1],
      [2, 3],
      [3, 4],
    ],
  );
});

test('ports are whole numbers that a port may have', () => {
  assert.deepEqual(portsIn(' 3000 1.5 1e999 1e3 0 -1 65535 65536 0x50 NaN '), [3_000, 65_535]);
  assert.deepEqual(portsIn(''), []);
});
