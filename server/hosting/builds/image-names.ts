import { isUuid } from '../../kernel/identifiers.ts';
import { partsOf } from '../engine/engine.ts';
import type { BuildName } from '../model/site-folders.ts';

// Images of builds are known by what they are called, which a Dockerfile of a stranger's has no say in.

const UUID_LENGTH = 36;
/** What may be before it: Podman names images that are no registry's so, the second where it was given a name without a registry. */
const BEFORE = ['', 'localhost/', 'docker.io/'];

/** One that an engine has. */
export interface Named {
  name: string;
  applicationId: string;
  tag: string;
  /** Seconds since 1970. */
  created: number;
}

/** `root`: what the names of all of them begin with. */
export function createImageNames(root: () => string) {
  const repositoryOf = (applicationId: string) => `${root()}/${applicationId}`;
  return {
    repositoryOf,

    imageOf: ({ applicationId, buildId }: BuildName) => `${repositoryOf(applicationId)}:${buildId}`,

    /** Whose an image of that name is, and by which tag; undefined where it is none of them. */
    readName(name: string): { applicationId: string; tag: string } | undefined {
      const { repository, tag } = partsOf(name);
      const applicationId = repository.slice(repository.lastIndexOf('/') + 1);
      const own = repositoryOf(applicationId);
      const isOurs = isUuid(applicationId) && BEFORE.some((before) => repository === `${before}${own}`);
      return isOurs ? { applicationId, tag } : undefined;
    },
  };
}

/** Which build's a tag is: of some there are further images, such as with folders for its volumes. */
export function buildOf(tag: string): string | undefined {
  const build = tag.slice(0, UUID_LENGTH);
  return isUuid(build) && [undefined, '-'].includes(tag[UUID_LENGTH]) ? build : undefined;
}
