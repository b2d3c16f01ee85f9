import { OOM_SCORE, ROOT_CAPABILITIES, TMP_BYTES } from '../../engine/site-containers.ts';
import type { ServiceMount, ServiceOrder } from '../../engine/swarm/types.ts';
import { type ContainerTerms, NO_HEALTHCHECK } from '../container-order.ts';
import type { Order, StartOrder } from '../runtime.ts';

const SECOND = 1e9;
const MEBIBYTE = 2 ** 20;
/** Seconds between SIGTERM and SIGKILL when a service's container is stopped. */
const GRACE_SECONDS = 5;
/** Seconds until an ended replica of a service is started again. */
const RESTART_SECONDS = 1;

/** Facts that a service is made from, besides the instructions to start the instance. */
export interface ServiceSurroundings {
  terms: ContainerTerms;
  /** Image that already has folders for the instance's volumes. */
  image: string;
  /** Network of the environment, which the service joins. */
  network: string;
  /** Placement constraints for the service, such as the machine that has the volumes. */
  constraints: readonly string[];
  /** Mount that exists only while the firewall is up; undefined if no networks are blocked. */
  firewallMount: ServiceMount | undefined;
  /** True if the engine can forbid new privileges to a service. */
  canForbidPrivileges: boolean;
  /** Shell script that runs the command that it gets as its first argument. */
  firstProcess: string;
}

export function serviceName(instance: string): string {
  return `simcha-${instance}`;
}

/** Service that runs an instance's replicas and restarts each of them after its end, or that runs a command once. */
export function serviceSpec(
  order: Order & Partial<StartOrder>,
  surroundings: ServiceSurroundings,
): ServiceOrder {
  const { replicas, limits } = order;
  const { terms, network, constraints } = surroundings;
  return {
    Name: serviceName(order.instance),
    Labels: terms.found,
    TaskTemplate: {
      ContainerSpec: containerSpec(order, surroundings),
      Resources: {
        Limits: {
          MemoryBytes: limits.memoryMb * MEBIBYTE,
          Pids: limits.processes,
          ...(limits.cpus !== undefined && { NanoCPUs: Math.round(limits.cpus * 1e9) }),
        },
      },
      RestartPolicy:
        replicas === undefined
          ? { Condition: 'none' }
          : { Condition: 'any', Delay: RESTART_SECONDS * SECOND },
      Placement: { Constraints: constraints },
      LogDriver: { Name: 'json-file', Options: { 'max-size': '10m', 'max-file': '2' } },
      Networks: [{ Target: network }],
    },
    Mode: { Replicated: { Replicas: replicas ?? 1 } },
    UpdateConfig: { Parallelism: 0, Order: 'stop-first' },
    EndpointSpec: endpointSpec(terms),
  };
}

function containerSpec(
  { instance }: Order,
  { terms, image, firewallMount, canForbidPrivileges, firstProcess }: ServiceSurroundings,
): ServiceOrder['TaskTemplate']['ContainerSpec'] {
  const { command, user, folder } = terms;
  return {
    Image: image,
    Env: terms.env,
    Labels: terms.found,
    StopGracePeriod: GRACE_SECONDS * SECOND,
    ...(command !== undefined && {
      Command: ['/bin/sh', '-c', firstProcess, 'sh'],
      Args: [command, instance],
      StopSignal: 'SIGTERM',
    }),
    ...(user !== undefined && { User: user }),
    ...(folder !== undefined && { Dir: folder }),
    Healthcheck: NO_HEALTHCHECK,
    Mounts: [
      ...terms.mounts.map(({ source, target, labels }) => ({
        Type: 'volume' as const,
        Source: source,
        Target: target,
        VolumeOptions: { Labels: labels },
      })),
      { Type: 'tmpfs', Target: '/tmp', TmpfsOptions: { SizeBytes: TMP_BYTES, Mode: 0o1777 } },
      ...(firewallMount ? [firewallMount] : []),
    ],
    CapabilityDrop: ['ALL'],
    ...(terms.isOwnImage && { CapabilityAdd: ROOT_CAPABILITIES }),
    OomScoreAdj: OOM_SCORE,
    Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
    ...(canForbidPrivileges && { Privileges: { NoNewPrivileges: true } }),
  };
}

/**
 * Port on each machine from which requests are forwarded to the replica there: published by the machine, not by the
 * cluster's mesh.
 */
function endpointSpec({ port }: ContainerTerms): NonNullable<ServiceOrder['EndpointSpec']> {
  if (port === undefined) return { Mode: 'dnsrr' };
  return { Mode: 'dnsrr', Ports: [{ Protocol: 'tcp', TargetPort: port, PublishMode: 'host' }] };
}
