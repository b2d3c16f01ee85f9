import type { Labels } from '../labels.ts';

// Calls to a manager of a Docker Swarm (https://docs.docker.com/reference/api/engine/): names of fields are those of
// its API.

export interface ServiceOrder {
  Name: string;
  Labels: Labels;
  TaskTemplate: {
    ContainerSpec: {
      Image: string;
      /** Command of the service's container; absent: the image's own command. */
      Command?: readonly string[];
      Args?: readonly string[];
      /** Signal that tells the service's container to end; absent: the signal that the image names. */
      StopSignal?: string;
      Env?: readonly string[];
      User?: string;
      Dir?: string;
      Labels?: Labels;
      /** True if the container can write only to its mounts. */
      ReadOnly?: boolean;
      Mounts?: readonly ServiceMount[];
      CapabilityDrop?: readonly string[];
      CapabilityAdd?: readonly string[];
      Ulimits?: readonly { Name: string; Soft: number; Hard: number }[];
      /** Nanoseconds between SIGTERM and SIGKILL when the service's container is stopped. */
      StopGracePeriod?: number;
      /**
       * Health check of the container; its task counts as running once the check succeeds. Absent: the image's own
       * check; `NONE`: no check. Times are in nanoseconds.
       */
      Healthcheck?: {
        Test: readonly string[];
        Interval?: number;
        Timeout?: number;
        Retries?: number;
        StartPeriod?: number;
      };
      /** OOM score of the service's container, since API 1.46; older engines ignore it. */
      OomScoreAdj?: number;
      /** Privileges of the service's container, since API 1.44. */
      Privileges?: { NoNewPrivileges: boolean };
    };
    Resources?: { Limits: { MemoryBytes?: number; Pids?: number; NanoCPUs?: number } };
    /** Restart policy of the service's tasks; `Delay` is in nanoseconds. */
    RestartPolicy?: { Condition: 'any' | 'none'; Delay?: number };
    Placement?: { Constraints?: readonly string[] };
    LogDriver?: { Name: string; Options: Labels };
    Networks?: readonly { Target: string }[];
  };
  Mode:
    | { Replicated: { Replicas: number } }
    | { Global: object }
    /** Mode of a service that runs once on each machine, until it ends. */
    | { GlobalJob: object };
  /** Number of the service's tasks that are updated at once; 0: all of them. */
  UpdateConfig?: { Parallelism: number; Order: 'stop-first' };
  EndpointSpec?: {
    Mode: 'dnsrr';
    Ports?: readonly { Protocol: 'tcp'; TargetPort: number; PublishMode: 'host' }[];
  };
}

export type ServiceMount =
  | { Type: 'volume'; Source: string; Target: string; VolumeOptions: { Labels: Labels } }
  | { Type: 'bind'; Source: string; Target: string; ReadOnly?: boolean }
  | { Type: 'tmpfs'; Target: string; TmpfsOptions: { SizeBytes: number; Mode: number } };

export interface Service {
  ID: string;
  Version: { Index: number };
  Spec: ServiceOrder;
}

/** Run of a service's container, on one machine. */
export interface Task {
  ID: string;
  CreatedAt: string;
  ServiceID: string;
  /** Number of the replica that the task runs, from 1. */
  Slot?: number;
  /** Id of the machine that runs the task; empty before a machine is chosen. */
  NodeID?: string;
  DesiredState: 'ready' | 'running' | 'shutdown' | 'remove' | 'complete';
  Status: {
    State:
      | ('new' | 'pending' | 'assigned' | 'accepted' | 'preparing' | 'ready' | 'starting' | 'running')
      | ('complete' | 'shutdown' | 'failed' | 'rejected' | 'remove' | 'orphaned');
    Message?: string;
    Err?: string;
    ContainerStatus?: { ContainerID: string; ExitCode: number };
    PortStatus?: { Ports?: readonly { TargetPort: number; PublishedPort: number }[] };
  };
}

export interface Node {
  ID: string;
  Version: { Index: number };
  Spec: { Labels: Labels; Role: string; Availability: string };
  Description: { Hostname: string };
  Status: { State: 'ready' | 'down' | 'unknown' | 'disconnected'; Addr: string };
  ManagerStatus?: { Addr: string };
}
