import type { Kysely } from 'kysely';
import type { TokenSubjects } from '../identity/access-tokens/subjects.ts';
import type { DeveloperReader } from '../identity/developers.ts';
import { UserStore } from '../identity/store.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { Database } from '../kernel/database/database.ts';
import { listenForNotifications } from '../kernel/database/notifications.ts';
import { waitForDatabase } from '../kernel/database/wait-for-database.ts';
import type { Logger } from '../kernel/log.ts';
import type { Platform } from '../kernel/platform.ts';
import { AccessLog } from './access-log/access-log.ts';
import { serveAccessLog } from './access-log/routes.ts';
import { recordAbout } from './applications/changes.ts';
import { serveApplications } from './applications/routes.ts';
import { ApplicationStore, type EnvironmentName } from './applications/store.ts';
import { serveBudget } from './budgets/routes.ts';
import { Budgets } from './budgets/store.ts';
import { openSiteCopies, type SiteCopies } from './builds/site-copies.ts';
import { createDeployments, type Deployments } from './deployments/deployments.ts';
import { serveDeployments } from './deployments/routes.ts';
import { DeploymentStore } from './deployments/store.ts';
import { servePlans } from './detection-api/routes.ts';
import { createPlanStore } from './detection-api/store.ts';
import { createCheck } from './domains/check.ts';
import { createProving } from './domains/proving.ts';
import { serveDomains } from './domains/routes.ts';
import { DomainStore, hasDueClaims } from './domains/store.ts';
import { registryOf } from './engine/registry.ts';
import { RegistryClient } from './engine/registry-client.ts';
import { measureHosting } from './figures/metrics.ts';
import { TrafficRecorder } from './figures/recorder.ts';
import { serveFigures } from './figures/routes.ts';
import { thinFigures } from './figures/store.ts';
import { Traffic } from './figures/traffic.ts';
import { Gateway } from './gateway/gateway.ts';
import { watchReachability } from './gateway/reachability.ts';
import { RoutingTable } from './gateway/routing-table.ts';
import { TableSync } from './gateway/table-sync.ts';
import { serveHistory } from './history/routes.ts';
import { HookDeliveries } from './hooks/deliveries.ts';
import { serveDeliveries } from './hooks/delivery-routes.ts';
import { PushReports } from './hooks/push-reports.ts';
import { serveHooks } from './hooks/routes.ts';
import { createLogs } from './logs/logs.ts';
import { forgetOldAccess } from './logs/store.ts';
import { LogWriter } from './logs/writer.ts';
import { createChanges } from './model/changes.ts';
import { folderIdentity } from './model/folder-identity.ts';
import { forgetOldHistory } from './model/history.ts';
import { siteFolders } from './model/site-folders.ts';
import { type Host, openHost } from './open-host.ts';
import { type OpenRuntime, RUNTIMES } from './open-runtime.ts';
import { serveOperator } from './operator/routes.ts';
import { servePeople } from './people/routes.ts';
import { createPreviewActivity } from './previews/activity.ts';
import { servePreviews } from './previews/routes.ts';
import { PreviewStore } from './previews/store.ts';
import { serveProcesses } from './processes/routes.ts';
import { createProcessStore } from './processes/store.ts';
import { serveRules } from './rules/routes.ts';
import { serveRuns } from './runs/routes.ts';
import { RunStore } from './runs/store.ts';
import { openWardens } from './sandbox/limits.ts';
import { type HostingTimeOptions, hostingTimes, type RoutingTimes } from './times.ts';
import { serveUploads } from './uploads/routes.ts';
import { UploadStore } from './uploads/store.ts';
import { serveVariableGroups } from './variable-groups/routes.ts';
import { VariableGroupStore } from './variable-groups/store.ts';
import { passToLeaseHolder } from './volumes/lease-holder.ts';
import { serveVolumes } from './volumes/routes.ts';
import { VolumeStore } from './volumes/store.ts';

