import type { Clock } from '../../kernel/clock.ts';
import { isUnavailable } from '../../kernel/database/database.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import { isFullDisk } from '../../kernel/full-disk.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Application, ApplicationStore } from '../applications/store.ts';
import type { Artifact, Builder, Journal } from '../builds/builder.ts';
import type { Checkouts, Commit } from '../builds/checkout.ts';
import { folderInside } from '../builds/folders.ts';
import { planOf } from '../builds/plan.ts';
import type { ReleaseName } from '../builds/site-folders.ts';
import { readSource } from '../builds/source.ts';
import type { Launch } from '../fleet/instances.ts';
import type { Record } from '../fleet/record.ts';
import type { RunningSites } from '../fleet/running.ts';
import type { Logs } from '../logs/logs.ts';
import { createRedactor } from '../logs/redaction.ts';
import { RuntimeFailure } from '../reasons/failure.ts';
import { type Reason, reason, say } from '../reasons/reason.ts';
import type { Variables } from '../walls/confined.ts';
import { type DeploymentJournal, openJournal } from './journal.ts';
import { messages } from './messages.ts';
import { Cancelled, type DeploymentRow, type Recipe, type Release, WEB } from './rows.ts';
import { checkedRepository, type SourceSettings } from './source.ts';
import type { DeploymentStore } from './store.ts';

export interface PipelineParts {
  applications: ApplicationStore;
  store: Pick<DeploymentStore, 'release'>;
  record: Record;
  builder: Builder;
  /** What keeps sites and builds apart, for the log. */
  isolation: string;
  checkouts: Checkouts;
  running: RunningSites;
  logs: Logs;
  encryption: Encryption;
  clock: Clock;
  log: Logger;
  settings: SourceSettings;
  addressOf: (application: Application) => string;
}

/** What one deployment is worked with. */
interface Work {
  row: DeploymentRow;
  application: Application;
  variables: Variables;
  /** The full one of the site. */
  address: string;
  journal: DeploymentJournal;
  signal: AbortSignal;
  /** Told once it is made and comes up. */
  onStart: () => void;
}

/** What a release is made with, beside its source. */
type Making = Pick<Work, 'variables' | 'address' | 'signal'> & { journal: Journal };

