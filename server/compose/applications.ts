import { servePushHooks } from '../applications/hooks.ts';
import { serveApplications } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { createDeployments } from '../deployments/deployments.ts';
import { createDeploymentLogs } from '../deployments/log.ts';
import { serveDeployments } from '../deployments/routes.ts';
import { createSiteLogs } from '../deployments/site-log.ts';
import { createDeploymentStore } from '../deployments/store.ts';
import { createCheck } from '../domains/check.ts';
import { createProving } from '../domains/proving.ts';
import { serveDomains } from '../domains/routes.ts';
import { createDomainStore } from '../domains/store.ts';
import type { SiteTable } from '../gateway/sites.ts';
import type { DeveloperReader } from '../identity/developers.ts';
import { keptSecret } from '../kernel/secret.ts';
import { createCheckouts } from '../runtimes/checkout.ts';
import { createProcessRuntime } from '../runtimes/process.ts';
import type { Platform } from './platform.ts';

export interface ApplicationParts {
  applications: ApplicationStore;
  sites: SiteTable;
  readDeveloper: DeveloperReader;
}

export interface ApplicationSide {
  /** Brings back every live site, and ends what an earlier life of the server left unfinished. */
  start(): Promise<void>;
  /** Stops following domains; sites go on. */
  retire(): void;
  /** Ends the sites of this server. */
  close(): Promise<void>;
}

/** Applications, their deployments and custom domains. */
export async function composeApplications(
  platform: Platform,
  parts: ApplicationParts,
): Promise<ApplicationSide> {
  const { config, log, clock, encryption, database, jobs, server } = platform;
  const { applications, sites, readDeveloper } = parts;

  const serverId = await keptSecret(config.dataDir, 'server-id');
  const store = createDeploymentStore(database.sql, serverId);
  const logs = createDeploymentLogs(config.dataDir, clock, log);
  const siteLogs = createSiteLogs(config.dataDir, clock);
  const runtime = await createProcessRuntime(config);
  const checkouts = createCheckouts(config);
  const deployments = createDeployments({
    ...{ config, jobs, applications, sites, store, logs, siteLogs, runtime, encryption, clock, log },
    checkouts,
  });

  serveApplications(server, {
    ...{ config, store: applications, readDeveloper, clock },
    onChanged: deployments.follow,
    onDeleted: deployments.follow,
    onDeployKey: checkouts.forgetHost,
  });
  servePushHooks(server, {
    store: applications,
    requestDeployment: (uuid) => deployments.request(uuid, 'deploy'),
  });
  serveDeployments(server, { deployments, applications, store, logs, siteLogs, readDeveloper });

  const domains = createDomainStore(database.sql);
  const check = createCheck(config.appsDnsServers);
  const proving = createProving({ store: domains, check, sites, appsDomain: config.appsDomain, clock });
  jobs.schedule('check-domains', '* * * * *', () => proving.checkDue());
  serveDomains(server, { config, store: domains, proving, sites, applications, readDeveloper, clock });

  return {
    async start() {
      await proving.follow();
      await deployments.start();
    },
    retire: () => proving.close(),
    close: () => deployments.close(),
  };
}
