import type { Encryption } from '../../../kernel/encryption.ts';
import { newId } from '../../../kernel/identifiers.ts';
import type { Builder } from '../../builds/builder.ts';
import type { Commit } from '../../builds/commit.ts';
import { messages } from '../../deployments/messages.ts';
import { describeFinding } from '../../detection/findings.ts';
import { planOfImage } from '../../detection/image-plan.ts';
import type { DeployedImage } from '../../model/deployed-image.ts';
import type { Build, Recipe, Release } from '../../model/deployment-rows.ts';
import type { ImagePlan, Plan } from '../../model/plan.ts';
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
  /** Commit, or for another source the SHA-256 of its content in place of a commit's hash. */
  commit: Commit;
  upload?: Upload;
  image?: ImagePlan;
  /** Plans how the source is built and run. */
  plan: () => Promise<Plan>;
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

  /** Brings what the deployment builds: an uploaded folder or a commit into a workspace, or an image's description. */
  #fetch(work: DeploymentWork): Promise<Source> {
    const { row, log } = work;
    // Each attempt has its own build, because an attempt that crashed may have completed its build.
    const name = { applicationId: row.application_uuid, buildId: newId() };
    const { upload, image } = row;
    return log.step('source', () => {
      if (image) return this.#resolveImage(work, name, image);
      return upload ? this.#unpack(work, name, upload) : this.#checkOut(work, name);
    });
  }

  /** Asks the registry for the digest that the image's name means now. */
  async #resolveImage(
    { application, log, signal }: DeploymentWork,
    name: BuildName,
    { name: imageName }: DeployedImage,
  ): Promise<Source> {
    log.write(messages.log.image({ name: imageName }));
    const found = await this.#parts.sources.describeImage(application, imageName, signal);
    log.write(messages.log.imageDigest(found));
    const image = { name: found.name, digest: found.digest };
    const commit = { hash: hashIn(found.digest), message: '', author: null };
    return { name, commit, image, plan: async () => planOfImage(image, found.config, application) };
  }

  async #unpack(work: DeploymentWork, name: BuildName, upload: Upload): Promise<Source> {
    const { application, log, signal } = work;
    const { sources } = this.#parts;
    log.write(messages.log.upload(upload));
    const workspace = await sources.unpack(name, upload.upload_id, signal);
    const commit = { hash: upload.sha256, message: '', author: null };
    return { name, commit, upload, plan: () => sources.plan(application, workspace, signal) };
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
    return { name, commit, plan: () => sources.plan(application, workspace, signal) };
  }

  /** Finds a release from exactly the same input as the deployment's, whose artifact still exists. */
  async #findRelease(work: DeploymentWork, source: Source): Promise<Release | undefined> {
    const { records, builder } = this.#parts;
    const { applicationId } = source.name;
    const [same] = await Promise.all([
      records.builds.findRelease(applicationId, this.#releaseFingerprint(work, source)),
      this.#noteSource(work, source),
    ]);
    if (!same) return undefined;
    const name = { applicationId, buildId: same.build_id };
    return (await builder.has(name, same.artifact, work.signal)) ? same : undefined;
  }

  /** Records which commit or image the deployment has found. An uploaded folder is known from the request on. */
  async #noteSource({ row }: DeploymentWork, { commit, upload, image }: Source): Promise<void> {
    const { deployments } = this.#parts.records;
    if (image) await deployments.noteImage(row.deployment_uuid, image);
    else if (!upload) await deployments.noteCommit(row.deployment_uuid, commit);
  }

  async #plan({ log }: DeploymentWork, source: Source): Promise<Plan> {
    const plan = await source.plan();
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
  #releaseFingerprint({ application, variables, address }: DeploymentWork, { name, commit, image }: Source) {
    // The operator may allow Dockerfiles or not, and the same source gives another release then.
    const how = [process.version, ...(this.#parts.builder.dockerfiles === 'built' ? ['dockerfiles'] : [])];
    const seen = [planSettings(application), variablesFor('build', variables), address];
    const input = JSON.stringify([commit.hash, ...seen, ...how, ...(image ? [image.name] : [])]);
    return this.#parts.encryption.fingerprint(input, `release:${name.applicationId}`);
  }
}

/** Hash in a digest such as `sha256:9f86…`. */
function hashIn(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1);
}
