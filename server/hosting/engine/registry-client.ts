import type { Readable } from 'node:stream';
import {
  type Answer,
  RegistryConnection,
  RegistryError,
  type RegistryOptions,
} from './registry-connection.ts';

// Registry client for the calls that the server makes itself: listing and deleting images and, without an engine,
// reading an image's files.

/** Error of a registry that does not allow deletions, at all or for this user. */
export class NoDeletion extends RegistryError {}

const MOST_PAGES = 100;
const PAGE = 1_000;
const LARGEST_JSON = 4 * 2 ** 20;
const DIGEST = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-zA-Z=_-]+$/;

interface Layer {
  digest?: unknown;
  mediaType?: unknown;
}

/**
 * Client of a registry. Repositories are named without the registry’s host. Calls throw a RegistryError, an error of
 * `fetch`, or the reason of the aborted signal.
 */
export class RegistryClient {
  readonly #connection: RegistryConnection;

  constructor(options: RegistryOptions) {
    this.#connection = new RegistryConnection(options);
  }

  /** Tags of a repository; empty if it does not exist. */
  async tags(repository: string, signal: AbortSignal): Promise<string[]> {
    const tags: string[] = [];
    let url: URL | undefined = this.#connection.urlOf(repository, 'tags', 'list');
    url.searchParams.set('n', String(PAGE));
    for (let page = 1; url; page += 1) {
      const answer: Answer = await this.#connection.ask({ method: 'GET', repository, url, signal });
      if (answer.status === 404) return tags;
      if (answer.status !== 200) throw refusal('tell its tags', answer);
      const { tags: tagList } = (answer.json ?? {}) as { tags?: unknown };
      // A registry answers null instead of a list of tags for a repository whose tags were all removed.
      if (Array.isArray(tagList)) for (const tag of tagList) tags.push(String(tag));
      url = nextIn(answer.headers.get('link') ?? '', url);
      if (url && page === MOST_PAGES) throw new RegistryError('the registry tells of too many tags');
    }
    return tags;
  }

  /** Digest of a tag's manifest; undefined if the tag does not exist. */
  async digest(repository: string, tag: string, signal: AbortSignal): Promise<string | undefined> {
    const answer = await this.#askManifest('HEAD', repository, tag, signal);
    if (answer.status === 404) return undefined;
    const digest = answer.headers.get('docker-content-digest') ?? '';
    if (answer.status !== 200 || !DIGEST.test(digest)) throw refusal('tell a digest', answer);
    return digest;
  }

  /** Manifest of an image, or a list of manifests for several platforms, parsed as JSON. */
  async manifest(repository: string, reference: string, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#askManifest('GET', repository, reference, signal);
    if (answer.status !== 200) throw refusal('tell of an image', answer);
    return answer.json;
  }

  /** Layers of an image, from the lowest to the top. */
  async layers(
    repository: string,
    tag: string,
    signal: AbortSignal,
  ): Promise<{ digest: string; isZipped: boolean }[]> {
    const { layers } = ((await this.manifest(repository, tag, signal)) ?? {}) as {
      layers?: readonly Layer[];
    };
    if (!Array.isArray(layers)) throw new RegistryError('the registry tells of an image without layers');
    return layers.map(({ digest, mediaType }: Layer) => {
      if (typeof digest !== 'string' || !DIGEST.test(digest))
        throw new RegistryError('the registry tells of a layer without a digest');
      return { digest, isZipped: /gzip$/.test(String(mediaType)) };
    });
  }

  /** Content of a layer, as the registry stores it. */
  async blob(repository: string, digest: string, signal: AbortSignal): Promise<Readable> {
    const url = this.#connection.urlOf(repository, 'blobs', digest);
    const answer = await this.#connection.open({ repository, url, signal });
    if (!('body' in answer)) throw refusal('give a layer', answer);
    return answer.body;
  }

  /** Content of a small blob of JSON, such as an image's settings; undefined if it is too large or no JSON. */
  async json(repository: string, digest: string, signal: AbortSignal): Promise<unknown> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of await this.blob(repository, digest, signal)) {
      bytes += chunk.length;
      if (bytes > LARGEST_JSON) return undefined;
      chunks.push(chunk);
    }
    try {
      return JSON.parse(Buffer.concat(chunks).toString());
    } catch {
      return undefined;
    }
  }

  /** Deletes a manifest with all its tags. Throws a NoDeletion if the registry does not allow that. */
  async remove(repository: string, digest: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#askManifest('DELETE', repository, digest, signal);
    const { status } = answer;
    if ((status >= 200 && status < 300) || status === 404 || status === 410) return;
    const error = refusal('delete', answer);
    const isFinal = [401, 403, 405, 501].includes(status) || codeIn(answer) === 'UNSUPPORTED';
    throw isFinal ? new NoDeletion(error.message) : error;
  }

  #askManifest(
    method: 'GET' | 'HEAD' | 'DELETE',
    repository: string,
    reference: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    const url = this.#connection.urlOf(repository, 'manifests', reference);
    return this.#connection.ask({ method, repository, url, signal });
  }
}

/** URL of the next page of a registry's list (RFC 8288), always on the same registry. */
function nextIn(link: string, from: URL): URL | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next\b/i.exec(link) ?? [];
  if (target === undefined || !URL.canParse(target, from)) return undefined;
  // The host in the link to the next page is replaced by the registry's address that was called: a registry behind a
  // proxy may not know its public name.
  const { pathname, search } = new URL(target, from);
  return new URL(`${pathname}${search}`, from.origin);
}

function refusal(what: string, answer: Answer): RegistryError {
  const code = codeIn(answer);
  return new RegistryError(
    `the registry does not ${what}: it answered ${answer.status}${code === undefined ? '' : ` (${code})`}`,
    answer.status,
  );
}

function codeIn({ json }: Answer): string | undefined {
  const { errors } = (json ?? {}) as { errors?: readonly { code?: unknown }[] };
  const code = Array.isArray(errors) ? errors[0]?.code : undefined;
  return typeof code === 'string' ? code.slice(0, 50) : undefined;
}
