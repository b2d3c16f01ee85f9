import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import { createFairQueue, type FairQueue, mostOfOneOwner } from '../../kernel/fair-queue.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Tracing } from '../../kernel/tracing/tracing.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { THREADS_OF_A_REPLICA } from '../budgets/budget.ts';
import type { Budgets } from '../budgets/store.ts';
import type { Checkouts } from '../builds/checkout.ts';
import type { NamedImages } from '../builds/named-images.ts';
import type { UploadedFolders } from '../builds/uploaded-folders.ts';
import type { DeploymentStore } from '../deployments/store.ts';
import type { TableSync } from '../gateway/table-sync.ts';
import type { Logs } from '../logs/logs.ts';
import type { Changes } from '../model/changes.ts';
import type { RestartTimes } from '../model/lifecycle.ts';
import type { OwnerMails } from '../owner-mails/owner-mails.ts';
import type { RunStore } from '../runs/store.ts';
import type { UploadStore } from '../uploads/store.ts';
import type { LeaseVolumes } from '../volumes/lease-volumes.ts';
import type { OpenedRuntime } from '../volumes/opened-runtime.ts';
import type { VolumeMigration } from '../volumes/volume-migration.ts';
import { Controller, type ControllerTimes } from './controller.ts';
import type { LeaseTimes } from './lease/lease-term.ts';
import { RuntimeReach } from './lease/runtime-reach.ts';
import { Artifacts } from './pipeline/artifacts.ts';
import type { LogsOfTerm } from './pipeline/deployment-log.ts';
import { createDiskBudget, type DiskBudget } from './pipeline/disk-budget.ts';
import { Forecasts } from './pipeline/forecasts.ts';
import { Launches } from './pipeline/launches.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import { PushChecks } from './pipeline/push-checks.ts';
import { ReleaseCopier } from './pipeline/release-copier.ts';
import { ReleaseMaker } from './pipeline/release-maker.ts';
import { Sources } from './pipeline/sources.ts';
import { createRecords, type Records } from './records/records.ts';
import { Runner } from './runner.ts';
import { Instances } from './supervision/instances.ts';
import { Supervisors } from './supervision/supervisors.ts';
import { Sweeper } from './sweep.ts';
import { Takeover } from './takeover.ts';

/** Dependencies of a server that may become the controller, which runs the sites. */
export interface HostParts extends Pick<OpenedRuntime, 'runtime' | 'builder'> {
  volumeMigration: Pick<VolumeMigration, 'forLease'>;
  /** Folder of this machine with the files of sites. */
  base: string;
  config: Pick<
    Config,
    | 'appsConcurrency'
    | 'appsMemoryMb'
    | 'appsCpus'
    | 'appsDiskMb'
    | 'appsHealthSeconds'
    | 'appsTaskSeconds'
    | 'appsSilentSeconds'
    | 'appsReleasesKept'
    | 'appsDomain'
    | 'appsPort'
    | 'appsGitProtocols'
    | 'appsAllowPrivateHosts'
    | 'publicUrl'
  >;
  db: Kysely<unknown>;
  applications: ApplicationStore;
  store: DeploymentStore;
  runs: RunStore;
  uploads: UploadStore;
  uploadedFolders: UploadedFolders;
  namedImages: NamedImages;
  budgets: Budgets;
  mails: OwnerMails;
  checkouts: Checkouts;
  logs: Logs;
  encryption: Encryption;
  clock: Clock;
  log: Logger;
  tracing: Tracing;
  changes: Changes;
  tableSync: Pick<TableSync, 'switchTo' | 'removeOwnBackends'>;
  times: ControllerTimes & {
    lease: LeaseTimes;
    /** Longest time that the last requests to a replaced instance may take. */
    drainMs: number;
    restarts: RestartTimes;
  };
}

/** Dependencies that several components share during one lease term. */
interface TermParts extends HostParts {
  records: Records;
  instances: Instances;
  launches: Launches;
  sources: Sources;
  artifacts: Artifacts;
  reach: RuntimeReach;
  /** Queue for builds, which limits how many builds run on this machine at once. */
  buildQueue: FairQueue;
  /** True if the runtime starts all replicas of a process as one instance. */
  groupsReplicas: boolean;
  logsOfTerm: LogsOfTerm;
  diskBudget: DiskBudget;
  /** Lease term: aborts once this server must no longer run the sites. */
  term: AbortSignal;
}

