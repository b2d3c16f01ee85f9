import { isUuid } from '../../kernel/identifiers.ts';
import { splitImageName } from '../engine/image-calls.ts';
import type { BuildName } from '../model/site-folders.ts';

// Names of builds' images. Images are recognised by their names, because an untrusted Dockerfile can't choose the name.

const UUID_LENGTH = 36;
/**
 * Prefixes that engines add: Podman uses `localhost/` for images of no registry, and `docker.io/` for names without a
 * registry.
 */
const BEFORE = ['', 'localhost/', 'docker.io/'];

/** Image in an engine, whose name says to which application it belongs. */
export interface NamedImage {
  name: string;
  applicationId: string;
  tag: string;
  /** Creation time of the image, in seconds since 1970. */
  created: number;
}

/** Makes the names of applications' images, and parses such names. `root`: prefix of all names. */
export function createImageNames(root: () => string) {
  const repositoryOf = (applicationId: string) => `${root()}/${applicationId}`;
  return {
    repositoryOf,

    imageOf: ({ applicationId, buildId }: BuildName) => `${repositoryOf(applicationId)}:${buildId}`,

    /** Application and tag in an image's name; undefined if the image is not from this platform. */
    readName(name: string): { applicationId: string; tag: string } | undefined {
      const { repository, tag } = splitImageName(name);
      const applicationId = repository.slice(repository.lastIndexOf('/') + 1);
      const own = repositoryOf(applicationId);
      const isOurs = isUuid(applicationId) && BEFORE.some((before) => repository === `${before}${own}`);
      return isOurs ? { applicationId, tag } : undefined;
    },
  };
}

/**
 * Build to which an image's tag belongs; undefined if the tag names no build. A build may have further images, for
 * instance with folders for its volumes.
 */
export function buildIdOf(tag: string): string | undefined {
  const build = tag.slice(0, UUID_LENGTH);
  return isUuid(build) && [undefined, '-'].includes(tag[UUID_LENGTH]) ? build : undefined;
}
