import type { Kysely } from 'kysely';
import type { DeveloperReader } from '../identity/developers.ts';
import type { Config } from '../kernel/config.ts';
import type { Database } from '../kernel/database/database.ts';
import { listenForNotifications } from '../kernel/database/notifications.ts';
import { waitForDatabase } from '../kernel/database/wait-for-database.ts';
import { newId } from '../kernel/identifiers.ts';
import type { Logger } from '../kernel/log.ts';
import type { Platform } from '../kernel/platform.ts';
import { serveApplications } from './applications/routes.ts';
import { type ApplicationStore, createApplicationStore, type EnvironmentName } from './applications/store.ts';
import { serveBudget } from './budgets/routes.ts';
import { createBudgets } from './budgets/store.ts';
import { createCheckouts } from './builds/checkout.ts';
import { openSiteCopies, type SiteCopies } from './builds/site-copies.ts';
import { type ControllerParts, createController } from './controller/controller.ts';
import { createLease } from './controller/lease.ts';
import { createDeployments } from './deployments/deployments.ts';
import { serveDeployments } from './deployments/routes.ts';
import { createDeploymentStore } from './deployments/store.ts';
import { servePlans } from './detection-api/routes.ts';
import { createPlanStore } from './detection-api/store.ts';
import { createCheck } from './domains/check.ts';
import { createProving } from './domains/proving.ts';
import { serveDomains } from './domains/routes.ts';
import { createDomainStore } from './domains/store.ts';
import { registryOf } from './engine/registry.ts';
import { RegistryClient } from './engine/registry-client.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { watchReachability } from './gateway/reachability.ts';
import { createRoutingTable, type RoutingTable } from './gateway/routing-table.ts';
import { createTableSync } from './gateway/table-sync.ts';
import { serveHooks } from './hooks/routes.ts';
import { createLogs } from './logs/logs.ts';
import { createChanges } from './model/changes.ts';
import { folderIdentity } from './model/folder-identity.ts';
import { siteFolders } from './model/site-folders.ts';
import { type OpenRuntime, RUNTIMES } from './open-runtime.ts';
import { createPreviewActivity } from './previews/activity.ts';
import { servePreviews } from './previews/routes.ts';
import { createPreviewStore } from './previews/store.ts';
import { serveProcesses } from './processes/routes.ts';
import { createProcessStore } from './processes/store.ts';
import { serveRuns } from './runs/routes.ts';
import { createRunStore } from './runs/store.ts';
import { openWardens, type Wardens } from './sandbox/limits.ts';
import { openSandbox } from './sandbox/sandbox.ts';
import { passToLeaseHolder } from './volumes/lease-holder.ts';
import { createOrphanedVolumes } from './volumes/orphaned-volumes.ts';
import { serveVolumes } from './volumes/routes.ts';
import { createVolumeStore } from './volumes/store.ts';
import { createVolumeMigration } from './volumes/volume-migration.ts';

export type { OpenRuntime, RoutingTable };

/** Time that requests under way have to finish when another version takes over. */
const DRAIN_MS = 30_000;
const PLATFORM_LENGTH = 12;
const MEBIBYTE = 2 ** 20;

export interface HostingParts {
  applications: ApplicationStore;
  sites: RoutingTable;
  readDeveloper: DeveloperReader;
  /** Runtime in place of the configured one. */
  openRuntime: OpenRuntime | undefined;
}

export interface RoutingParts {
  config: Config;
  database: Database;
  sites: RoutingTable;
  log: Logger;
}

export interface Hosting {
  /** Starts every live site again, and cleans up after an earlier life of the server. */
  start(): Promise<void>;
  /** Stops the sites of this server. */
  close(): Promise<void>;
}

/** Creates the gateway, which receives every request, and its routing table. */
export function openGateway(config: Config, log: Logger): { gateway: Gateway; sites: RoutingTable } {
  const sites = createRoutingTable();
  return { gateway: createGateway({ config, sites, log }), sites };
}

export function openApplications({ database, encryption, config }: Platform): ApplicationStore {
  return createApplicationStore(database.sql, encryption, createBudgets(database.sql, config));
}

