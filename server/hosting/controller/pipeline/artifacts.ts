import type { FairQueue } from '../../../kernel/fair-queue.ts';
import { createKeyedLock, UNTIL_DONE_MS } from '../../../kernel/keyed-lock.ts';
import type { Application, ApplicationStore } from '../../applications/store.ts';
import { type Builder, type BuildLog, needsBuildSlot } from '../../builds/builder.ts';
import { messages } from '../../deployments/messages.ts';
import type { DeploymentStore } from '../../deployments/store.ts';
import type { Artifact } from '../../model/artifact.ts';
import type { Recipe, Release } from '../../model/deployment-rows.ts';
import { dockerfileRefusal } from '../../model/dockerfile-refusal.ts';
import type { Launch } from '../../model/launch.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { reason } from '../../model/reasons/reason.ts';
import type { BuildName } from '../../model/site-folders.ts';
import { type ScopedVariables, variablesFor } from '../../model/variables.ts';
import type { Records } from '../records/records.ts';
import type { Sources } from './sources.ts';

/** Everything a build needs besides its source. */
export interface BuildContext {
  application: Application;
  /** Current environment variables of the site: they may change while the build waits for its slot. */
  variables: ScopedVariables;
  /** Full address of the site. */
  address: string;
  signal: AbortSignal;
  log: BuildLog;
  /** Runs work that counts as a build, after waiting until this machine may run another build. */
  inBuildSlot: <T>(make: () => Promise<T>) => Promise<T>;
}

/** A build's name, commit, and the deployment that it is made for. */
export interface BuildTask extends BuildName {
  commit: string;
  deploymentId: string;
  /** Application whose source is built, if it is another one: that of a promoted release. */
  builtBy?: string | null;
}

export interface ArtifactsParts {
  applications: Pick<ApplicationStore, 'at'>;
  store: Pick<DeploymentStore, 'release'>;
  records: Pick<Records, 'fence' | 'builds'>;
  builder: Pick<Builder, 'has' | 'build' | 'dockerfiles'>;
  sources: Pick<Sources, 'repositoryOf' | 'checkOut' | 'unpack' | 'pullAccess'>;
  /** Queue for builds, which limits how many builds run on this machine at once. */
  buildQueue: FairQueue;
}

/**
 * Artifacts of releases: built, and built again if they are missing on this machine, for example because another
 * machine built the release.
 */
export class Artifacts {
  readonly #parts: ArtifactsParts;
  /** Lock by build id: a build's folder is used by one repetition of the build at a time. */
  readonly #withLock = createKeyedLock(UNTIL_DONE_MS);

  constructor(parts: ArtifactsParts) {
    this.#parts = parts;
  }

  /** Artifact for starting a site outside of any deployment. Throws RuntimeFailure if the artifact can't be made. */
  async ensureForLaunch(launch: Launch, signal: AbortSignal, log: BuildLog): Promise<Artifact> {
    const { applications, store, builder, buildQueue } = this.#parts;
    const release = await store.release(launch.deploymentId);
    if (!release) throw new RuntimeFailure(reason('release_gone'));
    const name = { applicationId: launch.applicationId, buildId: release.build_id };
    if (await builder.has(name, release.artifact, signal)) return release.artifact;
    const application = await applications.at(launch.environmentId);
    if (!application) throw new RuntimeFailure(reason('application_gone'));
    const { variables, address, ownerId } = launch;
    const onWait = () => log.write(messages.log.waitsForPlace);
    const inBuildSlot: BuildContext['inBuildSlot'] = (make) => buildQueue(ownerId, make, { signal, onWait });
    const context = { application, variables, address, signal, log, inBuildSlot };
    return (await this.ensure(release, context)).artifact;
  }

  /**
   * Returns the release with an artifact that exists on this machine; repeats the build if the artifact is missing
   * here.
   */
  ensure(release: Release, context: BuildContext): Promise<Release> {
    return this.#withLock(release.build_id, async () => {
      context.signal.throwIfAborted();
      const { application_uuid: applicationId, build_id: buildId } = release;
      // The build may have been repeated while this work waited for the lock. Its artifact is of another kind if the
      // runtime was changed.
      const artifact = (await this.#parts.records.builds.artifactOf(buildId)) ?? release.artifact;
      const name = { applicationId, buildId };
      if (await this.#parts.builder.has(name, artifact, context.signal)) return { ...release, artifact };
      return { ...release, artifact: await this.#rebuild(name, release, context) };
    });
  }

  /** Builds the source in the build's workspace. */
  async build(task: BuildTask, { root, plan }: Recipe, context: BuildContext): Promise<Artifact> {
    const { commit, deploymentId, builtBy, ...name } = task;
    const { application, address, log: buildLog, signal } = context;
    const variables = variablesFor('build', context.variables);
    const facts = { address, commit, deploymentId, preview: application.preview };
    const { runEffect: effect } = this.#parts.records.fence;
    const registryLogin =
      plan.image && (await this.#parts.sources.pullAccess(builtBy ?? name.applicationId, plan.image));
    const order = { ...name, facts, plan, root, variables, registryLogin, buildLog, signal, effect };
    return effect(() => this.#parts.builder.build(order));
  }

  /** Brings the source of a release into the build's workspace again. An image has none: its build pulls it. */
  async #bring(name: BuildName, release: Release, { application, signal }: BuildContext): Promise<void> {
    const { sources } = this.#parts;
    const { commit_hash, upload_id: uploadId, built_by: builtBy, recipe } = release;
    if (recipe.plan.image) return;
    if (uploadId !== null) {
      await sources.unpack(name, uploadId, signal);
      return;
    }
    const repository = await sources.repositoryOf(
      builtBy === null ? application : { application_uuid: builtBy, branch: null },
    );
    await sources.checkOut(name, repository, { ref: { type: 'commit', name: commit_hash } }, signal);
  }

  async #rebuild(name: BuildName, release: Release, context: BuildContext): Promise<Artifact> {
    const { builder, records } = this.#parts;
    const { commit_hash: commit, release_id: deploymentId, recipe } = release;
    const { log } = context;
    const { dockerfile } = recipe.plan;
    if (dockerfile && builder.dockerfiles !== 'built')
      throw new RuntimeFailure(dockerfileRefusal(builder.dockerfiles, dockerfile.file));
    log.write(messages.log.madeAgain(release));
    await log.step('source', () => this.#bring(name, release, context));
    const artifact = await inSlotIfNeeded(recipe, context, () =>
      this.build({ ...name, commit, deploymentId, builtBy: release.built_by }, recipe, context),
    );
    await records.builds.noteArtifact(name.buildId, artifact);
    return artifact;
  }
}

/** Runs work on a build, in a build slot if it runs commands of the source. */
export function inSlotIfNeeded<T>(
  { plan }: Recipe,
  { inBuildSlot }: Pick<BuildContext, 'inBuildSlot'>,
  work: () => Promise<T>,
): Promise<T> {
  return needsBuildSlot(plan) ? inBuildSlot(work) : work();
}
