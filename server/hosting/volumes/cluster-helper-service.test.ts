import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HelperService, helperService } from './cluster-helper-service.ts';

const order: HelperService = {
  name: 'simcha-helper-1',
  platform: 'p',
  volume: { applicationId: 'a', environmentId: 'e', name: 'data.1' },
  image: 'node:24',
  program: 'program',
  token: 'secret',
  constraints: ['node.labels.simcha.volumes.e==here'],
  canForbidPrivileges: true,
};
const service = helperService(order);
const { ContainerSpec: container, ...template } = service.TaskTemplate;
const labels = { 'simcha.platform': 'p', 'simcha.application': 'a', 'simcha.environment': 'e' };

for (const [name, found, expected] of [
  [
    'its labels name the environment and the kind, by which a former server’s helpers are found',
    service.Labels,
    { ...labels, 'simcha.kind': 'helper', 'simcha.instance': 'simcha-helper-1' },
  ],
  [
    'only the volume is mounted, by the name and labels of the site’s own mount',
    container.Mounts,
    [
      {
        Type: 'volume',
        Source: 'simcha-e-data.1',
        Target: '/volume',
        VolumeOptions: { Labels: { ...labels, 'simcha.volume': 'data.1' } },
      },
    ],
  ],
  ['nothing else is writable', container.ReadOnly, true],
  ['root has no rights but over files', container.CapabilityDrop, ['ALL']],
  ['root’s rights over files', container.CapabilityAdd, ['DAC_OVERRIDE', 'FOWNER', 'CHOWN']],
  ['new privileges are forbidden', container.Privileges, { NoNewPrivileges: true }],
  [
    'an older engine gets no field that it does not know',
    'Privileges' in helperService({ ...order, canForbidPrivileges: false }).TaskTemplate.ContainerSpec,
    false,
  ],
  ['the machine is the volume’s', template.Placement, { Constraints: order.constraints }],
  ['a helper that has ended is not started again', template.RestartPolicy, { Condition: 'none' }],
  ['the program gets its token and port', container.Env, ['HELPER_TOKEN=secret', 'HELPER_PORT=8080']],
  [
    'the port is published by the machine itself',
    service.EndpointSpec,
    { Mode: 'dnsrr', Ports: [{ Protocol: 'tcp', TargetPort: 8080, PublishMode: 'host' }] },
  ],
] as const) {
  test(`service of a volume’s helper: ${name}`, () => assert.deepEqual(found, expected));
}