export type { HostingTimeOptions, OpenRuntime, RoutingTable };

const MEBIBYTE = 2 ** 20;
/** Time for which lines of access logs are stored. */
const ACCESS_LOG_HOURS = 7 * 24;

export interface HostingParts {
  applications: ApplicationStore;
  sites: RoutingTable;
  recorder: RequestRecorder;
  readDeveloper: DeveloperReader;
  /** Runtime that a test uses instead of the configured one. */
  openRuntime: OpenRuntime | undefined;
  /** Times, such as intervals and time limits, that a test uses instead of the defaults. */
  times: HostingTimeOptions | undefined;
}

export interface RoutingParts {
  config: Config;
  database: Database;
  sites: RoutingTable;
  log: Logger;
  times?: RoutingTimes;
}

export interface Hosting {
  /**
   * Resolves once the runtime of sites is open, which is tried out beside the rest of the start. Rejects with a
   * ConfigError if it can't be opened.
   */
  opened: Promise<unknown>;
  isOpen(): boolean;
  /** Starts to receive and count the requests of sites, once the tables exist. */
  startRouting(): Promise<void>;
  /**
   * Starts every live site again, and cleans up after the server's previous run. Requires the open runtime, the routing
   * and the job queue.
   */
  start(): void;
  /** Stops the sites of this server. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  config: Config;
  log: Logger;
  /** Database that gets the counts of requests and the access logs. */
  database: Database;
  clock: Clock;
  times?: HostingTimeOptions | undefined;
}

/** Creates the gateway, which receives every request, with its routing table and the recorder of its requests. */
export function openGateway({ config, log, database, clock, times }: GatewayOptions) {
  const sites = new RoutingTable();
  const traffic = new Traffic();
  const { writeMs, listMs } = hostingTimes(database.kind, times).figures;
  const lines = new LogWriter(database, log, { flushMs: listMs });
  const accessLog = new AccessLog(lines);
  const counts = new TrafficRecorder({ db: database.sql, traffic, clock, log, everyMs: writeMs });
  const recorder = {
    start: () => counts.start(),
    /** Writes the last counts and lines of requests, unless the database is unavailable. */
    async close(): Promise<void> {
      accessLog.close();
      await Promise.all([counts.close(), lines.close()]);
    },
  };
  return { gateway: new Gateway({ config, sites, traffic, accessLog, log }), sites, recorder };
}

/** Recorder of a gateway's requests in the database. */
export type RequestRecorder = ReturnType<typeof openGateway>['recorder'];

export function openApplications({ database, encryption, config }: Platform): ApplicationStore {
  return new ApplicationStore(database.sql, encryption, new Budgets(database.sql, config));
}

/** Makes the function that records, in an application's history, changes of tokens and webhooks restricted to it. */
export function openRestrictedHistory({ clock }: Pick<Platform, 'clock'>): TokenSubjects['recordChange'] {
  return (transaction, request, change) => recordAbout(transaction, request, change, clock());
}

/** Pattern of the routes about one application. */
export const APPLICATION_PATH = '/api/v1/applications/:uuid';

/** Composes the hosting of applications: their deployments and custom domains. Begins to open the runtime. */
export async function composeHosting(platform: Platform, parts: HostingParts): Promise<Hosting> {
  const { config, log, database } = platform;
  const { applications, sites, recorder, openRuntime = RUNTIMES[config.appsRuntime] } = parts;
  const times = hostingTimes(database.kind, parts.times);
  const routing = await openRouting({ config, database, sites, log, times: times.routing });
  const wardens = openWardens(config.dataDir, config.appsTogetherMb);
  const stores = openStores(platform);
  const hostParts = { ...stores, ...routing, applications, wardens, openRuntime, times };
  let host: Host | undefined;
  const open = async () => {
    host = await openHost(platform, hostParts);
  };
  const opened = config.hosting ? open() : Promise.resolve();
  // A server that is closed before its start does not wait for the runtime.
  opened.catch(() => {});
  const deployments = createDeployments({ store: stores.store, clock: platform.clock });
  serveAreas(platform, { ...parts, ...stores, deployments, routing, currentHost: () => host });
  let isRouting = false;

  return {
    opened,
    isOpen: () => !config.hosting || host !== undefined,
    async startRouting() {
      recorder.start();
      isRouting = await routing.start();
    },
    start() {
      if (!config.hosting) log.info('this server never runs sites (HOSTING is "off")');
      if (isRouting) host?.start();
    },
    async close() {
      await recorder.close();
      await opened.catch(() => {});
      await host?.close();
      await wardens.groups?.close();
      await routing.close();
      await stores.logs.close();
    },
  };
}