/** Composes all components that run the sites during one lease term. */
export function composeTerm(parts: HostParts, generation: number, term: AbortSignal): Controller {
  const volumes = parts.volumeMigration.forLease(generation);
  const shared = composeShared(parts, volumes, generation, term);
  const supervisors = composeSupervisors(shared);
  return new Controller({
    ...shared,
    volumes,
    supervisors,
    takeover: new Takeover({ ...shared, supervisors }),
    pipeline: composePipeline(shared, supervisors),
    forecasts: new Forecasts(shared),
    pushChecks: new PushChecks(shared),
    runner: composeRunner(shared),
    sweeper: composeSweeper(shared),
  });
}

function composeShared(
  parts: HostParts,
  volumes: Pick<LeaseVolumes, 'bring'>,
  generation: number,
  term: AbortSignal,
): TermParts {
  const { config, db, runtime, builder, budgets, mails, logs, log, times } = parts;
  const groupsReplicas = runtime.capabilities.has('replicas');
  const records = createRecords({
    db,
    generation,
    budgets,
    mails,
    gatewayGoneMs: times.gatewayGoneMs,
  });
  const sources = new Sources({ ...parts, settings: config });
  const mostOfOne = mostOfOneOwner(config.appsConcurrency);
  const buildQueue = createFairQueue(config.appsConcurrency, { mostOfOne });
  return {
    ...parts,
    records,
    instances: composeInstances(parts, records, volumes),
    launches: new Launches({ ...parts, settings: config, groupsReplicas }),
    sources,
    artifacts: new Artifacts({ ...parts, records, sources, buildQueue }),
    reach: new RuntimeReach({
      reach: runtime.reach?.bind(runtime),
      awayMs: times.lease.awayMs,
      retryMs: times.lease.renewMs,
      log,
    }),
    buildQueue,
    groupsReplicas,
    logsOfTerm: { write: logs.write.inTerm(generation), bytesOf: (logId) => logs.bytesOf(logId) },
    diskBudget: createDiskBudget(budgets, builder),
    term,
  };
}

function composeInstances(
  { config, runtime, logs, log }: HostParts,
  { fence }: Records,
  volumes: Pick<LeaseVolumes, 'bring'>,
): Instances {
  return new Instances({
    runtime,
    bringVolumes: (order, signal, writeToLog) => volumes.bring(order, signal, writeToLog),
    limits: {
      memoryMb: config.appsMemoryMb,
      processes: THREADS_OF_A_REPLICA,
      cpus: config.appsCpus,
      diskMb: config.appsDiskMb,
    },
    write: (environmentId, at, lines) => logs.write.put(environmentId, new Date(at).toISOString(), lines),
    isLeaseHeld: fence.isHeld,
    effect: fence.runEffect,
    log,
  });
}

function composeSupervisors(parts: TermParts): Supervisors {
  const { config, store, launches, artifacts, tableSync, times } = parts;
  return new Supervisors({
    ...parts,
    site: (environmentId) => store.site(environmentId),
    healthMs: config.appsHealthSeconds * 1_000,
    silentMs: config.appsSilentSeconds * 1_000,
    drainMs: times.drainMs,
    restarts: times.restarts,
    launchOf: (row, slot) => launches.launchOf(row, slot),
    ensureArtifact: (launch, signal, log) => artifacts.ensureForLaunch(launch, signal, log),
    switchTo: (environmentId, serving, write) => tableSync.switchTo(environmentId, serving, write),
  });
}

function composePipeline(parts: TermParts, supervisors: Supervisors): Pipeline {
  const { config, runtime, logsOfTerm: logs, reach } = parts;
  return new Pipeline({
    ...parts,
    supervisors,
    logs,
    releaseMaker: new ReleaseMaker(parts),
    releaseCopier: new ReleaseCopier(parts),
    isolation: runtime.isolation,
    taskSeconds: config.appsTaskSeconds,
    untilReachable: (signal) => reach.untilReachable(signal),
  });
}

function composeRunner(parts: TermParts): Runner {
  const { config, runs: store, logsOfTerm: logs } = parts;
  return new Runner({ ...parts, store, logs, mostSeconds: config.appsTaskSeconds });
}

function composeSweeper(parts: TermParts): Sweeper {
  const { config, times } = parts;
  return new Sweeper({ ...parts, releasesKept: config.appsReleasesKept, retryMs: times.sweepRetryMs });
}
