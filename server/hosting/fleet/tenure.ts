import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { onceThere } from '../../kernel/database/once-there.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import type { Logger } from '../../kernel/log.ts';
import { siteAddress } from '../applications/address.ts';
import type { Application, ApplicationStore } from '../applications/store.ts';
import type { Checkouts } from '../builds/checkout.ts';
import { RuntimeFailure } from '../builds/failure.ts';
import { createPipeline, variablesContext } from '../deployments/pipeline.ts';
import { Cancelled, type DeploymentRow, type SiteRow, unfinished } from '../deployments/rows.ts';
import type { DeploymentStore } from '../deployments/store.ts';
import type { Whereabouts } from '../gateway/whereabouts.ts';
import type { Logs } from '../logs/logs.ts';
import { reason } from '../reasons/reason.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import { createGate } from './gate.ts';
import { LeaseReturned } from './lease.ts';
import type { News } from './news.ts';
import { createRecord } from './record.ts';
import { createRunningSites, type Launch } from './running.ts';

export interface TenureParts {
  config: Pick<
    Config,
    | 'appsConcurrency'
    | 'appsHealthSeconds'
    | 'appsSilentSeconds'
    | 'appsReleasesKept'
    | 'appsDomain'
    | 'appsGitProtocols'
    | 'appsAllowPrivateHosts'
    | 'publicUrl'
  >;
  db: Kysely<unknown>;
  applications: ApplicationStore;
  store: DeploymentStore;
  runtime: Runtime;
  checkouts: Checkouts;
  logs: Logs;
  encryption: Encryption;
  clock: Clock;
  log: Logger;
  news: News;
  whereabouts: Pick<Whereabouts, 'switchTo'>;
}

const DRAIN_MS = 30_000;
const DEPLOYMENTS_KEPT = 200;
/** Whatever is missed otherwise is seen then. */
const LOOK_MS = 10_000;

