import type { Encryption } from '../../../kernel/encryption.ts';
import { newId } from '../../../kernel/identifiers.ts';
import type { Builder } from '../../builds/builder.ts';
import type { Commit } from '../../builds/commit.ts';
import { messages } from '../../deployments/messages.ts';
import { describeFinding } from '../../detection/findings.ts';
import type { Build, Recipe, Release } from '../../model/deployment-rows.ts';
import type { Plan } from '../../model/plan.ts';
import type { BuildName } from '../../model/site-folders.ts';
import type { Upload } from '../../model/upload.ts';
import { variablesFor } from '../../model/variables.ts';
import type { ReadyRelease } from '../records/deployments.ts';
import type { Records } from '../records/records.ts';
import { type Artifacts, inSlotIfNeeded } from './artifacts.ts';
import type { DeploymentWork } from './deployment-work.ts';
import type { DiskBudget } from './disk-budget.ts';
import { planSettings, type Sources } from './sources.ts';

export interface ReleaseMakerParts {
  records: Pick<Records, 'deployments' | 'builds'>;
  builder: Pick<Builder, 'has' | 'dockerfiles'>;
  sources: Sources;
  artifacts: Pick<Artifacts, 'build'>;
  diskBudget: Pick<DiskBudget, 'admitBuild'>;
  encryption: Pick<Encryption, 'fingerprint'>;
}

interface Source {
  /** Name of the build that is made from the source. */
  name: BuildName;
  /** Commit, or for an uploaded folder its SHA-256 in place of a commit's hash. */
  commit: Commit;
  upload?: Upload;
  workspace: string;
}

/** Build that a release uses. If it was just made, it comes with its fingerprint, the hash of its input. */
interface MadeBuild {
  build: Pick<Release, 'build_id' | 'recipe' | 'artifact'>;
  fingerprint?: Buffer;
}

/** Makes the release of a deployment from its source. A release or build from exactly the same input is reused. */
export class ReleaseMaker {
  readonly #parts: ReleaseMakerParts;

  constructor(parts: ReleaseMakerParts) {
    this.#parts = parts;
  }

  async make(work: DeploymentWork): Promise<ReadyRelease> {
    const source = await this.#fetch(work);
    const same = await this.#findRelease(work, source);
    if (same) {
      work.log.write(messages.log.unchanged);
      return { release: same };
    }
    const plan = await this.#plan(work, source);
    const recipe = { root: work.application.root ?? '', plan: plan.build };
    // The fingerprint uses the variables of the build, which may have changed during the wait for a build slot.
    const build = async () => ({
      ...(await this.#build(work, source, recipe)),
      releaseFingerprint: this.#releaseFingerprint(work, source),
    });
    const isBuilt = await this.#findBuild(work, source, this.#buildFingerprint(work, source, recipe));
    const made = await (isBuilt ? build() : inSlotIfNeeded(recipe, work, build));
    const release: Release = {
      release_id: work.row.deployment_uuid,
      application_uuid: work.row.application_uuid,
      commit_hash: source.commit.hash,
      commit_message: source.commit.message,
      commit_author: source.commit.author,
      upload_id: source.upload?.upload_id ?? null,
      built_by: null,
      ...made.build,
      plan: plan.run,
    };
    return { release, made: { release: made.releaseFingerprint, build: made.fingerprint } };
  }

  /** Brings what the deployment builds into a workspace: an uploaded folder, or a commit. */
  #fetch(work: DeploymentWork): Promise<Source> {
    const { row, log } = work;
    // Each attempt has its own build, because an attempt that crashed may have completed its build.
    const name = { applicationId: row.application_uuid, buildId: newId() };
    const { upload } = row;
    return log.step('source', () => (upload ? this.#unpack(work, name, upload) : this.#checkOut(work, name)));
  }

  async #unpack({ log, signal }: DeploymentWork, name: BuildName, upload: Upload): Promise<Source> {
    log.write(messages.log.upload(upload));
    const workspace = await this.#parts.sources.unpack(name, upload.upload_id, signal);
    return { name, commit: { hash: upload.sha256, message: '', author: null }, upload, workspace };
  }

  /** Checks out the commit that the deployment's request names, by default the branch's newest. */
  async #checkOut({ row, application, log, signal }: DeploymentWork, name: BuildName): Promise<Source> {
    const { sources } = this.#parts;
    const repository = await sources.repositoryOf(application);
    const ref = row.requested_ref ?? undefined;
    const address = application.repository ?? '';
    log.write(ref ? messages.log.ref(ref, address) : messages.log.branch(repository.branch, address));
    const notes: string[] = [];
    const note = (line: string) => void notes.push(line);
    const { commit, workspace } = await sources.checkOut(
      name,
      repository,
      { ...(ref && { ref }), note },
      signal,
    );
    log.write(messages.log.commit(commit.hash, commit.message));
    for (const line of notes) log.write(line);
    return { name, commit, workspace };
  }

