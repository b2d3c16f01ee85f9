import type { Clock } from '../../kernel/clock.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Application, ApplicationStore } from '../applications/store.ts';
import type { Checkouts, Commit } from '../builds/checkout.ts';
import { RuntimeFailure } from '../builds/failure.ts';
import { folderInside } from '../builds/folders.ts';
import { planOf } from '../builds/plan.ts';
import { readSource } from '../builds/source.ts';
import type { Logs } from '../logs/logs.ts';
import { createRedactor } from '../logs/redaction.ts';
import { type Reason, reason, say } from '../reasons/reason.ts';
import type { Runtime, Variables } from '../runtimes/runtime.ts';
import { type DeploymentJournal, openJournal } from './journal.ts';
import { messages } from './messages.ts';
import type { Launch, RunningSites } from './running.ts';
import { checkedRepository, type SourceSettings } from './source.ts';
import { Cancelled, type DeploymentRow, type DeploymentStore, type Release } from './store.ts';

export interface PipelineParts {
  applications: ApplicationStore;
  store: DeploymentStore;
  runtime: Runtime;
  checkouts: Checkouts;
  running: RunningSites;
  logs: Logs;
  encryption: Encryption;
  clock: Clock;
  log: Logger;
  settings: SourceSettings;
  hostsOf: (application: Application) => string[];
  addressOf: (application: Application) => string;
}

/** What one deployment is worked with. */
interface Work {
  row: DeploymentRow;
  application: Application;
  variables: Variables;
  journal: DeploymentJournal;
  signal: AbortSignal;
}

