import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { makeAbortable } from '../../kernel/abortable.ts';
import { type Clock, toTimestamp } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { waitForDatabase } from '../../kernel/database/wait-for-database.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import { createFairQueue, mostOfOneOwner, type QueuePlace } from '../../kernel/fair-queue.ts';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import { siteAddress } from '../applications/address.ts';
import type { Application, ApplicationStore } from '../applications/store.ts';
import { THREADS_OF_A_REPLICA } from '../budgets/budget.ts';
import type { Budgets } from '../budgets/store.ts';
import type { BuildLog } from '../builds/builder.ts';
import type { Checkouts } from '../builds/checkout.ts';
import { messages } from '../deployments/messages.ts';
import type { DeploymentStore } from '../deployments/store.ts';
import type { TableSync } from '../gateway/table-sync.ts';
import type { Logs } from '../logs/logs.ts';
import type { Artifact } from '../model/artifact.ts';
import type { Changes } from '../model/changes.ts';
import {
  Cancelled,
  type DeploymentRow,
  findDeletedEnvironments,
  isUnfinishedDeployment,
  type SiteRow,
} from '../model/deployment-rows.ts';
import type { Launch } from '../model/launch.ts';
import { LeaseLost } from '../model/lease-fence.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { isUnfinishedRun } from '../model/run-rows.ts';
import { slotGroupsOf } from '../model/slots.ts';
import type { Variables } from '../model/variables.ts';
import type { RunStore } from '../runs/store.ts';
import type { OpenedRuntime } from '../volumes/opened-runtime.ts';
import type { VolumeMigration } from '../volumes/volume-migration.ts';
import { isOwnFolder, sitesIdentity } from './data-folder-owner.ts';
import { createDiskBudget } from './disk-budget.ts';
import { createInstances } from './instances.ts';
import { LEASE_TIMES, unreached } from './lease.ts';
import { createPipeline, launchFrom, variablesContext } from './pipeline.ts';
import type { ServedFiles } from './records/instances.ts';
import { createRecords } from './records/records.ts';
import { createRunner } from './runner.ts';
import { Supervisors } from './supervisors.ts';

export interface ControllerParts extends Pick<OpenedRuntime, 'runtime' | 'builder'> {
  volumeMigration: Pick<VolumeMigration, 'forLease'>;
  /** Where on this machine the files of sites are. */
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
  budgets: Budgets;
  checkouts: Checkouts;
  logs: Logs;
  encryption: Encryption;
  clock: Clock;
  log: Logger;
  changes: Changes;
  tableSync: Pick<TableSync, 'switchTo' | 'removeOwnBackends'>;
}

/** Until a holder has given the lease up that does not reach what runs its sites. */
const GIVEN_UP_MS = LEASE_TIMES.awayMs + 2 * LEASE_TIMES.renewMs;
const DRAIN_MS = 30_000;
const DEPLOYMENTS_KEPT = 200;
/** Whatever is missed otherwise is seen then. */
const LOOK_MS = 10_000;
/** Between two looks at what is being deployed. */
const BUSY_LOOK_MS = 100;
/** After what is not needed any more could not be removed, such as while its engine was away. */
const SWEEP_AGAIN_MS = 60_000;
const LEFT = 'what is left of what was deleted could not be removed; trying again';
/** Deployments and plans that begin at a time, beside builds: what they do in their first seconds is what burdens the machine. */
const BEGIN_AT_ONCE = 16;
/** Of one owner at work in all, beside those that build or wait for that. */
const MOST_OF_ONE = 8;
/** A deployment or plan that takes longer waits more than it works, such as for a site’s first answer. */
const BEGINNING_MS = 5_000;

interface Whose {
  environmentId: string;
  applicationId: string;
  ownerId: string;
}

/** What is at work for an environment. */
interface Working {
  applicationId: string;
  own: AbortController;
  done: Promise<void>;
  /** Once it is known. */
  deploymentId?: string;
}