/** What the holder of the lease does: works deployments, and keeps running what should run, until the signal. */
export function createTenure(parts: TenureParts) {
  const { config, db, applications, store, runtime, checkouts, logs, encryption, clock, log, news } = parts;

  const launchOf = async (row: SiteRow): Promise<Launch | undefined> => {
    const [application, release] = await Promise.all([
      applications.find(row.application_uuid),
      store.release(row.deployment_uuid),
    ]);
    if (!application || !release) return undefined;
    const variables = encryption.open(row.variables_sealed, variablesContext(row.environment_id));
    return {
      environmentId: row.environment_id,
      applicationId: row.application_uuid,
      deploymentId: row.deployment_uuid,
      releaseId: release.release_id,
      commit: release.commit_hash,
      address: siteAddress(config, row.subdomain),
      artifact: release.artifact,
      variables: JSON.parse(variables),
      healthPath: application.health_path,
    };
  };

  return async (generation: number, signal: AbortSignal): Promise<void> => {
    const record = createRecord(db, generation);
    const throughGate = createGate(config.appsConcurrency);
    const running = createRunningSites({
      runtime,
      record,
      site: store.site,
      logs,
      log,
      clock,
      launchOf,
      healthMs: config.appsHealthSeconds * 1_000,
      silentMs: config.appsSilentSeconds * 1_000,
      drainMs: DRAIN_MS,
      atHand: async (launch, until, journal) => {
        const release = await store.release(launch.deploymentId);
        if (!release) throw new RuntimeFailure(reason('release_gone'));
        const name = { applicationId: launch.applicationId, releaseId: release.release_id };
        if (await runtime.has(name, release.artifact)) return release.artifact;
        const { variables, address } = launch;
        const how = { variables, address, signal: until, journal };
        return (await throughGate(() => pipeline.atHand(release, how))).artifact;
      },
      switchTo: parts.whereabouts.switchTo,
      tenure: signal,
    });
    const pipeline = createPipeline({
      applications,
      store,
      record,
      runtime,
      checkouts,
      running,
      logs,
      encryption,
      clock,
      log,
      settings: config,
      addressOf: ({ subdomain }: Application) => siteAddress(config, subdomain),
    });
    const working = new Map<string, AbortController>();
    const works = new Set<Promise<void>>();

    /** Works the environment's deployments until none is left. */
    const work = async (environmentId: string, controller: AbortController): Promise<void> => {
      while (!controller.signal.aborted) {
        const row = await record.claim(environmentId, clock());
        if (!row) return;
        await pipeline.run(row, controller.signal);
        await prune(row);
      }
    };
    const begin = (environmentId: string): void => {
      const controller = new AbortController();
      const over = () => controller.abort(signal.reason);
      working.set(environmentId, controller);
      signal.addEventListener('abort', over, { once: true });
      const done = throughGate(() => work(environmentId, controller))
        .catch((error) => {
          if (!(error instanceof Cancelled) && !signal.aborted)
            log.error(
              { err: error, environment: environmentId },
              'deployments could not be worked; trying again',
            );
        })
        .finally(() => {
          signal.removeEventListener('abort', over);
          working.delete(environmentId);
          works.delete(done);
          // What was asked for while the last one ended.
          if (!signal.aborted) soon(environmentId);
        });
      works.add(done);
    };

    const prune = async ({ application_uuid: applicationId }: DeploymentRow): Promise<void> => {
      try {
        await runtime.keepOnly(
          applicationId,
          await record.pruneReleases(applicationId, config.appsReleasesKept),
        );
        await record.pruneDeployments(applicationId, DEPLOYMENTS_KEPT);
      } catch (error) {
        log.warn({ err: error }, 'what is not needed any more could not be removed');
      }
    };

    /** Removes what is kept of applications that are gone by now. What can't be removed keeps nobody from going on. */
    const sweep = async (): Promise<void> => {
      try {
        // Looked for first, so that what is made meanwhile is not among it.
        const kept = [...new Set([...(await runtime.applications()), ...(await checkouts.applications())])];
        const { rows } = await sql<{ id: string }>`
          select application_uuid as id from applications where application_uuid = any(${kept}::uuid[])`.execute(
          db,
        );
        const there = new Set(rows.map(({ id }) => id));
        for (const id of kept.filter((one) => !there.has(one))) {
          await Promise.all([runtime.forget(id), checkouts.forget(id)]);
        }
      } catch (error) {
        log.warn({ err: error }, 'what is not needed any more could not be removed');
      }
    };

    /** Brings one environment in line with what is asked for. */
    const look = async (environmentId: string): Promise<void> => {
      const { rows } = await sql<{ application_uuid: string; open: number; unwanted: boolean | null }>`
        select environments.application_uuid,
          count(deployments.deployment_uuid)::integer as open,
          bool_or(deployments.cancel_requested and deployments.status <> 'queued') as unwanted
        from environments left join deployments
          on deployments.environment_id = environments.environment_id and deployments.status in (${unfinished})
        where environments.environment_id = ${environmentId}
        group by environments.application_uuid`.execute(db);
      const [state] = rows;
      if (!state) {
        working.get(environmentId)?.abort(new Cancelled(reason('application_gone')));
        await running.remove(environmentId);
        await sweep();
        return;
      }
      if (state.unwanted) working.get(environmentId)?.abort(new Cancelled(reason('cancelled')));
      if (state.open > 0 && !working.has(environmentId)) begin(environmentId);
      await running.follow(environmentId);
    };
    const looking = new Map<string, 'once' | 'again'>();
    const soon = (environmentId: string): void => {
      if (looking.has(environmentId)) {
        looking.set(environmentId, 'again');
        return;
      }
      looking.set(environmentId, 'once');
      void look(environmentId)
        .catch((error) => {
          if (!signal.aborted)
            log.warn({ err: error, environment: environmentId }, 'an environment could not be looked at');
        })
        .finally(() => {
          const again = looking.get(environmentId) === 'again';
          looking.delete(environmentId);
          if (again && !signal.aborted) soon(environmentId);
        });
    };
    const lookAtAll = async (): Promise<void> => {
      const { rows } = await sql<{ id: string }>`
        select environment_id as id from sites
        union select environment_id from deployments where status in (${unfinished})`.execute(db);
      for (const id of new Set([...rows.map((row) => row.id), ...running.known(), ...working.keys()]))
        soon(id);
    };

    await runtime.recover();
    await onceThere(() => record.clear(), { signal, onAway: () => {} });
    await sweep();
    const unfollow = news.follow({
      onChange: soon,
      onGap: () => void lookAtAll().catch(() => {}),
    });
    try {
      while (!signal.aborted) {
        await lookAtAll().catch((error) => {
          if (!signal.aborted) log.warn({ err: error }, 'what should run could not be read; trying again');
        });
        await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      unfollow();
      await running.close(signal.reason instanceof LeaseReturned);
      await Promise.all(works);
    }
  };
}