/** Opens the stores that several parts of hosting read and write. */
function openStores({ config, database, log, tracing }: Platform) {
  const budgets = new Budgets(database.sql, config);
  return {
    budgets,
    store: new DeploymentStore(database.sql, budgets, tracing),
    runs: new RunStore(database.sql, budgets),
    uploads: new UploadStore(database.sql),
    logs: createLogs({ database, config, log }),
  };
}

interface AreaParts extends HostingParts, ReturnType<typeof openStores> {
  deployments: Deployments;
  routing: Awaited<ReturnType<typeof openRouting>>;
  /** Host of this server, once it is open; undefined if this server never runs sites. */
  currentHost(): Host | undefined;
}

/** Serves the routes of all parts of hosting, and schedules their jobs. */
function serveAreas(platform: Platform, parts: AreaParts): void {
  const { server, database, transactOnce, clock } = platform;
  const { applications, readDeveloper, budgets, routing } = parts;
  const common = { applications, readDeveloper, transactOnce, clock };
  const refreshHere = ({ environment_id: id }: { environment_id: string }) => routing.tableSync.refresh([id]);
  const { config } = platform;

  serveApplications(server, { ...common, config, store: applications, onMoved: refreshHere });
  const groups = new VariableGroupStore(database.sql, platform.encryption);
  serveVariableGroups(server, { ...common, store: groups });
  servePreviewsAndDeployments(platform, parts, refreshHere);
  servePeople(server, {
    ...common,
    db: database.sql,
    users: new UserStore(database.sql),
    mail: platform.mail,
    publicUrl: config.publicUrl,
  });
  serveHistory(server, { db: database.sql, applications, readDeveloper });
  platform.jobs.schedule('forget-history', '35 * * * *', () => forgetOldHistory(database.sql, clock()));
  serveBudget(server, { budgets, readDeveloper });
  serveUploads(server, {
    ...common,
    config,
    store: parts.uploads,
    requestDeployment: async (environment) =>
      (await parts.deployments.request(environment, { action: 'deploy' })).deployment_uuid,
    log: platform.log,
  });
  servePlans(server, { ...common, store: createPlanStore(database.sql) });
  serveProcesses(server, { ...common, store: createProcessStore(database.sql, budgets) });
  serveRuns(server, { ...common, store: parts.runs, logs: parts.logs, mostSeconds: config.appsTaskSeconds });
  serveVolumes(server, {
    ...common,
    store: new VolumeStore(database.sql),
    currentMigration: () => parts.currentHost()?.volumeMigration,
    leaseHolder: passToLeaseHolder(database.sql, routing.machine),
    diskMb: config.appsDiskMb,
  });
  serveCustomDomains(platform, parts);
  serveOperator(server, {
    db: database.sql,
    readDeveloper,
    operators: config.operators,
    budgets,
    deployments: parts.deployments,
    onStopped: refreshHere,
    dataDir: config.dataDir,
    clock,
  });
  measureHosting(server.metrics, database.sql);
  serveRules(server, { ...common, db: database.sql, onChanged: refreshHere });
  serveFigures(server, { ...common, db: database.sql });
  serveAccessLog(server, { ...common, logs: parts.logs });
  platform.jobs.schedule('thin-figures', '*/5 * * * *', () => thinFigures(database.sql, clock()));
  platform.jobs.schedule('forget-access', '20 * * * *', () =>
    forgetOldAccess(database.sql, clock().subtract({ hours: ACCESS_LOG_HOURS })),
  );
}

