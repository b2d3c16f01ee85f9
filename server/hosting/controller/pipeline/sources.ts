import { createFairQueue, type FairQueue } from '../../../kernel/fair-queue.ts';
import { type AddressSettings, checkedAddress } from '../../applications/checked-address.ts';
import type { Application, ApplicationStore } from '../../applications/store.ts';
import type { Builder } from '../../builds/builder.ts';
import type { Comparison } from '../../builds/changed-files.ts';
import type { Checkouts } from '../../builds/checkout.ts';
import type { Commit } from '../../builds/commit.ts';
import type { CheckedRepository } from '../../builds/git-access.ts';
import type { ImageDescription, NamedImages } from '../../builds/named-images.ts';
import type { UploadedFolders } from '../../builds/uploaded-folders.ts';
import { planIn } from '../../detection/planning.ts';
import type { RegistryLogin } from '../../model/deployed-image.ts';
import { parseImageName } from '../../model/image-name.ts';
import type { ImagePlan, Plan } from '../../model/plan.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { reason } from '../../model/reasons/reason.ts';
import type { BuildName } from '../../model/site-folders.ts';
import type { SourceRef } from '../../model/source-ref.ts';

export type SourceSettings = AddressSettings;

export interface SourcesParts {
  applications: Pick<ApplicationStore, 'source' | 'imageSource'>;
  builder: Pick<Builder, 'workspace' | 'dockerfiles'>;
  checkouts: Pick<Checkouts, 'checkOut' | 'branches' | 'compare'>;
  uploadedFolders: Pick<UploadedFolders, 'unpack'>;
  namedImages: Pick<NamedImages, 'describe' | 'check'>;
  settings: SourceSettings;
}

/** A commit's files in a build's workspace. */
export interface CheckedOut {
  commit: Commit;
  workspace: string;
}

/** Number of build plans made at once: each has a thread, with memory of its own. */
const PLANS_AT_ONCE = 4;
const MOST_PLANS_OF_ONE = 2;

/** Sources of applications: fetched into workspaces, and planned. */
export class Sources {
  readonly #applications: SourcesParts['applications'];
  readonly #builder: SourcesParts['builder'];
  readonly #checkouts: SourcesParts['checkouts'];
  readonly #uploadedFolders: SourcesParts['uploadedFolders'];
  readonly #namedImages: SourcesParts['namedImages'];
  readonly #settings: SourceSettings;
  readonly #planning: FairQueue = createFairQueue(PLANS_AT_ONCE, { mostOfOne: MOST_PLANS_OF_ONE });

  constructor({ applications, builder, checkouts, uploadedFolders, namedImages, settings }: SourcesParts) {
    this.#applications = applications;
    this.#builder = builder;
    this.#checkouts = checkouts;
    this.#uploadedFolders = uploadedFolders;
    this.#namedImages = namedImages;
    this.#settings = settings;
  }

  /**
   * Repository of the application, checked again: the allowed protocols may have changed, and the name of its host may
   * resolve to another address than when it was set. Throws RuntimeFailure if it may not be fetched.
   */
  async repositoryOf({
    application_uuid: applicationId,
    branch,
  }: Pick<Application, 'application_uuid' | 'branch'>): Promise<CheckedRepository> {
    const source = await this.#applications.source(applicationId);
    if (!source) throw new RuntimeFailure(reason('application_gone'));
    if (source.address === null) throw new RuntimeFailure(reason('no_repository'));
    const checked = await checkedAddress(source.address, this.#settings);
    return { ...checked, branch, privateKey: source.deployKey };
  }

  /** Checks out the commit of `ref`, by default the newest of the branch, into a new workspace for the build. */
  async checkOut(
    name: BuildName,
    repository: CheckedRepository,
    options: { ref?: SourceRef; note?: (line: string) => void },
    signal: AbortSignal,
  ): Promise<CheckedOut> {
    const workspace = await this.#builder.workspace(name, signal);
    const order = { ...options, into: workspace };
    const commit = await this.#checkouts.checkOut(name.applicationId, repository, order, signal);
    return { commit, workspace };
  }

  /** Names of the branches of an application's repository. Throws RuntimeFailure. */
  async branches(name: BuildName, repository: CheckedRepository, signal: AbortSignal): Promise<string[]> {
    const workspace = await this.#builder.workspace(name, signal);
    return this.#checkouts.branches(name.applicationId, repository, workspace, signal);
  }

  /** Compares the newest commit of an application's branch with the commit `base`. Throws RuntimeFailure. */
  async compare(
    name: BuildName,
    repository: CheckedRepository,
    base: string,
    signal: AbortSignal,
  ): Promise<Comparison> {
    const into = await this.#builder.workspace(name, signal);
    return this.#checkouts.compare(name.applicationId, repository, { base, into }, signal);
  }

  /**
   * Unpacks an uploaded folder into a new workspace for the build, and returns the workspace. Throws RuntimeFailure.
   */
  async unpack(name: BuildName, uploadId: string, signal: AbortSignal): Promise<string> {
    const workspace = await this.#builder.workspace(name, signal);
    await this.#uploadedFolders.unpack(uploadId, workspace, signal);
    return workspace;
  }

  /** Asks the registry which image a name means now. Throws RuntimeFailure. */
  async describeImage(
    { application_uuid: applicationId }: Pick<Application, 'application_uuid'>,
    name: string,
    signal: AbortSignal,
  ): Promise<ImageDescription> {
    return this.#namedImages.describe(name, await this.#loginFor(applicationId, name), signal);
  }

  /**
   * Login with which an image is pulled; undefined if it needs none. Throws RuntimeFailure if the image may not be
   * pulled now.
   */
  async pullAccess(applicationId: string, { name }: ImagePlan): Promise<RegistryLogin | undefined> {
    await this.#namedImages.check(name);
    return this.#loginFor(applicationId, name);
  }

  /** Login of an application for an image, which may be that of an earlier release, at another registry. */
  async #loginFor(applicationId: string, name: string): Promise<RegistryLogin | undefined> {
    const source = await this.#applications.imageSource(applicationId);
    if (!source) throw new RuntimeFailure(reason('application_gone'));
    const registryOf = (image: string) => parseImageName(image)?.registry;
    return source.name !== null && registryOf(source.name) === registryOf(name) ? source.login : undefined;
  }

  /** Plans how to build and run the source in a workspace. */
  plan(application: Application, workspace: string, signal: AbortSignal): Promise<Plan> {
    const settings = planSettings(application);
    const options = { dockerfiles: this.#builder.dockerfiles };
    const task = { checkout: workspace, root: settings.root ?? '', settings, options };
    return this.#planning(application.owner_id, () => planIn(task), { signal });
  }
}

/** Settings of an application that decide how its source becomes a release. */
export function planSettings({ root, type, node, install, build, start, publish, spa, port }: Application) {
  return { root, type, node, install, build, start, publish, spa, port };
}
