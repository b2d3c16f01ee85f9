import { isUuid } from '../../kernel/identifiers.ts';
import type { Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/errors.ts';
import type { ListedImage } from '../engine/image-calls.ts';
import { ignoreInUse, retryWhileInUse } from '../engine/in-use.ts';
import type { Labels } from '../engine/labels.ts';
import { APPLICATION, KIND, PLATFORM, removeRetained, STAGE } from '../engine/site-containers.ts';
import type { NamedImage } from './image-names.ts';

// Orphaned images: everything that builds have left in an engine, by any server and with any result. That includes
// images with or without names, and the resources that builds share.

export interface OrphanedImagesParts {
  engine: Engine;
  platform: () => string;
  /** Names of an image, each with the application that it belongs to. */
  namesOf: (image: ListedImage) => readonly NamedImage[];
}

export interface Stage {
  platform: string;
  applicationId: string;
}

export function createOrphanedImages({ engine, platform, namesOf }: OrphanedImagesParts) {
  const platformLabels = () => ({ [PLATFORM]: platform(), ...BUILD_LABELS });
  const applicationIn = (labels: Labels) => labels[PLATFORM] === platform() && labels[APPLICATION];

  /**
   * Applications of an image: a promoted release's image has names of several. A Dockerfile can set labels, but neither
   * names nor the label that the build adds.
   */
  const applicationsOf = (image: ListedImage): string[] => {
    const names = namesOf(image);
    if (names.length > 0) return names.map(({ applicationId }) => applicationId);
    if (!hasNoName(image.RepoTags)) return [];
    const stage = stageIn(image.Labels);
    const applicationId = stage
      ? stage.platform === platform() && stage.applicationId
      : applicationIn(image.Labels ?? {});
    return applicationId && isUuid(applicationId) ? [applicationId] : [];
  };

  return {
    /** Applications that have images or other resources in the engine. */
    async applications(signal: AbortSignal): Promise<string[]> {
      const [images, networks, volumes] = await Promise.all([
        engine.images({}, signal),
        engine.networks(platformLabels(), signal),
        engine.volumes(platformLabels(), signal),
      ]);
      const shared = [...networks, ...volumes].map(({ Labels }) => applicationIn(Labels) || undefined);
      const all = [...images.flatMap(applicationsOf), ...shared];
      return [...new Set(all.filter((one) => one !== undefined))];
    },

    /**
     * Removes all images and resources of an application from the engine. Throws if an image or a resource is still in
     * use, or the engine is busy.
     */
    async forget(applicationId: string, signal: AbortSignal): Promise<void> {
      const labels = { ...platformLabels(), [APPLICATION]: applicationId };
      const remaining = async () =>
        (await engine.images({}, signal)).filter((one) => applicationsOf(one).includes(applicationId));
      await retryWhileInUse(async () => {
        let refused: unknown;
        // An image is removed after all images that are based on it.
        for (const image of await remaining()) {
          const own = namesOf(image).filter((one) => one.applicationId === applicationId);
          const names = own.map(({ name }) => name);
          for (const name of names.length > 0 ? names : [image.Id])
            await engine.removeImage(name, signal).catch((error) => {
              ignoreInUse(error);
              refused = error;
            });
        }
        if (refused) throw refused;
        // Removing an image that is in use takes away its name, but not the image.
        for (const { Id } of await remaining()) throw new EngineError(409, `${Id} is used still`);
      }, signal);
      await removeRetained(engine, labels, signal);
    },
  };
}

/** Labels of the resources that an application's builds share. */
export const BUILD_LABELS: Labels = { [KIND]: 'build' };

/** Value of the label `simcha.stage` for images of a Dockerfile build. */
export function stageLabel({ platform, applicationId }: Stage): string {
  return `${platform}/${applicationId}`;
}

/**
 * Reads the platform and the application from an image's label `simcha.stage`; undefined for an image that no
 * Dockerfile build of a platform made.
 */
export function stageIn(labels: Labels | null): Stage | undefined {
  const [platform, applicationId = ''] = labels?.[STAGE]?.split('/') ?? [];
  return platform === undefined ? undefined : { platform, applicationId };
}

export function hasNoName(names: readonly string[] | null): boolean {
  return (names ?? []).every((name) => name === '<none>:<none>');
}