  /** Finds a release from exactly the same input as the deployment's, whose artifact still exists. */
  async #findRelease(work: DeploymentWork, source: Source): Promise<Release | undefined> {
    const { records, builder } = this.#parts;
    const { applicationId } = source.name;
    const [same] = await Promise.all([
      records.builds.findRelease(applicationId, this.#releaseFingerprint(work, source)),
      !source.upload && records.deployments.noteCommit(work.row.deployment_uuid, source.commit),
    ]);
    if (!same) return undefined;
    const name = { applicationId, buildId: same.build_id };
    return (await builder.has(name, same.artifact, work.signal)) ? same : undefined;
  }

  async #plan({ application, log, signal }: DeploymentWork, { workspace }: Source): Promise<Plan> {
    const plan = await this.#parts.sources.plan(application, workspace, signal);
    for (const finding of plan.findings) log.write(describeFinding(finding, 'en'));
    return plan;
  }

  async #build(work: DeploymentWork, source: Source, recipe: Recipe): Promise<MadeBuild> {
    const fingerprint = this.#buildFingerprint(work, source, recipe);
    const same = await this.#findBuild(work, source, fingerprint);
    if (same) {
      work.log.write(messages.log.builtAlready);
      return { build: { ...same, recipe } };
    }
    await this.#parts.diskBudget.admitBuild(work.application.owner_id, work.signal);
    const { name, commit } = source;
    const task = { ...name, commit: commit.hash, deploymentId: work.row.deployment_uuid };
    const artifact = await this.#parts.artifacts.build(task, recipe, work);
    return { build: { build_id: name.buildId, recipe, artifact }, fingerprint };
  }

  /** Finds a build from exactly the same input as the deployment's, whose artifact still exists. */
  async #findBuild(
    { signal }: DeploymentWork,
    { name: { applicationId } }: Source,
    fingerprint: Buffer,
  ): Promise<Build | undefined> {
    const { records, builder } = this.#parts;
    const same = await records.builds.findBuild(applicationId, fingerprint);
    if (!same) return undefined;
    const name = { applicationId, buildId: same.build_id };
    return (await builder.has(name, same.artifact, signal)) ? same : undefined;
  }

  /** Fingerprint of everything that a build is made from: equal fingerprints mean equal builds. */
  #buildFingerprint({ variables, address }: DeploymentWork, { name, commit }: Source, recipe: Recipe) {
    // A build without steps is the unchanged source.
    const seen = [variablesFor('build', variables), address, process.version];
    const visible = recipe.plan.steps.length > 0 ? seen : [];
    const input = JSON.stringify([commit.hash, recipe, ...visible]);
    return this.#parts.encryption.fingerprint(input, `build:${name.applicationId}`);
  }

  /** Fingerprint of everything that a release is made from: equal fingerprints mean equal releases. */
  #releaseFingerprint({ application, variables, address }: DeploymentWork, { name, commit }: Source) {
    // The operator may allow Dockerfiles or not, and the same source gives another release then.
    const how = [process.version, ...(this.#parts.builder.dockerfiles === 'built' ? ['dockerfiles'] : [])];
    const seen = [planSettings(application), variablesFor('build', variables), address];
    const input = JSON.stringify([commit.hash, ...seen, ...how]);
    return this.#parts.encryption.fingerprint(input, `release:${name.applicationId}`);
  }
}