/** Composes applications, their deployments and custom domains. */
export async function composeHosting(platform: Platform, parts: HostingParts): Promise<Hosting> {
  const { config, log, clock, database, jobs, server, transactOnce } = platform;
  const { applications, sites, readDeveloper, openRuntime = RUNTIMES[config.appsRuntime] } = parts;

  const routing = await openRouting({ config, database, sites, log });
  const { machine, changes, tableSync, copies } = routing;
  const budgets = createBudgets(database.sql, config);
  const store = createDeploymentStore(database.sql, budgets);
  const logs = createLogs({ database, config, log });
  const wardens = openWardens(config.dataDir, config.appsTogetherMb);
  const deployments = createDeployments({ store, clock });
  const refreshHere = ({ environment_id }: { environment_id: string }) => tableSync.refresh([environment_id]);
  const runs = createRunStore(database.sql, budgets);
  const hostParts = {
    applications,
    store,
    runs,
    budgets,
    logs,
    changes,
    tableSync,
    machine,
    copies,
    wardens,
    openRuntime,
  };
  const host = config.hosting ? await openHost(platform, hostParts) : undefined;

  serveApplications(server, {
    config,
    store: applications,
    readDeveloper,
    transactOnce,
    clock,
    onMoved: refreshHere,
  });
  const previews = createPreviewStore(database.sql, config.appsPreviews);
  const requestDeployment = (environment: EnvironmentName, through: Kysely<unknown>) =>
    deployments.request(environment, { action: 'deploy' }, through);
  serveHooks(server, { applications, previews, requestDeployment, clock });
  servePreviews(server, {
    config,
    store: previews,
    requestDeployment,
    onRemoved: refreshHere,
    applications,
    readDeveloper,
    transactOnce,
    clock,
  });
  if (config.appsPreviewSleepHours > 0) {
    jobs.schedule('preview-sleep', '*/10 * * * *', async () => {
      const now = clock();
      await previews.putToSleep(now.subtract({ hours: config.appsPreviewSleepHours }), now);
    });
  }
  serveDeployments(server, {
    deployments,
    applications,
    store,
    logs,
    onStopped: refreshHere,
    clock,
    readDeveloper,
    transactOnce,
  });

  serveBudget(server, { budgets, readDeveloper });
  servePlans(server, { store: createPlanStore(database.sql), applications, readDeveloper, clock });
  serveProcesses(server, {
    store: createProcessStore(database.sql, budgets),
    applications,
    readDeveloper,
    clock,
  });

  serveRuns(server, {
    store: runs,
    logs,
    applications,
    readDeveloper,
    transactOnce,
    clock,
    mostSeconds: config.appsTaskSeconds,
  });

  serveVolumes(server, {
    store: createVolumeStore(database.sql),
    volumeMigration: host?.volumeMigration,
    leaseHolder: passToLeaseHolder(database.sql, machine),
    applications,
    readDeveloper,
    transactOnce,
    clock,
    diskMb: config.appsDiskMb,
  });

  const domains = createDomainStore(database.sql);
  const check = createCheck(config.appsDnsServers);
  const proving = createProving({
    db: database.sql,
    store: domains,
    check,
    appsDomain: config.appsDomain,
    clock,
  });
  jobs.schedule('check-domains', '* * * * *', () => proving.checkDue());
  serveDomains(server, {
    config,
    store: domains,
    proving,
    onProved: (environmentId) => tableSync.refresh([environmentId]),
    sites,
    applications,
    readDeveloper,
    transactOnce,
    clock,
  });

  return {
    async start() {
      if (!host) log.info('this server never runs sites (HOSTING is "off")');
      if (await routing.start()) host?.start();
    },
    async close() {
      await host?.close();
      await wardens.groups?.close();
      await routing.close();
      await logs.close();
    },
  };
}

/** Keeps a gateway's routing table in line with the database, on any server or process. */
export async function openRouting({ config, database, sites, log }: RoutingParts) {
  const machine = await folderIdentity(config.dataDir);
  const changes = createChanges((handlers) =>
    listenForNotifications('simcha_environments', handlers, { database, config, log }),
  );
  const folders = siteFolders(config.dataDir);
  const copies = await openCopies(config, log);
  const tableSync = createTableSync({
    db: database.sql,
    sites,
    appsDomain: config.appsDomain,
    machine,
    files: copies ? { folderOf: copies.folderOf, copies } : { folderOf: folders.site },
    follow: changes.follow,
    drainMs: DRAIN_MS,
    previews: createPreviewActivity(database.sql, createBudgets(database.sql, config)),
    log,
  });
  const closing = new AbortController();
  const unwatch = watchReachability(sites);
  let starting: Promise<boolean> | undefined;
  const startOnce = async (): Promise<boolean> => {
    const { signal } = closing;
    const onAway = (error: unknown) =>
      log.warn({ err: error }, 'the routing table can’t be read yet; trying again every few seconds');
    try {
      await waitForDatabase(changes.start, { signal, onAway });
      await waitForDatabase(tableSync.start, { signal, onAway });
      return !signal.aborted;
    } catch (error) {
      if (!signal.aborted) throw error;
      return false;
    }
  };
  return {
    machine,
    changes,
    tableSync,
    copies,
    /** Starts the sync, waiting for an unavailable database. Returns false if it was closed in the meantime. */
    start(): Promise<boolean> {
      starting = startOnce();
      return starting;
    },
    async close(): Promise<void> {
      closing.abort();
      unwatch();
      // Resources that are still being opened must be closed as well.
      await starting?.catch(() => {});
      await tableSync.close();
      await changes.close();
      await copies?.close();
    },
  };
}

