import type { Config } from '../kernel/config.ts';
import { newId } from '../kernel/identifiers.ts';
import type { Platform } from '../kernel/platform.ts';
import { Checkouts } from './builds/checkout.ts';
import { NamedImages } from './builds/named-images.ts';
import type { SiteCopies } from './builds/site-copies.ts';
import { UploadedFolders } from './builds/uploaded-folders.ts';
import { composeTerm, type HostParts as TermHostParts } from './controller/compose-term.ts';
import { Lease } from './controller/lease/lease.ts';
import { measureProcesses } from './figures/process-meter.ts';
import { siteFolders } from './model/site-folders.ts';
import { type OpenRuntime, RUNTIMES } from './open-runtime.ts';
import { OwnerMails } from './owner-mails/owner-mails.ts';
import type { Wardens } from './sandbox/limits.ts';
import { openSandbox, type Sandbox } from './sandbox/sandbox.ts';
import type { HostingTimes } from './times.ts';
import type { OpenedRuntime } from './volumes/opened-runtime.ts';
import { createOrphanedVolumes, type OrphanedVolumes } from './volumes/orphaned-volumes.ts';
import { VolumeStore } from './volumes/store.ts';
import { VolumeMigration } from './volumes/volume-migration.ts';

export interface HostParts
  extends Pick<
    TermHostParts,
    'applications' | 'store' | 'runs' | 'uploads' | 'budgets' | 'logs' | 'changes' | 'tableSync'
  > {
  /** Id of this server's data folder. */
  machine: string;
  /** Copies of static sites' files; undefined outside of a cluster. */
  copies: SiteCopies | undefined;
  wardens: Wardens;
  openRuntime: OpenRuntime;
  times: HostingTimes;
}

/** Host: the part of a server that may run the sites. */
export interface Host {
  volumeMigration: VolumeMigration;
  start(): void;
  /** Ends the lease term, if there is one, and closes the runtime. */
  close(): Promise<void>;
}

interface Runtimes extends Pick<OpenedRuntime, 'runtime' | 'builder'> {
  sandbox: Sandbox;
  volumeMigration: VolumeMigration;
}

interface LeaseHolderParts extends Omit<Runtimes, 'sandbox'> {
  checkouts: Checkouts;
  uploadedFolders: UploadedFolders;
  namedImages: NamedImages;
  orphans: Pick<OrphanedVolumes, 'keepRemoving'>;
}

/** Length of the platform id, in hexadecimal digits. */
const PLATFORM_LENGTH = 12;

/** Opens the host, which runs the sites while this server holds the lease. */
export async function openHost(platform: Platform, parts: HostParts): Promise<Host> {
  const { config, log, database } = platform;
  const { sandbox, runtime, builder, volumeMigration } = await openRuntimes(platform, parts);
  const checkouts = new Checkouts(config, sandbox, parts.applications, log);
  const uploadedFolders = new UploadedFolders({ uploads: parts.uploads, sandbox, diskMb: config.appsDiskMb });
  const orphans = createOrphanedVolumes({ store: new VolumeStore(database.sql), volumeMigration, log });
  const lease = openLease(platform, parts, {
    runtime,
    builder,
    volumeMigration,
    checkouts,
    uploadedFolders,
    namedImages: new NamedImages(config),
    orphans,
  });
  return {
    volumeMigration,
    start() {
      log.info(runtime.isolation);
      if (runsUntrustedHere(config)) for (const warning of sandbox.isolation.warnings) log.warn(warning);
      lease.start();
    },
    async close() {
      await lease.close();
      await sandbox.close();
      await Promise.all([builder.close(), checkouts.close(), volumeMigration.close(), runtime.close()]);
    },
  };
}

/** True if sites and builds run in the sandbox on this machine; otherwise only git runs in it. */
function runsUntrustedHere({ appsRuntime }: Pick<Config, 'appsRuntime'>): boolean {
  return appsRuntime === 'process';
}

/**
 * Opens the runtime that is configured now, and the parts that move volumes to it from runtimes that were configured
 * before.
 */
async function openRuntimes(
  { config, log, encryption, database }: Platform,
  { wardens, copies, openRuntime }: HostParts,
): Promise<Runtimes> {
  const folders = siteFolders(config.dataDir);
  const settings = { ...config, runsNothingUntrusted: !runsUntrustedHere(config) };
  const sandbox = await openSandbox(settings, folders.base, wardens);
  // Platform id from the database's own key, which stays the same wherever the database is moved and whichever server
  // uses it.
  const platform = () => encryption.fingerprint('', 'platform').toString('hex').slice(0, PLATFORM_LENGTH);
  const parts = { platform, sandbox, folders, copies, wardens, log };
  const { runtime, builder, contents } = await openRuntime({ ...parts, settings: config });
  const volumeMigration = new VolumeMigration({
    db: database.sql,
    kind: config.appsRuntime,
    current: { runtime, contents },
    log,
    openRuntime: (kind) => RUNTIMES[kind]({ ...parts, settings: { ...config, appsRuntime: kind } }),
  });
  return { sandbox, runtime, builder, volumeMigration };
}

/** Opens the lease, during whose terms this server runs the sites. */
function openLease(
  { config, log, clock, encryption, database, mail, tracing }: Platform,
  parts: HostParts,
  { orphans, ...opened }: LeaseHolderParts,
): Lease {
  const db = database.sql;
  const { base } = siteFolders(config.dataDir);
  const { controller, lease: leaseTimes, routing, restarts } = parts.times;
  const times = { ...controller, lease: leaseTimes, drainMs: routing.drainMs, restarts };
  const { runtime } = opened;
  const mails = new OwnerMails({ mail, publicUrl: config.publicUrl });
  const termParts = { ...parts, ...opened, base, config, db, mails, encryption, clock, log, tracing, times };
  return new Lease({
    db,
    self: {
      server: newId(),
      machine: parts.machine,
      address: config.internalUrl ?? null,
      outlives: runtime.capabilities.has('outliving'),
      cluster: runtime.cluster ?? null,
    },
    times: leaseTimes,
    log,
    isAlone: () => runtime.claim(),
    reach: runtime.reach?.bind(runtime),
    mayRunFor: runtime.mayRunFor?.bind(runtime),
    // Instances that an earlier run of this server has left in a cluster may already belong to another server, so they
    // are not ended.
    ...(runtime.cluster === undefined && { endLeftovers: () => runtime.recover() }),
    runTerm(generation, signal) {
      void orphans.keepRemoving(signal);
      void measureProcesses({ runtime, db, clock, log, everyMs: parts.times.figures.measureMs }, signal);
      return composeTerm(termParts, generation, signal).run();
    },
  });
}