/** Takes one claimed deployment to its end: source, release, instance, health, switch. */
export function createPipeline(parts: PipelineParts) {
  const { applications, store, record, builder, checkouts, running, logs, encryption, clock, log } = parts;

  const sourceOf = async ({ row, application, journal, signal }: Work): Promise<Commit> =>
    journal.step('source', async () => {
      const repository = await checkedRepository(applications, row.application_uuid, parts.settings);
      journal.write(messages.log.branch(repository.branch, application.repository));
      const commit = await checkouts.fetch(row.application_uuid, repository, signal);
      journal.write(messages.log.commit(commit.hash, commit.message));
      await record.noteCommit(row.deployment_uuid, commit);
      return commit;
    });

  const make = async (
    name: ReleaseName,
    commit: Commit,
    { root, build, start }: Recipe,
    { variables, address, journal, signal }: Making,
  ): Promise<Artifact> => {
    const workspace = await builder.workspace(name, signal);
    await journal.step('checkout', () => checkouts.place(name.applicationId, commit, workspace, signal));
    const source = await readSource(await folderInside(workspace, root ?? ''));
    const plan = planOf(source, { build, start });
    const facts = { address, commit: commit.hash, deploymentId: name.releaseId };
    return builder.build({ ...name, facts, plan, root: root ?? '', variables, journal, signal });
  };

  /** The release, made again where this machine has not got it: the one it was made on may be gone. */
  const atHand = async (release: Release, how: Making): Promise<Release> => {
    const { application_uuid: applicationId, release_id: releaseId, commit_hash: hash } = release;
    const name = { applicationId, releaseId };
    if (await builder.has(name, release.artifact)) return release;
    how.journal.write(messages.log.madeAgain(hash));
    const repository = await checkedRepository(applications, applicationId, parts.settings);
    await checkouts.fetchAgain(applicationId, repository, hash, how.signal);
    const artifact = await make(name, { hash, message: release.commit_message }, release.recipe, how);
    await record.madeAgain(releaseId, artifact);
    return { ...release, artifact };
  };

  /** A release made of exactly the same is used again; else it is built. */
  const makeRelease = async (work: Work): Promise<Release> => {
    const { row, application, variables, journal } = work;
    const commit = await sourceOf(work);
    const { root, build, start } = application;
    const address = parts.addressOf(application);
    const made = JSON.stringify([commit.hash, root, build, start, variables, address, process.version]);
    const fingerprint = encryption.fingerprint(made, `release:${row.application_uuid}`);
    const name = { applicationId: row.application_uuid, releaseId: row.deployment_uuid };

    const same = await record.sameRelease(row.application_uuid, fingerprint);
    if (same && (await builder.has({ ...name, releaseId: same.release_id }, same.artifact))) {
      journal.write(messages.log.unchanged);
      return same;
    }
    const recipe = { root, build, start };
    const artifact = await make(name, commit, recipe, work);
    const release: Release = {
      release_id: row.deployment_uuid,
      application_uuid: row.application_uuid,
      commit_hash: commit.hash,
      commit_message: commit.message,
      artifact,
      recipe,
    };
    await record.addRelease(release, fingerprint, clock());
    return release;
  };

  const keptRelease = async (work: Work): Promise<Release> => {
    const release = await store.release(work.row.deployment_uuid);
    if (!release) throw new RuntimeFailure(reason('release_gone'));
    work.journal.write(messages.log.release(release.commit_hash, release.commit_message));
    return atHand(release, work);
  };

  const goThrough = async (work: Work): Promise<void> => {
    const { row, application, variables, address, journal, signal, onStart } = work;
    const release = row.action === 'deploy' ? await makeRelease(work) : await keptRelease(work);
    if (row.action === 'deploy') await record.moveToStarting(row, release.release_id, clock());
    const launch = launchFrom(application, row, release, { address, variables });
    onStart();
    const started = await journal.step('start', async () => {
      const one = await running.start(launch, signal, journal);
      if (one.target.kind === 'server') {
        journal.write(messages.log.healthy(application.health_path));
      }
      return one;
    });
    const sealed = encryption.seal(JSON.stringify(variables), variablesContext(row.environment_id));
    // Whoever sees that it is live finds in its log how it came to be.
    await journal.flush();
    await running.promote(launch, started, () => record.goLive(row, started.id, sealed, clock()));
    journal.write(messages.log.live(address));
    logs.write.end(row.deployment_uuid);
  };

  /** How a deployment that did not go live ended. Throws what is to be tried again: in the next tenure, or once the database is back. */
  const endOf = (error: unknown, signal: AbortSignal) => {
    if (error instanceof Cancelled) return { status: 'cancelled' as const, reason: error.reason };
    if (signal.aborted || isUnavailable(error)) throw error;
    if (error instanceof RuntimeFailure) return { status: 'failed' as const, reason: error.reason };
    if (isFullDisk(error)) return { status: 'failed' as const, reason: reason('no_room') };
    return undefined;
  };

  return {
    atHand,

    /** Rejects only when the deployment has not ended and is to be taken up again. */
    async run(row: DeploymentRow, { signal, onStart }: Pick<Work, 'signal' | 'onStart'>): Promise<void> {
      const { application_uuid: applicationId, deployment_uuid: deploymentId } = row;
      const application = await applications.find(applicationId);
      if (!application) return;
      // Open before anything can fail, so that each failure stands in it; there is nothing to hide until then.
      let hide = (line: string) => line;
      const journal = await openJournal({ logs, clock }, deploymentId, (line) => hide(line), signal);
      let failure: { status: 'failed' | 'cancelled'; reason: Reason } | undefined;
      try {
        const variables = await applications.variables(row.environment_id);
        hide = createRedactor(Object.values(variables));
        journal.write(row.attempts > 1 ? messages.log.resumed : parts.isolation);
        const address = parts.addressOf(application);
        await goThrough({ row, application, variables, address, journal, signal, onStart });
      } catch (error) {
        failure = endOf(signal.reason instanceof Cancelled ? signal.reason : error, signal);
        if (!failure) {
          log.error({ err: error, deployment: deploymentId }, 'a deployment failed unexpectedly');
          failure = { status: 'failed', reason: reason('internal') };
        }
        const why = say(failure.reason, 'en');
        journal.write(failure.status === 'failed' ? messages.log.failed(why) : why);
        if (running.serves(row.environment_id)) journal.write(messages.log.keptServing);
      } finally {
        await journal.flush();
      }
      if (failure) await finish(row, failure.status, failure.reason);
    },
  };

  /** The application may have been deleted in between; then there is nothing to write down. */
  async function finish(row: DeploymentRow, status: 'failed' | 'cancelled', why: Reason): Promise<void> {
    await record.finish(row, status, why, clock()).catch((error) => {
      if (!(error instanceof Cancelled)) throw error;
    });
  }
}

/** What an instance of a deployment's release is started from. */
export function launchFrom(
  application: Application,
  { environment_id, deployment_uuid }: Pick<DeploymentRow, 'environment_id' | 'deployment_uuid'>,
  { release_id, commit_hash, artifact }: Release,
  { address, variables }: Pick<Launch, 'address' | 'variables'>,
): Launch {
  return {
    ownerId: application.owner_id,
    environmentId: environment_id,
    applicationId: application.application_uuid,
    deploymentId: deployment_uuid,
    releaseId: release_id,
    commit: commit_hash,
    address,
    artifact,
    process: WEB,
    replicas: application.processes[WEB] ?? 1,
    variables,
    healthPath: application.health_path,
  };
}

export function variablesContext(environmentId: string): string {
  return `site variables:${environmentId}`;
}
