import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import type { Job, Jobs } from '../../kernel/jobs.ts';
import type { Logger } from '../../kernel/log.ts';
import { createTurns } from '../../kernel/turns.ts';
import { noSuchApplication } from '../applications/access.ts';
import { siteAddress } from '../applications/address.ts';
import type { Application, ApplicationStore } from '../applications/store.ts';
import type { Checkouts } from '../builds/checkout.ts';
import type { Sites } from '../gateway/sites.ts';
import type { Logs } from '../logs/logs.ts';
import { reason } from '../reasons/reason.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import { type Action, isFinal } from './lifecycle.ts';
import { createPipeline, variablesContext } from './pipeline.ts';
import { createRunningSites, type Launch } from './running.ts';
import { Cancelled, type DeploymentRow, type DeploymentStore, type SiteRow } from './store.ts';

export type DeploymentSettings = Pick<
  Config,
  | 'appsConcurrency'
  | 'appsBuildSeconds'
  | 'appsHealthSeconds'
  | 'appsReleasesKept'
  | 'appsDomain'
  | 'appsGitProtocols'
  | 'appsAllowPrivateHosts'
  | 'publicUrl'
>;

export interface DeploymentParts {
  config: DeploymentSettings;
  jobs: Jobs;
  applications: ApplicationStore;
  store: DeploymentStore;
  runtime: Runtime;
  checkouts: Checkouts;
  sites: Sites;
  logs: Logs;
  encryption: Encryption;
  clock: Clock;
  log: Logger;
}

const DRAIN_MS = 30_000;
const DEPLOYMENTS_KEPT = 200;
/** Beside a build: the source, the health check, and time to spare. */
const SPARE_SECONDS = 600;

export type Deployments = ReturnType<typeof createDeployments>;

/** What was asked for as it is on record, and what follows once that is committed. */
export interface Asked {
  deployment: DeploymentRow;
  after(): void;
}

/**
 * Deployments as durable jobs: one at a time for an application, several applications side by side. The queue's own groups
 * would not do (docs/decisions/0012-turns.md).
 */
