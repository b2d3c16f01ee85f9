/** Parsed name of a container image. */
export interface ImageName {
  /** Host of the registry, with its port if it has one, such as `ghcr.io` or `127.0.0.1:5000`. */
  registry: string;
  /** Path of the image within the registry, such as `library/nginx`. */
  repository: string;
  /** Tag of the image; undefined if the name has only a digest. */
  tag: string | undefined;
  /** Digest of the image's manifest, such as `sha256:9f86…`; undefined if the name has only a tag. */
  digest: string | undefined;
  /** Full name, with the registry and a tag or a digest: `nginx` becomes `docker.io/library/nginx:latest`. */
  name: string;
}

/** Registry of names without a registry, as for `docker pull`. */
const DEFAULT_REGISTRY = 'docker.io';
/** Path of Docker Hub's images whose name is a single word. */
const OFFICIAL = 'library/';
const DEFAULT_TAG = 'latest';
const HOSTS_OF_DOCKER_HUB: ReadonlySet<string> = new Set(['index.docker.io', 'registry-1.docker.io']);

/** Maximum length of a name before its tag, as for Docker. */
const LONGEST_PATH = 255;
const LONGEST_TAG = 128;
const DIGEST_LENGTH = 'sha256:'.length + 64;
export const LONGEST_IMAGE_NAME = LONGEST_PATH + 1 + LONGEST_TAG + 1 + DIGEST_LENGTH;

// Grammar of names: https://pkg.go.dev/github.com/distribution/reference
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const HOST = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*|\\[[0-9a-fA-F:]+\\])(?::(\\d{1,5}))?$`);
const PATH = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const LARGEST_PORT = 65_535;

/**
 * Parses an image's name as untrusted input; undefined if it is none. Each part is a letter, a digit or a bracket at its
 * beginning, so that no name can be taken for an option.
 */
export function parseImageName(text: string): ImageName | undefined {
  if (text.length > LONGEST_IMAGE_NAME) return undefined;
  const [named = '', digest, ...rest] = text.split('@');
  const { path, tag } = splitTag(named);
  const { registry, repository } = splitRegistry(path);
  const isValid =
    rest.length === 0 &&
    path.length <= LONGEST_PATH &&
    isHost(registry) &&
    repository.split('/').every((part) => PATH.test(part)) &&
    (tag === undefined || TAG.test(tag)) &&
    (digest === undefined || DIGEST.test(digest));
  if (!isValid) return undefined;
  const chosen = tag ?? (digest === undefined ? DEFAULT_TAG : undefined);
  const tagged = chosen === undefined ? '' : `:${chosen}`;
  const pinned = digest === undefined ? '' : `@${digest}`;
  return { registry, repository, tag: chosen, digest, name: `${registry}/${repository}${tagged}${pinned}` };
}

/** Full name of the same image with another tag; undefined if the text is no tag. */
export function withTag({ registry, repository }: ImageName, tag: string): string | undefined {
  return TAG.test(tag) ? `${registry}/${repository}:${tag}` : undefined;
}

/** Host of an image's registry without its port, and without the brackets of an IPv6 address. */
export function registryHost({ registry }: Pick<ImageName, 'registry'>): string {
  return registry.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}

/** Name by which an engine pulls exactly the image with a digest. */
export function pinnedName({ registry, repository }: ImageName, digest: string): string {
  return `${registry}/${repository}@${digest}`;
}

/** Splits the tag from a name. A colon before the last slash belongs to the registry's port. */
function splitTag(named: string): { path: string; tag: string | undefined } {
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  return colon === -1
    ? { path: named, tag: undefined }
    : { path: named.slice(0, colon), tag: named.slice(colon + 1) };
}

/** Splits the registry from a name: the first part is one if it has a dot or a port, or is `localhost`. */
function splitRegistry(path: string): { registry: string; repository: string } {
  const slash = path.indexOf('/');
  const first = slash === -1 ? '' : path.slice(0, slash);
  const isNamed = /[.:]/.test(first) || first === 'localhost';
  const given = isNamed ? first.toLowerCase() : DEFAULT_REGISTRY;
  const registry = HOSTS_OF_DOCKER_HUB.has(given) ? DEFAULT_REGISTRY : given;
  const repository = isNamed ? path.slice(slash + 1) : path;
  const isOfficial = registry === DEFAULT_REGISTRY && !repository.includes('/');
  return { registry, repository: isOfficial ? `${OFFICIAL}${repository}` : repository };
}

function isHost(registry: string): boolean {
  const found = HOST.exec(registry);
  return found !== null && Number(found[1] ?? 0) <= LARGEST_PORT;
}