/** Copies of static sites' files; only in a cluster, where each gateway needs the files. */
async function openCopies(
  { appsRuntime, appsRegistry, appsDiskMb, dataDir }: Config,
  log: Logger,
): Promise<SiteCopies | undefined> {
  if (appsRuntime !== 'swarm' || !appsRegistry) return undefined;
  return openSiteCopies({
    client: new RegistryClient(appsRegistry),
    repositoryOf: registryOf(appsRegistry).repositoryOf,
    folders: siteFolders(dataDir),
    // Limit for an archive, which may be larger than the files in it.
    mostBytes: 2 * appsDiskMb * MEBIBYTE,
    log,
  });
}

/** Creates the host, which runs the sites while this server holds the lease. */
async function openHost(
  { config, log, clock, encryption, database }: Platform,
  parts: Pick<
    ControllerParts,
    'applications' | 'store' | 'runs' | 'budgets' | 'logs' | 'changes' | 'tableSync'
  > & {
    machine: string;
    copies: SiteCopies | undefined;
    wardens: Wardens;
    openRuntime: OpenRuntime;
  },
) {
  const { wardens, openRuntime, copies, ...known } = parts;
  const folders = siteFolders(config.dataDir);
  // If sites run in containers, only git runs in the sandbox.
  const hasNoStrangers = config.appsRuntime !== 'process';
  const sandbox = await openSandbox(
    { ...config, runsNothingUntrusted: hasNoStrangers },
    folders.base,
    wardens,
  );
  const checkouts = createCheckouts(config, sandbox, known.applications, log);
  // Platform id from the database's own key, which stays the same wherever the database is moved and whichever server
  // uses it.
  const platform = () => encryption.fingerprint('', 'platform').toString('hex').slice(0, PLATFORM_LENGTH);
  const worksParts = { platform, sandbox, folders, copies, wardens, log };
  const { runtime, builder, contents } = await openRuntime({ ...worksParts, settings: config });
  const db = database.sql;
  const volumeMigration = createVolumeMigration({
    db,
    kind: config.appsRuntime,
    here: { runtime, contents },
    log,
    open: (kind) => RUNTIMES[kind]({ ...worksParts, settings: { ...config, appsRuntime: kind } }),
  });
  const controller = createController({
    ...known,
    checkouts,
    runtime,
    builder,
    volumeMigration,
    base: folders.base,
    config,
    db,
    encryption,
    clock,
    log,
  });
  const orphans = createOrphanedVolumes({ store: createVolumeStore(db), volumeMigration, log });
  const lease = createLease({
    db,
    self: {
      server: newId(),
      machine: parts.machine,
      address: config.internalUrl ?? null,
      outlives: runtime.capabilities.has('outliving'),
      cluster: runtime.cluster ?? null,
    },
    log,
    isAlone: runtime.claim,
    reach: runtime.reach,
    mayRunFor: runtime.mayRunFor,
    // Running services of a cluster may already belong to another server, so nothing is cleaned up.
    ...(runtime.cluster === undefined && { endLeftovers: runtime.recover }),
    tenure(generation, signal) {
      void orphans.keepRemoving(signal);
      return controller(generation, signal);
    },
  });
  return {
    volumeMigration,
    start() {
      log.info(runtime.isolation);
      for (const warning of hasNoStrangers ? [] : sandbox.isolation.warnings) log.warn(warning);
      lease.start();
    },
    async close() {
      await lease.close();
      await sandbox.close();
      await Promise.all([builder.close(), checkouts.close(), volumeMigration.close(), runtime.close()]);
    },
  };
}
