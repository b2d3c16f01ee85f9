import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { isUnavailable } from '../../kernel/database/database.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import { createFairQueue, type EnterOptions } from '../../kernel/fair-queue.ts';
import { newId } from '../../kernel/identifiers.ts';
import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { healthPathOf } from '../applications/fields.ts';
import type { Application, ApplicationStore } from '../applications/store.ts';
import { type Builder, type BuildLog, needsBuildSlot } from '../builds/builder.ts';
import type { Checkouts, Commit } from '../builds/checkout.ts';
import { messages } from '../deployments/messages.ts';
import type { DeploymentStore } from '../deployments/store.ts';
import { describeFinding } from '../detection/findings.ts';
import { runsByDefaultNode } from '../detection/node-version.ts';
import { type PlanningTask, planIn } from '../detection/planning.ts';
import { createRedactor } from '../logs/redaction.ts';
import type { Artifact } from '../model/artifact.ts';
import {
  type Build,
  Cancelled,
  type DeploymentRow,
  type Recipe,
  type Release,
} from '../model/deployment-rows.ts';
import type { Forecast, PlanRequest } from '../model/forecast.ts';
import type { Launch } from '../model/launch.ts';
import { LeaseLost } from '../model/lease-fence.ts';
import { type Plan, WEB } from '../model/plan.ts';
import { createQuote } from '../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason, type Reason, reason } from '../model/reasons/reason.ts';
import { shortageOf } from '../model/reasons/shortage.ts';
import type { BuildName } from '../model/site-folders.ts';
import { type SlotGroup, slotGroupsOf, slotsOf } from '../model/slots.ts';
import type { Variables } from '../model/variables.ts';
import { type DeploymentLog, type LogsOfTerm, openDeploymentLog } from './deployment-log.ts';
import type { DiskBudget } from './disk-budget.ts';
import type { Instances } from './instances.ts';
import type { ReadyRelease } from './records/deployments.ts';
import type { Records } from './records/records.ts';
import { checkedRepository, type SourceSettings } from './source.ts';
import type { Supervisors } from './supervisors.ts';

export interface PipelineParts {
  applications: ApplicationStore;
  store: Pick<DeploymentStore, 'release'>;
  records: Pick<Records, 'fence' | 'deployments' | 'builds'>;
  builder: Builder;
  diskBudget: Pick<DiskBudget, 'admitBuild'>;
  /** What keeps sites and builds apart, for the log. */
  isolation: string;
  checkouts: Checkouts;
  supervisors: Supervisors;
  instances: Pick<Instances, 'run'>;
  logs: LogsOfTerm;
  encryption: Encryption;
  clock: Clock;
  log: Logger;
  settings: SourceSettings & Pick<Config, 'appsTaskSeconds'>;
  addressOf: (application: Application) => string;
  /** All of a process are started as one. */
  isTogether: boolean;
  /** Where nobody answers who runs the sites, waits until somebody does, or the signal: then it is another server's to go on. */
  untilReached: (signal: AbortSignal) => Promise<void>;
}

/** Each has a thread of its own, with memory of its own. */
const PLANS_AT_ONCE = 4;
const MOST_PLANS_OF_ONE = 2;

/** Runs `make` with a place for builds, which it may have to wait for. */
type InBuildPlace = <T>(make: () => Promise<T>, options: EnterOptions) => Promise<T>;

/** What one deployment is worked with. */
interface Work {
  row: DeploymentRow;
  application: Application;
  /** As they were when it began, or when it had waited for a place to build. */
  variables: Variables;
  /** The full one of the site. */
  address: string;
  journal: DeploymentLog;
  signal: AbortSignal;
  inBuildPlace: <T>(make: () => Promise<T>) => Promise<T>;
}

/** What a build is made with, beside its source. */
type Making = Pick<Work, 'application' | 'variables' | 'address' | 'signal' | 'inBuildPlace'> & {
  journal: BuildLog;
};

interface Source {
  /** Of the build that is made of it. */
  name: BuildName;
  commit: Commit;
}