/** What the holder of the lease does: works deployments, and keeps running what should run, until the signal. */
export function createController(parts: ControllerParts) {
  const {
    config,
    db,
    applications,
    store,
    runs,
    runtime,
    builder,
    volumeMigration,
    checkouts,
    logs,
    encryption,
    clock,
    log,
    changes,
  } = parts;

  const isTogether = runtime.capabilities.has('replicas');

  const isReached = async (signal: AbortSignal): Promise<boolean> =>
    !signal.aborted && (await unreached(runtime.reach, signal)) === undefined;
  /** Resolves once what runs the sites answers, or is nobody's to wait for any more: the lease's next holder may reach it. */
  const untilReached = async (signal: AbortSignal): Promise<void> => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(GIVEN_UP_MS)]);
    while (!until.aborted && !(await isReached(until)))
      await sleep(LEASE_TIMES.renewMs, undefined, { signal: until }).catch(() => {});
  };

  /** Throws where they were sealed by another key. */
  const variablesOf = (row: SiteRow): Variables =>
    JSON.parse(encryption.open(row.variables_sealed, variablesContext(row.environment_id)));
  const launchOf = async (
    row: SiteRow,
    slot: Pick<Launch, 'process' | 'number'>,
    known?: Variables,
  ): Promise<Launch | undefined> => {
    const [application, release] = await Promise.all([
      applications.at(row.environment_id),
      store.release(row.deployment_uuid),
    ]);
    if (!application || !release) return undefined;
    const { process, number } = slot;
    const place = slotGroupsOf(row, isTogether).find(
      (one) => one.process === process && one.number === number,
    );
    const address = siteAddress(config, row.subdomain);
    const told = { address, variables: known ?? variablesOf(row) };
    return launchFrom(application, row, release, told, place ?? { process, number, replicas: 1 });
  };

  return async (generation: number, signal: AbortSignal): Promise<void> => {
    const records = createRecords(db, generation, parts.budgets);
    const moving = volumeMigration.forLease(generation);
    const beginning = createFairQueue(BEGIN_AT_ONCE, { mostOfOne: MOST_OF_ONE, roomAfterMs: BEGINNING_MS });
    const building = createFairQueue(config.appsConcurrency, {
      mostOfOne: mostOfOneOwner(config.appsConcurrency),
    });
    const instances = createInstances({
      runtime,
      bring: moving.bring,
      limits: {
        memoryMb: config.appsMemoryMb,
        processes: THREADS_OF_A_REPLICA,
        cpus: config.appsCpus,
        diskMb: config.appsDiskMb,
      },
      write: (environmentId, at, lines) => logs.write.put(environmentId, new Date(at).toISOString(), lines),
      holds: records.fence.isHeld,
      effect: records.fence.runEffect,
      log,
    });
    const atHand = async (launch: Launch, until: AbortSignal, journal: BuildLog): Promise<Artifact> => {
      const release = await store.release(launch.deploymentId);
      if (!release) throw new RuntimeFailure(reason('release_gone'));
      const name = { applicationId: launch.applicationId, buildId: release.build_id };
      if (await builder.has(name, release.artifact, until)) return release.artifact;
      const application = await applications.at(launch.environmentId);
      if (!application) throw new RuntimeFailure(reason('application_gone'));
      const { variables, address } = launch;
      const onWait = () => journal.write(messages.log.waitsForPlace);
      const inBuildPlace = <T>(make: () => Promise<T>) =>
        building(launch.ownerId, make, { signal: until, onWait });
      const how = { application, variables, address, signal: until, journal, inBuildPlace };
      return (await pipeline.atHand(release, how)).artifact;
    };
    const supervisors = new Supervisors({
      instances,
      builder,
      records,
      site: store.site,
      logs,
      log,
      clock,
      launchOf,
      healthMs: config.appsHealthSeconds * 1_000,
      silentMs: config.appsSilentSeconds * 1_000,
      drainMs: DRAIN_MS,
      ensureArtifact: atHand,
      switchTo: parts.tableSync.switchTo,
      term: signal,
    });
    const logsOfTerm = { write: logs.write.inTerm(generation), bytesOf: logs.bytesOf };
    const diskBudget = createDiskBudget(parts.budgets, builder);
    const pipeline = createPipeline({
      diskBudget,
      applications,
      store,
      records,
      builder,
      isolation: runtime.isolation,
      checkouts,
      supervisors,
      instances,
      logs: logsOfTerm,
      encryption,
      clock,
      log,
      settings: config,
      addressOf: ({ subdomain }: Application) => siteAddress(config, subdomain),
      isTogether,
      untilReached,
    });
    const runner = createRunner({
      records,
      store: runs,
      instances,
      launchOf: async (environmentId, process) => {
        const row = await store.site(environmentId);
        return row && launchOf(row, { process, number: 1 });
      },
      atHand,
      logs: logsOfTerm,
      clock,
      log,
      mostSeconds: config.appsTaskSeconds,
      tenure: signal,
    });
    /** By environment: what is being deployed, and which plans are being made. */
    const working = new Map<string, Working>();
    const planning = new Map<string, Working>();
    const works = new Set<Promise<void>>();

    /** Works the environment's newest deployment. */
    const deploy = async (
      one: Working,
      { environmentId, ownerId }: Whose,
      { outside }: QueuePlace,
    ): Promise<void> => {
      const { signal } = one.own;
      const row = signal.aborted ? undefined : await records.deployments.claim(environmentId, clock());
      if (!row) return;
      one.deploymentId = row.deployment_uuid;
      await pipeline.run(row, {
        signal,
        inBuildPlace: (make, options) => outside(() => building(ownerId, make, options)),
      });
      await prune(row);
    };
    /** Says what a deployment of the environment would do. */
    const plan = async ({ own: { signal } }: Working, { environmentId }: Whose): Promise<void> => {
      const asked = signal.aborted ? undefined : await records.deployments.findPlanRequest(environmentId);
      if (asked) await records.deployments.answerPlanRequest(asked, await pipeline.forecast(asked, signal));
    };
    const begin = (
      all: Map<string, Working>,
      whose: Whose,
      work: (one: Working, whose: Whose, place: QueuePlace) => Promise<void>,
    ): void => {
      const { environmentId, applicationId, ownerId } = whose;
      const own = new AbortController();
      const over = () => own.abort(signal.reason);
      signal.addEventListener('abort', over, { once: true });
      const one: Working = { applicationId, own, done: Promise.resolve() };
      one.done = beginning(ownerId, (place) => work(one, whose, place), { signal: own.signal })
        .catch((error) => {
          if (!(error instanceof Cancelled) && !signal.aborted)
            log.error(
              { err: error, environment: environmentId },
              'deployments could not be worked; trying again',
            );
        })
        .finally(() => {
          signal.removeEventListener('abort', over);
          all.delete(environmentId);
          works.delete(one.done);
          // What was asked for while the last one ended.
          soon(environmentId);
        });
      works.add(one.done);
      all.set(environmentId, one);
    };

    const prune = async (row: DeploymentRow): Promise<void> => {
      const { application_uuid: applicationId, environment_id: environmentId } = row;
      // What another of its environments is about to use; it comes here in its turn.
      const others = [...working].flatMap(([id, one]) => (id === environmentId ? [] : [one]));
      if ([...others, ...planning.values()].some((one) => one.applicationId === applicationId)) return;
      try {
        // Looked for first, so that what is made meanwhile is not among it.
        const there = await builder.builds(applicationId);
        const kept = await records.builds.pruneReleases(applicationId, config.appsReleasesKept);
        await builder.prune(
          applicationId,
          there.filter((id) => !kept.has(id)),
          signal,
        );
        await diskBudget.note(applicationId, signal);
        await records.deployments.prune(environmentId, DEPLOYMENTS_KEPT);
        await builder.pruneNodes(() => records.builds.findNodeVersions(), signal);
      } catch (error) {
        log.warn({ err: error }, 'what is not needed any more could not be removed');
      }
    };

    /** When what could not be removed is tried again, in milliseconds of `performance.now()`. */
    let sweepAgainAt = Number.POSITIVE_INFINITY;
    /** Removes what is kept of applications and environments that are gone by now. What can't be removed keeps nobody from going on. */
    const sweep = coalesceRuns(async (): Promise<void> => {
      const { warn, clear } = repeatedWarnings(log);
      sweepAgainAt = Number.POSITIVE_INFINITY;
      const isLeft = (about: Readonly<Record<string, string>>, error: unknown) => {
        signal.throwIfAborted();
        sweepAgainAt = performance.now() + SWEEP_AGAIN_MS;
        warn(about, LEFT, error instanceof Error ? error.message : String(error));
      };
      try {
        if (!(await isOwnFolder(parts.base, await sitesIdentity(db)))) {
          log.error(
            `what is in ${parts.base} is of sites of another database, and stays: set its DATABASE_URL, or give this one a DATA_DIR of its own`,
          );
          return;
        }
        // Looked for first, so that what is made meanwhile is not among it.
        const [run, ...others] = await Promise.all([
          runtime.retainedEnvironments(),
          builder.applications(),
          checkouts.applications(),
        ]);
        // What another server built that is no more a cluster knows by what is kept of its run.
        const kept = [...new Set([...others.flat(), ...run.map(({ applicationId }) => applicationId)])];
        const { rows } = await sql<{ id: string }>`
          select application_uuid as id from applications where application_uuid = any(${kept}::uuid[])`.execute(
          db,
        );
        const there = new Set(rows.map(({ id }) => id));
        const left = new Set<string>();
        for (const id of kept.filter((one) => !there.has(one))) {
          const about = { application: id };
          await Promise.all([builder.forget(id, signal), checkouts.forget(id, signal)]).then(
            () => clear(about, LEFT),
            (error) => {
              left.add(id);
              isLeft(about, error);
            },
          );
        }
        // By that it is found again.
        for (const one of await findDeletedEnvironments(db, await runtime.retainedEnvironments())) {
          if (left.has(one.applicationId)) continue;
          const about = { application: one.applicationId, environment: one.environmentId };
          await runtime.forget(one, signal).then(
            () => clear(about, LEFT),
            (error) => isLeft(about, error),
          );
        }
        await builder.pruneNodes(() => records.builds.findNodeVersions(), signal);
        clear({}, LEFT);
      } catch (error) {
        if (!signal.aborted) isLeft({}, error);
      }
    });

    /** Brings one environment in line with what is asked for. */
    const look = async (environmentId: string): Promise<void> => {
      const { deploymentId = null } = working.get(environmentId) ?? {};
      const { rows } = await sql<{
        owner_id: string;
        application_uuid: string;
        open: number;
        unwanted: boolean | null;
        is_over: boolean;
        is_asked: boolean;
      }>`
        select applications.owner_id, applications.application_uuid,
          count(deployments.deployment_uuid)::integer as open,
          bool_or(deployments.cancel_requested and deployments.status <> 'queued') as unwanted,
          exists (select from deployments
            where deployment_uuid = ${deploymentId} and status in ('superseded', 'cancelled')) as is_over,
          exists (select from plan_requests
            where plan_requests.environment_id = ${environmentId} and answer is null) as is_asked
        from environments join applications on applications.application_uuid = environments.application_uuid
        left join deployments
          on deployments.environment_id = environments.environment_id and deployments.status in (${isUnfinishedDeployment})
        where environments.environment_id = ${environmentId}
        group by applications.application_uuid`.execute(db);
      signal.throwIfAborted();
      const [state] = rows;
      if (!state) {
        for (const all of [working, planning])
          all.get(environmentId)?.own.abort(new Cancelled(reason('application_gone')));
        runner.forget(environmentId);
        // What can't be ended, such as for want of its engine, is found again by what is left of it.
        await supervisors.remove(environmentId).finally(sweep);
        return;
      }
      if (state.unwanted) working.get(environmentId)?.own.abort(new Cancelled(reason('cancelled')));
      // One that waits for a place to build is ended where it is asked for.
      if (state.is_over) working.get(environmentId)?.own.abort(new Cancelled(reason('superseded')));
      const whose = { environmentId, applicationId: state.application_uuid, ownerId: state.owner_id };
      if (state.open > 0 && !working.has(environmentId)) begin(working, whose, deploy);
      if (state.is_asked && !planning.has(environmentId)) begin(planning, whose, plan);
      await supervisors.of(environmentId).follow();
      await runner.look(environmentId);
    };
    const looking = new Map<string, 'once' | 'again'>();
    const soon = (environmentId: string): void => {
      if (signal.aborted) return;
      if (looking.has(environmentId)) {
        looking.set(environmentId, 'again');
        return;
      }
      looking.set(environmentId, 'once');
      // What is changed while it is deployed is mostly our own doing.
      const { done } = working.get(environmentId) ?? {};
      const pause = done && Promise.race([done, sleep(BUSY_LOOK_MS, undefined, { ref: false })]);
      void Promise.resolve(pause)
        .then(() => look(environmentId))
        .catch((error) => {
          if (!signal.aborted)
            log.warn({ err: error, environment: environmentId }, 'an environment could not be looked at');
        })
        .finally(() => {
          const again = looking.get(environmentId) === 'again';
          looking.delete(environmentId);
          if (again) soon(environmentId);
        });
    };
    const lookAtAll = async (): Promise<void> => {
      const { rows } = await sql<{ id: string }>`
        select environment_id as id from sites
        union select environment_id from deployments where status in (${isUnfinishedDeployment})
        union select environment_id from plan_requests where answer is null
        union select environment_id from runs where ${isUnfinishedRun}`.execute(db);
      for (const id of new Set([...rows.map((row) => row.id), ...supervisors.running(), ...working.keys()]))
        soon(id);
    };

    /** Goes on with what still serves what is asked for, and ends the rest. */
    const takeOver = async (): Promise<void> => {
      const ask = <T>(query: () => Promise<T>) =>
        makeAbortable(waitForDatabase(query, { signal, onAway: () => {} }), signal);
      const [found, files] = await Promise.all([
        runtime.list(),
        ask(() => records.instances.findServedFiles()).then(stillThere),
      ]);
      for (const { application_uuid: application, environment_id: environment } of await ask(() =>
        records.instances.stopWithoutRelease(clock()),
      )) {
        log.warn({ application, environment }, 'a site has no release to be started from: it is stopped');
        logs.write.put(environment, toTimestamp(clock()), [messages.log.withoutRelease]);
      }
      for (const site of await ask(() => records.instances.takeOver(found, files, clock()))) {
        const variables = readable(site);
        const since = await ask(() => lastLineAt(site.environment_id));
        for (const serving of site.serving) {
          const instance = found.find((one) => one.instance === serving.id);
          const launch = await ask(() => launchOf(site, serving, variables ?? {}));
          if (!launch) continue;
          if (!instance) {
            supervisors.of(site.environment_id).adoptFiles(serving.id, launch);
            continue;
          }
          const live = instances.adopt(instance, launch, variables && { since });
          if (live) supervisors.of(site.environment_id).adopt(launch, live);
        }
      }
      await instances.check();
    };
    /** In a cluster each gateway has files of its own; that it can't have any is seen in time. */
    const stillThere = async (files: readonly ServedFiles[]): Promise<readonly ServedFiles[]> => {
      if (runtime.cluster !== undefined) return files;
      const are = await Promise.all(files.map((one) => builder.has(one, { kind: 'files' })));
      return files.filter((_, index) => are[index]);
    };

    /** What runs needs them no more, but for hiding them in what it writes. */
    const readable = (site: SiteRow): Variables | undefined => {
      try {
        return variablesOf(site);
      } catch (error) {
        log.error(
          { err: error, application: site.application_uuid },
          'a site’s variables can’t be read: it goes on, and what it writes is not told',
        );
        return undefined;
      }
    };
    /** When the newest line of a site's log was written, in milliseconds since 1970. */
    const lastLineAt = async (environmentId: string): Promise<number | undefined> => {
      const [time = ''] = (await logs.read.newest(environmentId, 1)).split(' ', 1);
      return time === '' ? undefined : Date.parse(time);
    };

    let unfollow = () => {};
    let sweeping = Promise.resolve();
    let timing = Promise.resolve();
    try {
      await runtime.recover();
      await moving.begin();
      await Promise.all([builder.recover(), checkouts.recover(signal)]);
      await takeOver();
      instances.open();
      // Sites don't wait for it.
      sweeping = sweep();
      timing = runner.keepTime();
      unfollow = changes.follow({
        onChange: soon,
        onGap: () => void lookAtAll().catch(() => {}),
      });
      while (!signal.aborted) {
        if (performance.now() > sweepAgainAt) sweeping = sweep();
        await Promise.all([makeAbortable(lookAtAll(), signal), instances.check()]).catch(async (error) => {
          // Whose lease it is has said that nobody answers.
          if (await isReached(signal))
            log.warn({ err: error }, 'what should run could not be read; trying again');
        });
        await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      unfollow();
      // What runs in a cluster is its next holder's as it is.
      const isLost = signal.reason instanceof LeaseLost && runtime.cluster === undefined;
      // The database may be away, and this gateway's table stay as it is.
      if (isLost) parts.tableSync.removeOwnBackends();
      const how = runtime.capabilities.has('outliving') ? 'leaving' : 'gently';
      try {
        await supervisors.close(isLost ? 'at once' : how);
      } finally {
        await Promise.allSettled([...works, sweeping, timing, runner.close()]);
        instances.close();
      }
    }
  };
}
