import type { Engine } from '../engine/engine.ts';
import type { ListedImage } from '../engine/image-calls.ts';
import type { Labels } from '../engine/labels.ts';
import type { Registry } from '../engine/registry.ts';
import { APPLICATION, PLATFORM } from '../engine/site-containers.ts';
import type { BuildName } from '../model/site-folders.ts';
import { createImageNames, type NamedImage } from './image-names.ts';
import { stageIn } from './orphaned-images.ts';

export interface ApplicationImagesParts {
  engine: Engine;
  platform: () => string;
  /** Registry to which finished images are pushed; undefined: images stay in the container engine. */
  registry: Registry | undefined;
}

/** Images of applications in the container engine, found by their names. */
export class ApplicationImages {
  readonly #engine: Engine;
  readonly #platform: () => string;
  readonly #isRegistryShared: boolean;
  readonly #names: ReturnType<typeof createImageNames>;

  constructor({ engine, platform, registry }: ApplicationImagesParts) {
    this.#engine = engine;
    this.#platform = platform;
    this.#isRegistryShared = registry !== undefined;
    this.#names = createImageNames(() => registry?.prefix ?? `simcha/${platform()}`);
  }

  repositoryOf(applicationId: string): string {
    return this.#names.repositoryOf(applicationId);
  }

  /** Name of the image that a build makes. */
  nameOf(name: BuildName): string {
    return this.#names.imageOf(name);
  }

  /** Labels of every engine object that belongs to an application. */
  labelsOf(applicationId: string): Labels {
    return { [PLATFORM]: this.#platform(), [APPLICATION]: applicationId };
  }

  /**
   * Names of an image in the engine, if this platform made the image: images of other platforms may be in the same
   * registry.
   */
  namesOf({ RepoTags, Labels, Created: created }: ListedImage): NamedImage[] {
    const owner = stageIn(Labels)?.platform ?? Labels?.[PLATFORM];
    if (this.#isRegistryShared && owner !== this.#platform()) return [];
    return (RepoTags ?? []).flatMap((name) => {
      const read = this.#names.readName(name);
      return read ? [{ name, created, ...read }] : [];
    });
  }

  async list(applicationId: string, signal: AbortSignal): Promise<NamedImage[]> {
    const images = (await this.#engine.images({}, signal)).flatMap((image) => this.namesOf(image));
    return images.filter((image) => image.applicationId === applicationId);
  }
}
