import type { DeveloperReader } from '../identity/developers.ts';
import type { Config } from '../kernel/config.ts';
import { onceThere } from '../kernel/database/once-there.ts';
import type { Logger } from '../kernel/log.ts';
import type { Platform } from '../kernel/platform.ts';
import { keptSecret } from '../kernel/secret.ts';
import { servePushHooks } from './applications/hooks.ts';
import { serveApplications } from './applications/routes.ts';
import { type ApplicationStore, createApplicationStore } from './applications/store.ts';
import { createCheckouts } from './builds/checkout.ts';
import { createDeployments } from './deployments/deployments.ts';
import { serveDeployments } from './deployments/routes.ts';
import { createDeploymentStore } from './deployments/store.ts';
import { createCheck } from './domains/check.ts';
import { createProving } from './domains/proving.ts';
import { serveDomains } from './domains/routes.ts';
import { createDomainStore } from './domains/store.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { createSites, type SiteTable } from './gateway/sites.ts';
import { createLogs } from './logs/logs.ts';
import { createProcessRuntime } from './runtimes/process.ts';

export type { SiteTable };

export interface HostingParts {
  applications: ApplicationStore;
  sites: SiteTable;
  readDeveloper: DeveloperReader;
}

export interface Hosting {
  /** Brings back every live site, and ends what an earlier life of the server left unfinished. */
  start(): Promise<void>;
  /** Stops following domains; sites go on. */
  retire(): void;
  /** Ends the sites of this server. */
  close(): Promise<void>;
}

/** The door that every request comes through, and the sites it knows. */
export function openGateway(config: Config, log: Logger): { gateway: Gateway; sites: SiteTable } {
  const sites = createSites();
  return { gateway: createGateway({ config, sites, log }), sites };
}

export function openApplications({ database, encryption }: Platform): ApplicationStore {
  return createApplicationStore(database.sql, encryption);
}

/** Applications, their deployments and custom domains. */
export async function composeHosting(platform: Platform, parts: HostingParts): Promise<Hosting> {
  const { config, log, clock, encryption, database, jobs, server, transactOnce } = platform;
  const { applications, sites, readDeveloper } = parts;

  const serverId = await keptSecret(config.dataDir, 'server-id');
  const store = createDeploymentStore(database.sql, serverId);
  const logs = createLogs({ database, config, log });
  const runtime = await createProcessRuntime(config, log);
  const checkouts = createCheckouts(config);
  const deployments = createDeployments({
    config,
    jobs,
    applications,
    sites,
    store,
    logs,
    runtime,
    encryption,
    clock,
    log,
    checkouts,
  });

  serveApplications(server, {
    config,
    store: applications,
    readDeveloper,
    transactOnce,
    clock,
    onChanged: deployments.follow,
    onDeleted: deployments.follow,
    onDeployKey: checkouts.forgetHost,
  });
  servePushHooks(server, {
    store: applications,
    requestDeployment: (uuid) => deployments.deploy(uuid),
  });
  serveDeployments(server, {
    deployments,
    applications,
    store,
    logs,
    clock,
    readDeveloper,
    transactOnce,
  });

  const domains = createDomainStore(database.sql);
  const check = createCheck(config.appsDnsServers);
  const proving = createProving({
    db: database.sql,
    store: domains,
    check,
    sites,
    appsDomain: config.appsDomain,
    clock,
  });
  jobs.schedule('check-domains', '* * * * *', () => proving.checkDue());
  serveDomains(server, {
    config,
    store: domains,
    proving,
    sites,
    applications,
    readDeveloper,
    transactOnce,
    clock,
  });

  const closing = new AbortController();
  return {
    async start() {
      const { signal } = closing;
      const onAway = (error: unknown) =>
        log.warn({ err: error }, 'the sites can’t be brought back yet; trying again every few seconds');
      const onceHere = <T>(ask: () => Promise<T>) => onceThere(ask, { signal, onAway });
      try {
        await onceHere(proving.follow);
        await deployments.start(onceHere);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    retire() {
      closing.abort();
      proving.close();
    },
    close: () => deployments.close(),
  };
}
