import { INSTANCE, KIND, keyLabels, VOLUME, volumeName } from '../engine/site-containers.ts';
import type { ServiceOrder } from '../engine/swarm/types.ts';
import type { VolumeName } from './contents.ts';
import { HELPER_CAPABILITIES, HELPER_LIMITS, MOUNT_POINT } from './helpers.ts';

export interface HelperService {
  name: string;
  platform: string;
  volume: VolumeName;
  /** Name of the helper's image, which has Node.js and tar. */
  image: string;
  /** JavaScript source that the helper runs (engine/swarm/cluster-helper.cjs). */
  program: string;
  /** Secret that requests to the helper must contain. */
  token: string;
  /** Placement constraints for the helper: the machine with the volume. */
  constraints: readonly string[];
  /** True if the cluster can forbid new privileges to a service. */
  canForbidPrivileges: boolean;
}

/** Port on which a volume's helper (a container of the cluster) takes requests. */
export const HELPER_PORT = 8_080;
const SECOND = 1e9;

/** Service of a helper: one task, which is not restarted. */
export function helperService({
  name,
  platform,
  volume,
  image,
  program,
  token,
  constraints,
  canForbidPrivileges,
}: HelperService): ServiceOrder {
  const labels = keyLabels(platform, volume);
  return {
    Name: name,
    Labels: { ...labels, [KIND]: 'helper', [INSTANCE]: name },
    Mode: { Replicated: { Replicas: 1 } },
    TaskTemplate: {
      ContainerSpec: {
        Image: image,
        Command: ['node', '--eval', program],
        User: '0:0',
        Labels: labels,
        Env: [`HELPER_TOKEN=${token}`, `HELPER_PORT=${HELPER_PORT}`],
        CapabilityDrop: ['ALL'],
        CapabilityAdd: [...HELPER_CAPABILITIES, 'CHOWN'],
        StopGracePeriod: SECOND,
        ...(canForbidPrivileges && { Privileges: { NoNewPrivileges: true } }),
        // Links in the volume may lead out of it, so the helper can write to nothing but its mounts.
        ReadOnly: true,
        Mounts: [
          {
            Type: 'volume',
            Source: volumeName(volume, volume.name),
            Target: MOUNT_POINT,
            VolumeOptions: { Labels: { ...labels, [VOLUME]: volume.name } },
          },
        ],
      },
      Resources: { Limits: { MemoryBytes: HELPER_LIMITS.memoryBytes, Pids: HELPER_LIMITS.processes } },
      RestartPolicy: { Condition: 'none' },
      Placement: { Constraints: constraints },
      LogDriver: { Name: 'json-file', Options: { 'max-size': '1m', 'max-file': '1' } },
    },
    EndpointSpec: {
      Mode: 'dnsrr',
      Ports: [{ Protocol: 'tcp', TargetPort: HELPER_PORT, PublishMode: 'host' }],
    },
  };
}