/** Takes one claimed deployment to its end: source, release, instance, health, switch. */
export function createPipeline(parts: PipelineParts) {
  const { applications, store, records, builder, checkouts, supervisors, logs, encryption, clock, log } =
    parts;
  const planning = createFairQueue(PLANS_AT_ONCE, { mostOfOne: MOST_PLANS_OF_ONE });
  const planOf = (
    { owner_id: ownerId }: Application,
    task: Omit<PlanningTask, 'options'>,
    signal: AbortSignal,
  ): Promise<Plan> =>
    planning(ownerId, () => planIn({ ...task, options: { dockerfiles: builder.dockerfiles } }), { signal });

  /** Its files in a new folder of that name. */
  const sourceOf = async (
    name: BuildName,
    { application, journal, signal }: Work,
  ): Promise<{ commit: Commit; workspace: string }> =>
    journal.step('source', async () => {
      const repository = await checkedRepository(applications, application, parts.settings);
      journal.write(messages.log.branch(repository.branch, application.repository));
      const workspace = await builder.workspace(name, signal);
      const notes: string[] = [];
      const where = { into: workspace, note: (line: string) => void notes.push(line) };
      const commit = await checkouts.checkOut(name.applicationId, repository, where, signal);
      journal.write(messages.log.commit(commit.hash, commit.message));
      for (const note of notes) journal.write(note);
      return { commit, workspace };
    });

  const make = (
    { commit, deploymentId, ...name }: BuildName & { commit: string; deploymentId: string },
    { root, plan }: Recipe,
    { application, variables, address, journal, signal }: Making,
  ): Promise<Artifact> => {
    const { preview } = application;
    const facts = { address, commit, deploymentId, preview };
    const { runEffect: effect } = records.fence;
    return effect(() =>
      builder.build({ ...name, facts, plan, root, variables, buildLog: journal, signal, effect }),
    );
  };

  /** The release, its build made again where this machine has not got it: the one it was made on may be gone. */
  const atHand = (release: Release, how: Making): Promise<Release> =>
    withLock(release.build_id, () => atHandInTurn(release, how));
  /** Two who made it at once would make it in one folder. */
  const withLock = createKeyedLock(UNTIL_DONE_MS);
  const atHandInTurn = async (release: Release, how: Making): Promise<Release> => {
    how.signal.throwIfAborted();
    const { application_uuid: applicationId, build_id: buildId, commit_hash: commit } = release;
    const name = { applicationId, buildId };
    // Whoever had the turn before may have made it, as another thing where sites run otherwise by now.
    const artifact = (await records.builds.artifactOf(buildId)) ?? release.artifact;
    if (await builder.has(name, artifact, how.signal)) return { ...release, artifact };
    const { dockerfile } = release.recipe.plan;
    if (dockerfile && !builder.dockerfiles)
      throw new RuntimeFailure(reason('dockerfile_only', { file: dockerfile.file }));
    how.journal.write(messages.log.madeAgain(commit));
    const repository = await checkedRepository(applications, how.application, parts.settings);
    await how.journal.step('source', async () => {
      const into = await builder.workspace(name, how.signal);
      await checkouts.checkOut(applicationId, repository, { hash: commit, into }, how.signal);
    });
    const made = { ...name, commit, deploymentId: release.release_id };
    const madeNow = await placed(release.recipe, how, () => make(made, release.recipe, how));
    await records.builds.noteArtifact(buildId, madeNow);
    return { ...release, artifact: madeNow };
  };

  /** What runs commands of the source's has a place for builds. */
  const placed = <T>(
    { plan }: Recipe,
    { inBuildPlace }: Pick<Making, 'inBuildPlace'>,
    work: () => Promise<T>,
  ): Promise<T> => (needsBuildSlot(plan) ? inBuildPlace(work) : work());

  /** By what a build is known that is made of exactly the same. */
  const buildFingerprint = ({ variables, address }: Work, { name, commit }: Source, recipe: Recipe) => {
    // Without steps it is the source as it is.
    const told = recipe.plan.steps.length > 0 ? [variables, address, process.version] : [];
    const made = JSON.stringify([commit.hash, recipe, ...told]);
    return encryption.fingerprint(made, `build:${name.applicationId}`);
  };
  /** The same of a release. */
  const releaseFingerprint = ({ application, variables, address }: Work, { name, commit }: Source) => {
    // Where Dockerfiles are built by, the same source may become another site.
    const how = [process.version, ...(builder.dockerfiles ? ['dockerfiles'] : [])];
    const made = JSON.stringify([commit.hash, settingsOf(application), variables, address, ...how]);
    return encryption.fingerprint(made, `release:${name.applicationId}`);
  };

  /** A build made of exactly the same, where it is still there. */
  const sameBuild = async (
    { signal }: Work,
    { name: { applicationId } }: Source,
    fingerprint: Buffer,
  ): Promise<Build | undefined> => {
    const same = await records.builds.findBuild(applicationId, fingerprint);
    if (!same) return undefined;
    const isThere = await builder.has({ applicationId, buildId: same.build_id }, same.artifact, signal);
    return isThere ? same : undefined;
  };

  /** A build made of exactly the same is used again; else it is made. */
  const makeBuild = async (
    work: Work,
    source: Source,
    recipe: Recipe,
  ): Promise<{ build: Pick<Release, 'build_id' | 'recipe' | 'artifact'>; made?: Buffer }> => {
    const fingerprint = buildFingerprint(work, source, recipe);
    const same = await sameBuild(work, source, fingerprint);
    if (same) {
      work.journal.write(messages.log.builtAlready);
      return { build: { ...same, recipe } };
    }
    await parts.diskBudget.admitBuild(work.application.owner_id, work.signal);
    const deploymentId = work.row.deployment_uuid;
    const artifact = await make({ ...source.name, commit: source.commit.hash, deploymentId }, recipe, work);
    return { build: { build_id: source.name.buildId, recipe, artifact }, made: fingerprint };
  };

  /** A release made of exactly the same is used again; else it is made. */
  const makeRelease = async (work: Work): Promise<ReadyRelease> => {
    const { row, application, journal, signal } = work;
    const { application_uuid: applicationId, deployment_uuid: id } = row;
    // Another each time: one that a crash interrupted may have made its build already.
    const name = { applicationId, buildId: newId() };
    const { commit, workspace } = await sourceOf(name, work);
    const source = { name, commit };
    const [same] = await Promise.all([
      records.builds.findRelease(applicationId, releaseFingerprint(work, source)),
      records.deployments.noteCommit(id, commit),
    ]);
    if (same && (await builder.has({ applicationId, buildId: same.build_id }, same.artifact, signal))) {
      journal.write(messages.log.unchanged);
      return { release: same };
    }
    const settings = settingsOf(application);
    const root = settings.root ?? '';
    const plan = await planOf(application, { checkout: workspace, root, settings }, signal);
    for (const finding of plan.findings) journal.write(describeFinding(finding, 'en'));
    const recipe = { root, plan: plan.build };
    // Variables may have changed while it waited for its place: fingerprints are made of those of the build.
    const build = async () => ({
      ...(await makeBuild(work, source, recipe)),
      release: releaseFingerprint(work, source),
    });
    const isBuilt = await sameBuild(work, source, buildFingerprint(work, source, recipe));
    const made = await (isBuilt ? build() : placed(recipe, work, build));
    const release: Release = {
      release_id: id,
      application_uuid: applicationId,
      commit_hash: commit.hash,
      commit_message: commit.message,
      ...made.build,
      plan: plan.run,
    };
    return { release, made: { release: made.release, build: made.made } };
  };

  /** While it has to wait for a place to build, a newer one may supersede it, as before it began. */
  const queued = async <T>(
    {
      row,
      journal,
      signal,
      inBuildPlace,
    }: Pick<Work, 'row' | 'journal' | 'signal'> & {
      inBuildPlace: InBuildPlace;
    },
    make: (hasWaited: boolean) => Promise<T>,
  ): Promise<T> => {
    const ended = new AbortController();
    let waiting: Promise<void> | undefined;
    let since = 0;
    const onWait = () => {
      since = performance.now();
      journal.write(messages.log.waitsForPlace);
      waiting = journal.flush().then(() => records.deployments.returnToQueue(row, clock()));
      waiting.catch((error) => ended.abort(error));
    };
    const once = async () => {
      if (!waiting) return make(false);
      await waiting;
      await records.deployments.leaveQueue(row, clock());
      journal.write(messages.log.hasPlace(((performance.now() - since) / 1_000).toFixed(1)));
      return make(true);
    };
    return inBuildPlace(once, { signal: AbortSignal.any([signal, ended.signal]), onWait });
  };

  const keptRelease = async (work: Work): Promise<Release> => {
    const release = await store.release(work.row.deployment_uuid);
    if (!release) throw new RuntimeFailure(reason('release_gone'));
    work.journal.write(messages.log.release(release.commit_hash, release.commit_message));
    return atHand(release, work);
  };

  /** The release's own command, before anything of it serves: once for each deployment, unless a kill comes in its midst. */
  const runRelease = async ({ row, application, ...work }: Work, release: Release): Promise<void> => {
    const { release: command } = release.plan;
    if (command === undefined) return;
    const { journal, signal } = work;
    await journal.step('release', async () => {
      const place = { process: 'release', number: 1, replicas: 1 };
      const launch = launchFrom(application, row, release, work, place);
      const seconds = parts.settings.appsTaskSeconds;
      const task = { command, seconds };
      const quote = createQuote(journal);
      const options = { output: quote.add, signal };
      const { succeeded, how } = await parts.instances.run(newId(), launch, task, options);
      signal.throwIfAborted();
      if (!succeeded) throw new RuntimeFailure(reason('release_failed', { command, how, ...quote.params() }));
    });
    await records.deployments.noteReleased(row);
  };

  const goThrough = async (work: Work): Promise<void> => {
    const { row, application, address, journal } = work;
    const ready = row.action === 'deploy' ? await makeRelease(work) : { release: await keptRelease(work) };
    const { release } = ready;
    const { variables } = work;
    if (row.action === 'deploy') await records.deployments.moveToStarting(row, ready, clock());
    const { processes: asked } = application;
    const launchAt = (place: SlotGroup) =>
      launchFrom(application, row, release, { address, variables }, place);
    // Of those that take requests there may be none.
    const launches = slotGroupsOf({ plan: release.plan, requested: asked, state: 'live' }, parts.isTogether)
      .filter(({ process }) => process === WEB)
      .map(launchAt);
    const site = launchAt({ process: WEB, number: 1, replicas: 1 });
    if (row.action === 'deploy' && !row.released) await runRelease(work, release);
    const comeBack = await pauseForVolumes(work, site);
    try {
      await switchTo(work, site, launches);
    } catch (error) {
      const hasEnded = error instanceof RuntimeFailure && error.reason.code === 'ended_before_healthy';
      if (hasEnded && runsByDefaultNode(release.recipe.plan)) journal.write(messages.log.defaultNode);
      throw error;
    } finally {
      await comeBack?.();
    }
    journal.write(messages.log.live(address));
    journal.end();
  };

  /** Two versions at once would write to the same volumes: the one before ends first, and comes back where the new one does not come up. */
  const pauseForVolumes = async (
    { row, journal }: Work,
    { artifact, volumes }: Launch,
  ): Promise<(() => Promise<void>) | undefined> => {
    if (artifact.kind === 'files' || volumes.length === 0) return undefined;
    const supervisor = supervisors.of(row.environment_id);
    if (supervisor.isRunning) journal.write(messages.log.stopFirst(volumes.map(({ name }) => name)));
    // What is not even on its way back is not to begin beside it either.
    await supervisor.pause();
    return () => supervisor.resume();
  };

  const switchTo = async (
    { row, variables, journal, signal }: Work,
    site: Launch,
    launches: readonly Launch[],
  ): Promise<void> => {
    const supervisor = supervisors.of(row.environment_id);
    const started = await journal.step('start', async () => {
      const all = await supervisor.startAll(launches, signal, journal);
      if (all.some(({ targets }) => targets.some(({ kind }) => kind === 'server'))) {
        journal.write(messages.log.healthy(site.healthPath));
      }
      return all;
    });
    const ids = started.map(({ id }) => id);
    const sealed = encryption.seal(JSON.stringify(variables), variablesContext(row.environment_id));
    // Whoever sees that it is live finds in its log how it came to be.
    await journal.flush();
    await supervisor.promote(site, { launches, started }, () =>
      records.deployments.goLive(row, ids, sealed, clock()),
    );
  };

  /** How a deployment that did not go live ended. Throws what is to be tried again: in the next tenure, or once the database is back. */
  const endOf = (error: unknown, signal: AbortSignal) => {
    if (error instanceof Cancelled) return { status: 'cancelled' as const, reason: error.reason };
    if (signal.aborted || isUnavailable(error) || error instanceof LeaseLost) throw error;
    if (error instanceof RuntimeFailure) return { status: 'failed' as const, reason: error.reason };
    const shortage = shortageOf(error);
    return shortage && { status: 'failed' as const, reason: shortage };
  };

  return {
    atHand,

    /** What a deployment would do now. Rejects only where it is to be asked again. */
    async forecast(
      { plan_id: id, application_uuid: applicationId, environment_id }: PlanRequest,
      signal: AbortSignal,
    ): Promise<Forecast> {
      const name = { applicationId, buildId: id };
      const found: Forecast = { root: '' };
      try {
        const application = await applications.at(environment_id);
        if (!application) throw new RuntimeFailure(reason('application_gone'));
        const settings = settingsOf(application);
        found.root = settings.root ?? '';
        const repository = await checkedRepository(applications, application, parts.settings);
        const workspace = await builder.workspace(name, signal);
        found.commit = await checkouts.checkOut(applicationId, repository, { into: workspace }, signal);
        const task = { checkout: workspace, root: found.root, settings };
        found.plan = await planOf(application, task, signal);
      } catch (error) {
        const end = endOf(error, signal);
        if (!end) log.error({ err: error, application: applicationId }, 'a plan could not be made');
        found.reason = end?.reason ?? reason('internal');
      } finally {
        await builder.discard(name, signal);
      }
      return found;
    },

    /** Rejects only when the deployment has not ended and is to be taken up again. */
    async run(
      row: DeploymentRow,
      { signal, inBuildPlace }: { signal: AbortSignal; inBuildPlace: InBuildPlace },
    ): Promise<void> {
      const { environment_id: environmentId, deployment_uuid: deploymentId } = row;
      const application = await applications.at(environmentId);
      if (!application) return;
      // Queued, and what it was claimed as: nobody was at it before.
      const isFirst = row.history.length === 2;
      // Open before anything can fail, so that each failure stands in it; there is nothing to hide until then.
      let hide = (line: string) => line;
      const journal = await openDeploymentLog({ logs, clock }, deploymentId, (line) => hide(line), {
        signal,
        isNew: isFirst,
      });
      let failure: { status: 'failed' | 'cancelled'; reason: Reason } | undefined;
      try {
        const readVariables = async (): Promise<Variables> => {
          const variables = await applications.variablesInForce(environmentId);
          hide = createRedactor(Object.values(variables));
          return variables;
        };
        const variables = await readVariables();
        journal.write(isFirst ? parts.isolation : messages.log.resumed);
        const address = parts.addressOf(application);
        const work: Work = {
          row,
          application,
          variables,
          address,
          journal,
          signal,
          inBuildPlace: (make) =>
            queued({ row, journal, signal, inBuildPlace }, async (hasWaited) => {
              if (hasWaited) work.variables = await readVariables();
              return make();
            }),
        };
        await goThrough(work);
      } catch (error) {
        await parts.untilReached(signal);
        failure = endOf(signal.reason instanceof Cancelled ? signal.reason : error, signal);
        if (!failure) {
          log.error({ err: error, deployment: deploymentId }, 'a deployment failed unexpectedly');
          failure = { status: 'failed', reason: reason('internal') };
        }
        const why = describeReason(failure.reason, 'en');
        journal.write(failure.status === 'failed' ? messages.log.failed(why) : why);
        if (supervisors.of(row.environment_id).isServing) journal.write(messages.log.keptServing);
      } finally {
        await journal.flush();
      }
      if (failure) await finish(row, failure.status, failure.reason);
    },
  };

  /** The application may have been deleted in between; then there is nothing to write down. */
  async function finish(row: DeploymentRow, status: 'failed' | 'cancelled', why: Reason): Promise<void> {
    await records.deployments.finish(row, status, why, clock()).catch((error) => {
      if (!(error instanceof Cancelled)) throw error;
    });
  }
}

/** What of an application decides what a release is. */
function settingsOf({ root, type, node, install, build, start, publish, spa, port }: Application) {
  return { root, type, node, install, build, start, publish, spa, port };
}

/** What a process of a deployment's release is started from. */
export function launchFrom(
  application: Application,
  { environment_id, deployment_uuid }: Pick<DeploymentRow, 'environment_id' | 'deployment_uuid'>,
  { release_id, build_id, commit_hash, artifact, plan }: Release,
  { address, variables }: Pick<Launch, 'address' | 'variables'>,
  place: SlotGroup,
): Launch {
  const { processes: asked } = application;
  return {
    ownerId: application.owner_id,
    environmentId: environment_id,
    applicationId: application.application_uuid,
    deploymentId: deployment_uuid,
    releaseId: release_id,
    buildId: build_id,
    commit: commit_hash,
    preview: application.preview,
    address,
    artifact,
    plan,
    ...place,
    isOneOfSeveral: slotsOf({ plan, requested: asked, state: 'live' }).length > 1,
    variables,
    healthPath: healthPathOf(application, plan),
    volumes: application.volumes,
    sticky: application.sticky,
  };
}

export function variablesContext(environmentId: string): string {
  return `site variables:${environmentId}`;
}