/** Serves everything that requests deployments: push hooks, previews and an application's deployments. */
function servePreviewsAndDeployments(
  { config, server, database, jobs, clock, transactOnce }: Platform,
  { applications, readDeveloper, deployments, store, logs }: AreaParts,
  refreshHere: (environment: { environment_id: string }) => Promise<void>,
): void {
  const common = { applications, readDeveloper, transactOnce, clock };
  const previews = new PreviewStore(database.sql, config.appsPreviews);
  const requestDeployment = (environment: EnvironmentName, through: Kysely<unknown>) =>
    deployments.request(environment, { action: 'deploy' }, through);
  const deployPush: typeof requestDeployment = (environment, through) =>
    deployments.request(environment, { action: 'deploy', trigger: 'push' }, through);

  const deliveries = new HookDeliveries(database.sql);
  const reports = new PushReports({ previews, requestDeployment: deployPush, clock });
  serveHooks(server, { applications, deliveries, reports, clock });
  serveDeliveries(server, { deliveries, applications, readDeveloper });
  servePreviews(server, { ...common, config, store: previews, requestDeployment, onRemoved: refreshHere });
  if (config.appsPreviewSleepHours > 0) {
    jobs.schedule('preview-sleep', '*/10 * * * *', async () => {
      const now = clock();
      await previews.putToSleep(now.subtract({ hours: config.appsPreviewSleepHours }), now);
    });
  }
  serveDeployments(server, { ...common, deployments, store, logs, onStopped: refreshHere });
}

function serveCustomDomains(
  { config, server, database, jobs, clock, transactOnce }: Platform,
  { applications, readDeveloper, sites, routing }: AreaParts,
): void {
  const { appsDomain, appsDnsServers } = config;
  const store = new DomainStore(database.sql);
  const check = createCheck(appsDnsServers);
  const proving = createProving({ db: database.sql, store, check, appsDomain, clock });
  jobs.schedule('check-domains', hasDueClaims, () => proving.checkDue());
  serveDomains(server, {
    config,
    store,
    proving,
    onProved: (environmentId) => routing.tableSync.refresh([environmentId]),
    sites,
    applications,
    readDeveloper,
    transactOnce,
    clock,
  });
}

/** Keeps a gateway's routing table in line with the database, on any server or process. */
export async function openRouting({
  config,
  database,
  sites,
  log,
  times = hostingTimes(database.kind).routing,
}: RoutingParts) {
  const machine = await folderIdentity(config.dataDir);
  const changes = createChanges((handlers) =>
    listenForNotifications('simcha_environments', handlers, { database, config, log }),
  );
  const folders = siteFolders(config.dataDir);
  const copies = await openCopies(config, log);
  const tableSync = new TableSync({
    db: database.sql,
    sites,
    appsDomain: config.appsDomain,
    machine,
    files: copies ? { folderOf: (build) => copies.folderOf(build), copies } : { folderOf: folders.site },
    follow: changes.follow,
    ...times,
    previews: createPreviewActivity(database.sql, new Budgets(database.sql, config)),
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
      await waitForDatabase(() => tableSync.start(), { signal, onAway });
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
    /**
     * Starts the sync of the routing table, waiting for an unavailable database. Returns false if it was closed in the
     * meantime.
     */
    start(): Promise<boolean> {
      starting = startOnce();
      return starting;
    },
    async close(): Promise<void> {
      closing.abort();
      unwatch();
      // The routing table's sync may still be starting: its resources must be closed as well.
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
    // Size limit for an archive of a site, which may be larger than the files in it.
    mostBytes: 2 * appsDiskMb * MEBIBYTE,
    log,
  });
}