export function createDeployments(parts: DeploymentParts) {
  const { config, jobs, applications, store, runtime, checkouts, sites, logs } = parts;
  const { encryption, clock, log } = parts;
  const hostsOf = ({ subdomain }: { subdomain: string }) => [`${subdomain}.${config.appsDomain}`];
  const working = new Map<string, { applicationId: string; controller: AbortController }>();
  const busy = new Map<string, 'once' | 'again'>();
  const inTurn = createTurns();
  const ready = Promise.withResolvers<void>();

  const launchOf = async (row: SiteRow): Promise<Launch | undefined> => {
    const [application, release] = await Promise.all([
      applications.find(row.application_uuid),
      store.release(row.deployment_uuid),
    ]);
    if (!application || !release) return undefined;
    const variables = encryption.open(row.variables_sealed, variablesContext(row.application_uuid));
    return {
      applicationId: row.application_uuid,
      deploymentId: row.deployment_uuid,
      releaseId: release.release_id,
      commit: release.commit_hash,
      address: siteAddress(config, application.subdomain),
      artifact: release.artifact,
      variables: JSON.parse(variables),
      hosts: hostsOf(application),
      healthPath: application.health_path,
    };
  };
  const running = createRunningSites({
    runtime,
    sites,
    store,
    logs,
    log,
    clock,
    hostsOf,
    launchOf,
    healthMs: config.appsHealthSeconds * 1_000,
    drainMs: DRAIN_MS,
  });
  const pipeline = createPipeline({
    applications,
    store,
    runtime,
    checkouts,
    running,
    logs,
    encryption,
    clock,
    log,
    hostsOf,
    settings: config,
    addressOf: ({ subdomain }: Application) => siteAddress(config, subdomain),
  });

  const queue = jobs.queue<{ application: string }>(
    'deployments',
    {
      concurrency: config.appsConcurrency,
      retries: 10,
      longestRetryDelay: 30,
      timeLimit: config.appsBuildSeconds + config.appsHealthSeconds + SPARE_SECONDS,
    },
    async (job) => {
      await ready.promise;
      await workOn(job);
    },
  );

  const changes = jobs.queue<{ application: string }>('application-changes', {}, async ({ data }) => {
    await ready.promise;
    const application = await applications.find(data.application);
    if (application) await running.rename(application.application_uuid, hostsOf(application));
    else await remove(data.application);
  });

  /** The application is deleted: its site ends, and its files go. */
  const remove = async (applicationId: string): Promise<void> => {
    for (const one of working.values()) {
      if (one.applicationId === applicationId)
        one.controller.abort(new Cancelled(reason('application_gone')));
    }
    await running.remove(applicationId);
    await inTurn(applicationId, async () => {
      // What was worked on in between may have gone live at the last moment.
      await running.remove(applicationId);
      await Promise.all([runtime.forget(applicationId), checkouts.forget(applicationId)]);
    });
  };

  /** A second job of an application leaves its work to the first, and holds up nobody else's. */
  const workOn = async (job: Job<{ application: string }>): Promise<void> => {
    const { application } = job.data;
    if (busy.has(application)) {
      busy.set(application, 'again');
      return;
    }
    try {
      do {
        busy.set(application, 'once');
        await inTurn(application, () => workAll(job));
      } while (busy.get(application) === 'again');
    } finally {
      busy.delete(application);
    }
  };

  /** Works the application's deployments until none is left. */
  const workAll = async ({ data: { application }, signal }: Job<{ application: string }>): Promise<void> => {
    while (!signal.aborted) {
      const row = await claim(application);
      if (!row) return;
      const controller = new AbortController();
      working.set(row.deployment_uuid, { applicationId: application, controller });
      try {
        await pipeline.run(row, AbortSignal.any([signal, controller.signal]));
      } finally {
        working.delete(row.deployment_uuid);
      }
      logs.write.end(row.deployment_uuid);
      await prune(application);
    }
    throw new Error('the server is shutting down');
  };

  const claim = async (applicationId: string): Promise<DeploymentRow | undefined> => {
    try {
      const { claimed, ended } = await store.claim(applicationId, clock());
      for (const id of ended) logs.write.end(id);
      return claimed;
    } catch (error) {
      if (error instanceof Cancelled) return undefined;
      throw error;
    }
  };

  const prune = async (applicationId: string): Promise<void> => {
    try {
      await runtime.keepOnly(
        applicationId,
        await store.pruneReleases(applicationId, config.appsReleasesKept),
      );
      await store.pruneDeployments(applicationId, DEPLOYMENTS_KEPT);
    } catch (error) {
      if (!(error instanceof Cancelled))
        log.warn({ err: error }, 'what is not needed any more could not be removed');
    }
  };

  /** Removes what was left of applications that are gone by now. What can't be removed keeps nobody from starting. */
  const tidyUp = async (applications: ReadonlySet<string>): Promise<void> => {
    const tidied = await Promise.allSettled([
      runtime.keepApplications(applications),
      checkouts.keepOnly(applications),
    ]);
    for (const one of tidied) {
      if (one.status === 'rejected')
        log.warn({ err: one.reason }, 'what is not needed any more could not be removed');
    }
  };

  /** One that waited has ended by now; one that is worked on is told to. */
  const letGo = (row: DeploymentRow): void => {
    working.get(row.deployment_uuid)?.controller.abort(new Cancelled(reason('cancelled')));
    if (isFinal(row.status)) logs.write.end(row.deployment_uuid);
  };

  /** For a request that finds the application deleted since it was let in. */
  const unlessGone = <T>(asked: Promise<T>): Promise<T> =>
    asked.catch((error) => {
      throw error instanceof Cancelled ? noSuchApplication() : error;
    });

  const ask = async (
    applicationId: string,
    asked: { action: Action; target?: string },
    through?: Kysely<unknown>,
  ): Promise<Asked> => {
    const enqueue = async (transaction: Kysely<unknown>, application: string) => {
      await queue.send({ application }, { transaction });
    };
    const { deployment, superseded } = await unlessGone(
      store.request(applicationId, asked, clock(), enqueue, through),
    );
    return {
      deployment,
      after() {
        for (const id of superseded) logs.write.end(id);
      },
    };
  };

  return {
    request: ask,

    /** Asks for the newest commit, in a transaction of its own. */
    async deploy(applicationId: string): Promise<void> {
      (await ask(applicationId, { action: 'deploy' })).after();
    },

    /** undefined when there is no such deployment. Throws a Refusal when it has ended already. */
    async cancel(
      applicationId: string,
      deploymentId: string,
      through: Kysely<unknown>,
    ): Promise<Asked | undefined> {
      const deployment = await unlessGone(store.cancel(applicationId, deploymentId, clock(), through));
      return deployment && { deployment, after: () => letGo(deployment) };
    },

    /** Writes down that the site is stopped; it ends with what this gives back. */
    async stop(application: Application, through: Kysely<unknown>): Promise<() => Promise<void>> {
      const { application_uuid: applicationId } = application;
      const ended = await unlessGone(store.stop(applicationId, clock(), through));
      return async () => {
        for (const row of ended) letGo(row);
        await running.stop(applicationId, hostsOf(application));
      };
    },

    /** Called in the transaction that changes or removes an application: its site follows once that is on record. */
    follow: async (applicationId: string, transaction: Kysely<unknown>): Promise<void> => {
      await changes.send({ application: applicationId }, { transaction });
    },

    /**
     * Once the tables and the job queue are there: ends what an earlier life left, and goes on where it stopped.
     * `onceHere` asks a database that went away again until it is back.
     */
    async start(onceHere: <T>(ask: () => Promise<T>) => Promise<T>): Promise<void> {
      log.info(runtime.isolation);
      await runtime.recover();
      const { all, unfinished } = await onceHere(() => store.applications());
      await tidyUp(all);
      void running
        .resume()
        .catch((error) => log.error({ err: error }, 'the sites could not be brought back'));
      ready.resolve();
      // Their jobs are still there, but those a killed server had taken up would wait until they are missed.
      for (const application of unfinished) await onceHere(() => queue.send({ application }));
    },

    /** Ends every site. Requests and jobs have been finished before. */
    async close(): Promise<void> {
      await running.close();
      await runtime.close();
      await logs.close();
    },
  };
}
