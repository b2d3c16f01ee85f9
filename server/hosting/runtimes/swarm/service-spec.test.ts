import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsOf } from '../container-order.ts';
import type { Order, StartOrder } from '../runtime.ts';
import { type ServiceSurroundings, serviceSpec } from './service-spec.ts';

const ids = { applicationId: 'a', environmentId: 'e', deploymentId: 'd', releaseId: 'r', buildId: 'b' };
const task: Order = {
  instance: 'one',
  labels: { ...ids, process: 'web', number: 1 },
  artifact: { kind: 'image', image: 'registry/site:1', below: 'app', hasHome: true },
  command: 'node server.js',
  variables: { TITLE: 'x' },
  limits: { memoryMb: 128, processes: 100, diskMb: 64 },
  mounts: [{ volume: 'home', at: 'home' }],
};
const start: StartOrder = { ...task, replicas: 3, listens: true };
const ownImage: StartOrder = {
  ...start,
  command: '',
  artifact: { kind: 'image', image: 'registry/own:1', below: '', own: { port: 80 } },
};

const specOf = (order: Order & Partial<StartOrder>, changed: Partial<ServiceSurroundings> = {}) =>
  serviceSpec(order, {
    terms: termsOf('platform', order),
    image: 'registry/site:1-with-folders',
    network: 'simcha-cluster-e',
    constraints: ['node.labels.closed==yes'],
    firewallMount: undefined,
    canForbidPrivileges: false,
    firstProcess: 'first',
    ...changed,
  });

const container = (...of: Parameters<typeof specOf>) => specOf(...of).TaskTemplate.ContainerSpec;
const firewallMount = { Type: 'bind', Source: '/run/closed', Target: '/run/simcha-closed' } as const;

for (const [name, found, expected] of [
  ['its name is the instance’s', specOf(start).Name, 'simcha-one'],
  ['an instance has its replicas', specOf(start).Mode, { Replicated: { Replicas: 3 } }],
  ['a command runs once', specOf(task).Mode, { Replicated: { Replicas: 1 } }],
  [
    'an instance is started again a second after each end',
    specOf(start).TaskTemplate.RestartPolicy,
    { Condition: 'any', Delay: 1e9 },
  ],
  ['a command is never started again', specOf(task).TaskTemplate.RestartPolicy, { Condition: 'none' }],
  [
    'a port is published by the machine itself',
    specOf(start).EndpointSpec,
    { Mode: 'dnsrr', Ports: [{ Protocol: 'tcp', TargetPort: 8080, PublishMode: 'host' }] },
  ],
  ['a command has no port', specOf(task).EndpointSpec, { Mode: 'dnsrr' }],
  [
    'limits are in bytes and billionths of a processor',
    specOf({ ...start, limits: { ...start.limits, cpus: 0.5 } }).TaskTemplate.Resources,
    { Limits: { MemoryBytes: 2 ** 27, Pids: 100, NanoCPUs: 5e8 } },
  ],
  ['an image with the folders of its mounts', container(start).Image, 'registry/site:1-with-folders'],
  ['a command runs below the first process', container(start).Command, ['/bin/sh', '-c', 'first', 'sh']],
  ['which gets the command and the instance', container(start).Args, ['node server.js', 'one']],
  ['our images run as their user', [container(start).User, container(start).Dir], ['1000:1000', '/app/app']],
  ['our images have no capabilities', container(start).CapabilityAdd, undefined],
  [
    'an own image runs its own command',
    [container(ownImage).Command, container(ownImage).User],
    [undefined, undefined],
  ],
  ['an own image may be root', container(ownImage).CapabilityAdd?.includes('SETUID'), true],
  ['all capabilities are dropped', container(ownImage).CapabilityDrop, ['ALL']],
  [
    'mounts are volumes with labels, and a temporary folder in memory',
    container(start).Mounts?.map(({ Type, Target }) => [Type, Target]),
    [
      ['volume', '/home/site'],
      ['tmpfs', '/tmp'],
    ],
  ],
  [
    'the proof of the firewall is mounted last',
    container(start, { firewallMount }).Mounts?.at(-1),
    firewallMount,
  ],
  ['older engines can’t forbid privileges', container(start).Privileges, undefined],
  ['newer ones do', container(start, { canForbidPrivileges: true }).Privileges, { NoNewPrivileges: true }],
] as const) {
  test(`a service’s specification: ${name}`, () => assert.deepEqual(found, expected));
}
