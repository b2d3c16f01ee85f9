import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../kernel/identifiers.ts';
import { scriptCommand } from '../container-commands.ts';
import { EngineError } from '../errors.ts';
import { FIREWALL } from '../firewall.ts';
import { INSTANCE, KIND, PLATFORM } from '../site-containers.ts';
import type { Swarm } from './swarm.ts';
import { hasEnded } from './tasks.ts';

// Jobs on the engine of each machine of a cluster: managers don't forward such calls.

export interface NodeJobParts {
  swarm: Swarm;
  platform: () => string;
  /** Name of any image with /bin/sh and chroot: all other programs are the machine's, including `docker`. */
  image: string;
}

const LONGEST_MS = 120_000;
const LOOK_MS = 250;
const NEVER = new AbortController().signal;

export type RunNodeJob = ReturnType<typeof createNodeJobRunner>;

export interface NodeJobOptions {
  /**
   * Ids of the cluster's machines for which the script is run; its end on other machines is not waited for. Absent: all
   * active machines.
   */
  nodes?: ReadonlySet<string>;
  /** Callback that gets the job's output on all machines, line by line, once all have finished. */
  onLine?: (line: string) => void;
}

/**
 * Runs a script on each active machine, as root in the machine's own file system. No shell interprets the arguments.
 * Throws an EngineError unless it succeeds on all of them.
 */
export function createNodeJobRunner({ swarm, platform, image }: NodeJobParts) {
  return async (
    script: string,
    args: readonly string[],
    signal: AbortSignal,
    { nodes: onlyNodes, onLine }: NodeJobOptions = {},
  ): Promise<void> => {
    const Name = `simcha-job-${newId()}`;
    const Labels = { [PLATFORM]: platform(), [KIND]: 'task', [INSTANCE]: Name };
    const { Env, User, memoryBytes, processes, mount } = FIREWALL;
    const until = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
    try {
      await swarm.createService(
        {
          Name,
          Labels,
          Mode: { GlobalJob: {} },
          TaskTemplate: {
            ContainerSpec: {
              Image: image,
              Command: ['chroot', mount.Target, ...scriptCommand(script, args)],
              Env,
              User,
              CapabilityDrop: ['ALL'],
              CapabilityAdd: ['SYS_CHROOT'],
              Mounts: [mount],
            },
            Resources: { Limits: { MemoryBytes: 2 * memoryBytes, Pids: processes } },
            RestartPolicy: { Condition: 'none' },
          },
        },
        until,
      );
      for (;;) {
        await sleep(LOOK_MS, undefined, { signal: until });
        const [tasks, nodes] = await Promise.all([swarm.tasks(Labels, until), swarm.nodes(until)]);
        const activeNodes = nodes.filter(
          ({ ID, Status, Spec }) =>
            Status.State === 'ready' && Spec.Availability === 'active' && (onlyNodes?.has(ID) ?? true),
        );
        const jobTasks = activeNodes.map(({ ID }) => tasks.find(({ NodeID }) => NodeID === ID));
        if (jobTasks.some((task) => !task || !hasEnded(task))) continue;
        const failed = jobTasks.find((task) => task?.Status.State !== 'complete');
        if (failed) throw new EngineError(500, failed.Status.Err ?? 'a job on a machine failed');
        for (const task of onLine ? jobTasks : [])
          for await (const lines of swarm.logs(task?.ID ?? '', { since: undefined, follow: false }, until))
            for (const { line } of lines) onLine?.(line);
        return;
      }
    } finally {
      await swarm.removeService(Name, NEVER);
    }
  };
}
