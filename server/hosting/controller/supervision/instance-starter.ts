import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/identifiers.ts';
import type { BuildLog } from '../../builds/builder.ts';
import { messages } from '../../deployments/messages.ts';
import { createRedactor } from '../../logs/redaction.ts';
import type { Launch } from '../../model/launch.ts';
import { createQuote, type Quote } from '../../model/reasons/error-lines.ts';
import { packageErrorIn } from '../../model/reasons/package-error.ts';
import type { Reason } from '../../model/reasons/reason.ts';
import { valuesOf } from '../../model/variables.ts';
import type { BuildRecords } from '../records/builds.ts';
import type { InstanceRecords } from '../records/instances.ts';
import { type EndingParts, endInstance } from './drainer.ts';
import { ListensElsewhere, waitUntilHealthy } from './health.ts';
import type { Instances } from './instances.ts';
import { filesInstance, hostOf, type ReplicaFeed, type RunningInstance } from './running-instance.ts';
import { LAST_LINES_MS } from './tracked-instance.ts';

export interface StarterParts extends EndingParts {
  instances: Pick<Instances, 'start' | 'stop' | 'listening'>;
  records: {
    instances: Pick<InstanceRecords, 'begin' | 'noteTargets' | 'remove'>;
    builds: Pick<BuildRecords, 'notePort'>;
  };
  clock: Clock;
  /** Time limit for a site's first healthy answer. */
  healthMs: number;
}

export interface StartOptions {
  signal: AbortSignal;
  /** Log of the deployment that starts the instance; absent outside of deployments. */
  deploymentLog?: BuildLog | undefined;
  /** Log of the site, for lines that are written outside of deployments. */
  siteLog: (launch: Launch) => BuildLog;
}

/**
 * Starts an instance, which does not serve yet. If the instance takes requests, waits until it is healthy. During the
 * start, the instance's output goes to the deployment's log too. Throws a RuntimeFailure if the instance does not come
 * up. An instance that listens on another port than the one it was told is started again with that port.
 */
export async function startInstance(
  parts: StarterParts,
  launch: Launch,
  options: StartOptions,
): Promise<RunningInstance> {
  try {
    return await startOnce(parts, launch, options);
  } catch (error) {
    if (!(error instanceof ListensElsewhere)) throw error;
    const { port } = error;
    (options.deploymentLog ?? options.siteLog(launch)).write(messages.log.listensElsewhere(port));
    await parts.records.builds.notePort(launch.releaseId, port);
    return startOnce(parts, { ...launch, plan: { ...launch.plan, port } }, options);
  }
}

/** Starts all launches, or none: the first launch that fails ends the others, and its error is thrown. */
export async function startInstances(
  parts: StarterParts,
  launches: readonly Launch[],
  { signal: until, ...options }: StartOptions,
): Promise<RunningInstance[]> {
  const giveUp = new AbortController();
  const signal = AbortSignal.any([until, giveUp.signal]);
  const starting = launches.map((launch) =>
    startInstance(parts, launch, { ...options, signal }).catch((error) => {
      giveUp.abort(error);
      throw error;
    }),
  );
  const results = await Promise.allSettled(starting);
  const started = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (started.length === launches.length) return started;
  await Promise.all(started.map(({ id }) => endInstance(parts, id, 0)));
  throw until.aborted ? until.reason : giveUp.signal.reason;
}

async function startOnce(
  parts: StarterParts,
  launch: Launch,
  { signal, deploymentLog }: StartOptions,
): Promise<RunningInstance> {
  signal.throwIfAborted();
  const id = newId();
  const files = launch.artifact.kind === 'files' ? filesInstance(id, launch) : undefined;
  await register(parts, id, launch, files);
  if (files) return files;
  const quote = quoteOf(launch, deploymentLog);
  let isStarting = true;
  const over = new AbortController();
  try {
    // Output after the instance's start belongs to the site's log alone.
    const add: Quote['add'] = (lines) => isStarting && quote.add(lines);
    const instance = await parts.instances.start(id, launch, { ...quote, add }, signal);
    const ended = endOf(instance, over.signal);
    await becomeHealthy(parts, { instance, launch, ended, quote, signal, deploymentLog });
    if (instance.targets.length > 0) await parts.records.instances.noteTargets(id, instance.targets);
    return instance;
  } catch (error) {
    await endInstance(parts, id, 0).catch((failure) =>
      parts.log.warn({ err: failure }, 'an instance could not be ended'),
    );
    throw error;
  } finally {
    isStarting = false;
    over.abort();
  }
}

/** Collects the output of an instance's start, which the failure reason quotes if the start fails. */
function quoteOf({ variables }: Launch, deploymentLog: BuildLog | undefined): Quote {
  const hide = createRedactor(valuesOf(variables));
  return createQuote({
    hide: (line) => (deploymentLog ? deploymentLog.hide(line) : hide(line)),
    output: (lines) => deploymentLog?.output(lines),
    hintOf: packageErrorIn,
  });
}

/** Records an instance in the database before it is started, so that every instance is known after a crash. */
function register(
  { records, clock }: StarterParts,
  id: string,
  { environmentId, deploymentId, process, number, replicas }: Launch,
  files: RunningInstance | undefined,
): Promise<void> {
  return records.instances.begin(
    {
      instance_id: id,
      environment_id: environmentId,
      deployment_uuid: deploymentId,
      process,
      number,
      numbers: Array.from({ length: replicas }, (_, index) => number + index),
      targets: files?.targets,
    },
    clock(),
  );
}

interface Startup extends Pick<StartOptions, 'signal' | 'deploymentLog'> {
  instance: RunningInstance;
  launch: Launch;
  ended: Promise<Reason>;
  quote: Quote;
}

/** Waits until all replicas of an instance that take requests answer. */
async function becomeHealthy(
  { instances, healthMs }: StarterParts,
  { instance, launch, ended, quote, signal, deploymentLog }: Startup,
): Promise<void> {
  const { id, port, pinnedTo, targets } = instance;
  if (pinnedTo !== undefined) deploymentLog?.write(messages.log.pinned(pinnedTo));
  const origins = targets.flatMap((target) => (target.kind === 'server' ? [target.origin] : []));
  if (origins.length > 0)
    deploymentLog?.write(messages.log.awaited(launch.healthPath, port, healthMs / 1_000));
  const check = {
    path: launch.healthPath,
    host: hostOf(launch),
    withinMs: healthMs,
    port,
    listening: () => instances.listening(id),
    findsOtherPort: launch.plan.port === undefined,
    ended,
    quote,
    signal,
  };
  await Promise.all(origins.map((origin) => waitUntilHealthy({ ...check, origin })));
}

/** End of an instance, or of its first replica: a start does not wait until the runtime has restarted a replica. */
function endOf({ ended, replicas }: RunningInstance, signal: AbortSignal): Promise<Reason> {
  return replicas ? Promise.race([ended, firstReplicaEnd(replicas, signal)]) : ended;
}

/** Resolves when the first replica has ended and its last output has arrived, with the way it ended. */
async function firstReplicaEnd({ changes }: ReplicaFeed, signal: AbortSignal): Promise<Reason> {
  for await (const replicas of changes(signal)) {
    const how = replicas.find(({ down }) => down)?.down;
    if (!how) continue;
    await sleep(LAST_LINES_MS, undefined, { ref: false });
    return how;
  }
  return new Promise(() => {});
}
