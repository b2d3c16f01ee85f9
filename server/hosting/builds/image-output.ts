import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { deriveImage } from '../engine/derived-images.ts';
import type { Engine } from '../engine/engine.ts';
import { splitImageName } from '../engine/image-calls.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import type { RegistryImages } from '../engine/registry-images.ts';
import { APP, HOME, STAGE } from '../engine/site-containers.ts';
import { placeFolders } from '../engine/volume-folders.ts';
import type { Artifact, OwnImage } from '../model/artifact.ts';
import type { DockerfilePlan, ImagePlan } from '../model/plan.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import type { ApplicationImages } from './application-images.ts';
import type { BuildContainer } from './build-container.ts';
import type { Builder, BuildOrder } from './builder.ts';
import { buildByDockerfile } from './dockerfile-image.ts';
import { pullNamedImage } from './named-image.ts';
import { stageLabel } from './orphaned-images.ts';

export interface ImageOutputParts {
  engine: Engine;
  platform: () => string;
  folders: SiteFolders;
  folderBuilder: Builder;
  images: ApplicationImages;
  /** Access to images in the registry of a cluster. */
  registryImages: RegistryImages | undefined;
  /** Closes the network of Dockerfile builds, whose network is chosen by the engine. */
  ensureBuildsClosed: (signal: AbortSignal) => Promise<void>;
  diskMb: number;
  log: Logger;
}

/** What makes an image of the application's own, by the name of the build's result. */
type MakeOwnImage = (image: string) => Promise<OwnImage>;

type ImageArtifact = Extract<Artifact, { kind: 'image' }>;

const NEVER = new AbortController().signal;

/** Output of a build for a site with processes: an image, which a runtime starts. */
export class ImageOutput {
  readonly #parts: ImageOutputParts;
  readonly #withPullLock = createKeyedLock(UNTIL_DONE_MS);

  constructor(parts: ImageOutputParts) {
    this.#parts = parts;
  }

  /** Makes an image of a container in which a build has run. */
  async commit(order: BuildOrder, container: BuildContainer, signal: AbortSignal): Promise<ImageArtifact> {
    const { engine, folderBuilder, images } = this.#parts;
    const image = images.nameOf(order);
    const labels = images.labelsOf(order.applicationId);
    const config = { Entrypoint: [], Cmd: [], WorkingDir: APP, Labels: labels };
    await engine.commit(container.name, { ...splitImageName(image), config }, signal);
    // The build's workspace is removed, because the image contains everything.
    await folderBuilder.discard(order, signal);
    return { kind: 'image', image, below: order.root, hasHome: true };
  }

  /** Lets the engine build an image from the source's Dockerfile. */
  build(order: BuildOrder, dockerfile: DockerfilePlan, signal: AbortSignal): Promise<ImageArtifact> {
    const { engine, folders, log, diskMb, ensureBuildsClosed: ensureClosed } = this.#parts;
    const parts = {
      engine,
      log,
      source: folders.source(order),
      diskMb,
      stage: this.#stageOf(order),
      ensureClosed,
    };
    return this.#ownImage(
      order,
      (image) => buildByDockerfile(order, dockerfile, { ...parts, image }, signal),
      signal,
    );
  }

  /** Lets the engine pull the image that the application names. */
  pull(order: BuildOrder, named: ImagePlan, signal: AbortSignal): Promise<ImageArtifact> {
    const { engine, log, diskMb } = this.#parts;
    const parts = { engine, log, diskMb, withPullLock: this.#withPullLock };
    return this.#ownImage(
      order,
      (image) => pullNamedImage(order, named, { ...parts, image }, signal),
      signal,
    );
  }

  async #ownImage(order: BuildOrder, make: MakeOwnImage, signal: AbortSignal): Promise<ImageArtifact> {
    const { folderBuilder, images, registryImages } = this.#parts;
    const image = images.nameOf(order);
    const own = await make(image);
    if (registryImages) await this.#addHome(order, own, signal);
    await folderBuilder.discard(order, signal);
    return { kind: 'image', image, below: '', own, ...(registryImages && { hasHome: true }) };
  }

  /** Gives a build's image the name of another application's build too. */
  async copy(artifact: ImageArtifact, to: BuildName, signal: AbortSignal): Promise<ImageArtifact> {
    const { engine, images, registryImages } = this.#parts;
    const image = images.nameOf(to);
    await registryImages?.ensure(artifact.image, signal);
    await engine.nameImage(artifact.image, image, signal);
    await registryImages?.push(image, signal);
    return { ...artifact, image };
  }

  #stageOf({ applicationId }: BuildOrder): string {
    return stageLabel({ platform: this.#parts.platform(), applicationId });
  }

  /** Pushes a build's image to the cluster's registry, if there is one. */
  async push({ buildLog }: BuildOrder, image: string, signal: AbortSignal): Promise<void> {
    const { registryImages } = this.#parts;
    if (registryImages) await buildLog.step('push', () => registryImages.push(image, signal));
  }

  /**
   * Adds the home folder of sites to an application's own image: otherwise each machine's engine would need another
   * image with that folder.
   */
  async #addHome(order: BuildOrder, { lacksCommand = false }: OwnImage, signal: AbortSignal): Promise<void> {
    const { engine, images } = this.#parts;
    const image = images.nameOf(order);
    // An image that somebody else made may have the label of stages too, with another value.
    const labels = { ...images.labelsOf(order.applicationId), [STAGE]: this.#stageOf(order) };
    const put = (container: string) =>
      placeFolders(engine, container, { folders: [HOME], isOwnImage: true }, signal);
    const derived = { image, newName: image, keepsCommand: !lacksCommand, labels };
    try {
      await deriveImage(this.#parts, derived, put, signal);
    } catch (error) {
      await engine.removeImage(image, NEVER).catch(ignoreInUse);
      throw error;
    }
  }
}