/** Takes one claimed deployment to its end: source, release, instance, health, switch. */
export function createPipeline(parts: PipelineParts) {
  const { applications, store, runtime, checkouts, running, logs, encryption, clock, log } = parts;

  const sourceOf = async ({ row, application, journal, signal }: Work): Promise<Commit> =>
    journal.step('source', async () => {
      const repository = await checkedRepository(applications, row.application_uuid, parts.settings);
      journal.write(messages.log.branch(repository.branch, application.repository));
      const commit = await checkouts.fetch(row.application_uuid, repository, signal);
      journal.write(messages.log.commit(commit.hash, commit.message));
      await store.noteCommit(row.deployment_uuid, commit);
      return commit;
    });

  /** A release made of exactly the same is used again; else it is built. */
  const makeRelease = async (work: Work): Promise<Release> => {
    const { row, application, variables, journal, signal } = work;
    const commit = await sourceOf(work);
    const { root, build, start } = application;
    const address = parts.addressOf(application);
    const made = JSON.stringify([commit.hash, root, build, start, variables, address, process.version]);
    const fingerprint = encryption.fingerprint(made, `release:${row.application_uuid}`);
    const name = { applicationId: row.application_uuid, releaseId: row.deployment_uuid };

    const same = await store.sameRelease(row.application_uuid, fingerprint);
    if (same && (await runtime.has({ ...name, releaseId: same.release_id }, same.artifact))) {
      journal.write(messages.log.unchanged);
      return same;
    }
    const workspace = await runtime.workspace(name);
    await journal.step('checkout', () => checkouts.place(row.application_uuid, commit, workspace, signal));
    const plan = planOf(await readSource(await folderInside(workspace, root ?? '')), { build, start });
    const facts = { address, commit: commit.hash, deploymentId: row.deployment_uuid };
    const artifact = await runtime.build({
      ...name,
      facts,
      plan,
      root: root ?? '',
      variables,
      journal,
      signal,
    });
    const release: Release = {
      release_id: row.deployment_uuid,
      application_uuid: row.application_uuid,
      commit_hash: commit.hash,
      commit_message: commit.message,
      artifact,
    };
    await store.addRelease(release, fingerprint, clock());
    return release;
  };

  const keptRelease = async ({ row, journal }: Work): Promise<Release> => {
    const release = await store.release(row.deployment_uuid);
    const name = { applicationId: row.application_uuid, releaseId: release?.release_id ?? '' };
    if (!release || !(await runtime.has(name, release.artifact))) {
      throw new RuntimeFailure(reason('release_gone'));
    }
    journal.write(messages.log.release(release.commit_hash, release.commit_message));
    return release;
  };

  const goThrough = async (work: Work): Promise<void> => {
    const { row, application, variables, journal, signal } = work;
    const { application_uuid: applicationId, deployment_uuid: deploymentId } = row;
    const hosts = parts.hostsOf(application);
    running.announce(applicationId, hosts);
    try {
      const release = row.action === 'deploy' ? await makeRelease(work) : await keptRelease(work);
      if (row.action === 'deploy') await store.moveToStarting(row, release.release_id, clock());
      const launch: Launch = {
        applicationId,
        deploymentId,
        releaseId: release.release_id,
        commit: release.commit_hash,
        address: parts.addressOf(application),
        artifact: release.artifact,
        variables,
        hosts,
        healthPath: application.health_path,
      };
      const instance = await journal.step('start', async () => {
        const started = await running.start(launch, signal, journal);
        if (started.target.kind === 'server') journal.write(messages.log.healthy(application.health_path));
        return started;
      });
      const sealed = encryption.seal(JSON.stringify(variables), variablesContext(applicationId));
      // Whoever sees that it is live finds in its log how it came to be.
      await journal.flush();
      await running.promote(launch, instance, () => store.goLive(row, sealed, clock()));
      journal.write(messages.log.live(parts.addressOf(application)));
    } catch (error) {
      await running.withdraw(applicationId, hosts);
      throw error;
    }
  };

  /** How a deployment that did not go live ended. Throws what is to be tried again in the server's next life. */
  const endOf = (error: unknown, signal: AbortSignal) => {
    if (error instanceof Cancelled) return { status: 'cancelled' as const, reason: error.reason };
    if (signal.aborted) throw error;
    if (error instanceof RuntimeFailure) return { status: 'failed' as const, reason: error.reason };
    return undefined;
  };

  return {
    /** Rejects only when the deployment has not ended and is to be taken up again. */
    async run(row: DeploymentRow, signal: AbortSignal): Promise<void> {
      const { application_uuid: applicationId, deployment_uuid: deploymentId } = row;
      const application = await applications.find(applicationId);
      if (!application) return;
      // Open before anything can fail, so that each failure stands in it; there is nothing to hide until then.
      let hide = (line: string) => line;
      const journal = await openJournal({ logs, clock }, deploymentId, (line) => hide(line));
      let failure: { status: 'failed' | 'cancelled'; reason: Reason } | undefined;
      try {
        const variables = await applications.variables(applicationId);
        hide = createRedactor(Object.values(variables));
        journal.write(row.attempts > 1 ? messages.log.resumed : runtime.isolation);
        await goThrough({ row, application, variables, journal, signal });
      } catch (error) {
        failure = endOf(signal.reason instanceof Cancelled ? signal.reason : error, signal);
        if (!failure) {
          log.error({ err: error, deployment: deploymentId }, 'a deployment failed unexpectedly');
          failure = { status: 'failed', reason: reason('internal') };
        }
        const why = say(failure.reason, 'en');
        journal.write(failure.status === 'failed' ? messages.log.failed(why) : why);
        if (running.serves(applicationId)) journal.write(messages.log.keptServing);
      } finally {
        await journal.flush();
      }
      if (failure) await finish(row, failure.status, failure.reason);
    },
  };

  /** The application may have been deleted in between; then there is nothing to write down. */
  async function finish(row: DeploymentRow, status: 'failed' | 'cancelled', why: Reason): Promise<void> {
    await store.finish(row, status, why, clock()).catch((error) => {
      if (!(error instanceof Cancelled)) throw error;
    });
  }
}

export function variablesContext(applicationId: string): string {
  return `site variables:${applicationId}`;
}
