import { ownImageVariables, siteVariables } from '../../builds/site-variables.ts';
import type { Launch } from '../../model/launch.ts';
import { WEB } from '../../model/plan.ts';
import { HOME_CONTENT } from '../../model/site-folders.ts';
import { variablesFor } from '../../model/variables.ts';
import type { Order, StartOrder } from '../../runtimes/runtime.ts';
import type { Limits } from '../../sandbox/sandbox.ts';

/** Instructions to a runtime to run a command in a launch's release. */
export function commandOrder(instance: string, launch: Launch, command: string, limits: Limits): Order {
  const { artifact, variables, process, number } = launch;
  const { applicationId, environmentId, deploymentId, releaseId, buildId } = launch;
  return {
    instance,
    labels: { applicationId, environmentId, deploymentId, releaseId, buildId, process, number },
    artifact,
    command,
    variables: {
      ...(artifact.kind === 'image' && artifact.own ? ownImageVariables(launch) : siteVariables(launch)),
      ...launch.plan.variables,
      ...variablesFor('run', variables),
    },
    limits,
    mounts: [
      { volume: HOME_CONTENT, at: 'home' },
      ...launch.volumes.map(({ content, path }) => ({ volume: content, at: path })),
    ],
  };
}

/** Instructions to a runtime to start the process of a launch. */
export function startOrder(instance: string, launch: Launch, limits: Limits): StartOrder {
  return {
    ...commandOrder(instance, launch, launch.plan.processes[launch.process] ?? '', limits),
    replicas: launch.replicas,
    listens: launch.process === WEB,
    port: launch.plan.port,
  };
}
