import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Config } from '../../kernel/config.ts';

// Registry client for the calls that we make ourselves
// (https://github.com/opencontainers/distribution-spec/blob/main/spec.md): listing and deleting images and, without an
// engine, reading an image's files.

/** Error of a registry: it refused, or gave an invalid answer. */
export class RegistryError extends Error {}

/** Error of a registry that does not delete, at all or for us. */
export class NoDeletion extends RegistryError {}

const ANSWER_MS = 10_000;
const MOST_BYTES = 4 * 2 ** 20;
const MOST_PAGES = 100;
const PAGE = 1_000;
/** Minimum lifetime of a token (https://distribution.github.io/distribution/spec/auth/token/). */
const TOKEN_SECONDS = 60;
/**
 * Media types of manifests. A registry may convert a manifest to another type, with another digest, if its own is not
 * among them.
 */
const MANIFESTS = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ');
const DIGEST = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-zA-Z=_-]+$/;
/** Hosts of registries that engines know by another name: Docker Hub. */
const OTHER_ORIGINS: Readonly<Record<string, string>> = {
  'https://docker.io': 'https://registry-1.docker.io',
};

type Method = 'GET' | 'HEAD' | 'DELETE';

interface Challenge {
  scheme: string;
  terms: Readonly<Record<string, string>>;
}

interface Token {
  authorization: string;
  /** Time until which the token is used. */
  until: number;
}

interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON of the body; undefined if it is not JSON. */
  json: unknown;
}

interface Opened extends Answer {
  body: Readable;
}

interface Layer {
  digest?: unknown;
  mediaType?: unknown;
}

const MOST_HOPS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export type RegistryClient = ReturnType<typeof createRegistryClient>;

/**
 * Client of a registry. Repositories are named without the registry’s host. Throws a RegistryError, or the reasons of
 * fetch and the signal.
 */
export function createRegistryClient({
  origin: configuredOrigin,
  user,
  password = '',
}: Pick<NonNullable<Config['appsRegistry']>, 'origin' | 'user' | 'password'>) {
  const origin = OTHER_ORIGINS[configuredOrigin] ?? configuredOrigin;
  const basic =
    user === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  let isBasic = false;
  /** Tokens by action and repository. */
  const tokens = new Map<string, Token>();

  /**
   * Sends a request. Redirects are not followed here, so that credentials never go to another host. The time limit
   * includes reading the answer.
   */
  const request = async <T>(
    url: URL,
    init: RequestInit,
    signal: AbortSignal,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new Error('too late')), ANSWER_MS);
    try {
      const until = AbortSignal.any([signal, timeout.signal]);
      return await read(await fetch(url, { ...init, redirect: 'manual', signal: until }));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RegistryError) throw error;
      const { message, cause } = error as Error;
      const why = cause instanceof Error && cause.message !== '' ? cause.message : message;
      throw new RegistryError(`${url.host} does not answer: ${why}`);
    } finally {
      clearTimeout(timer);
    }
  };

  const requestToken = async ({ terms }: Challenge, signal: AbortSignal): Promise<Token> => {
    const { realm = '', service, scope } = terms;
    const url = URL.canParse(realm) ? new URL(realm) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== new URL(origin).protocol)
      throw new RegistryError(`the registry asks for a token of ${realm}`);
    if (service !== undefined) url.searchParams.set('service', service);
    for (const one of scope?.split(' ') ?? []) url.searchParams.append('scope', one);
    const headers = basic === undefined ? {} : { authorization: basic };
    const { status, json } = await request(url, { headers }, signal, answerOf);
    const {
      token,
      access_token: accessToken,
      expires_in: seconds,
    } = (json ?? {}) as Readonly<Record<string, unknown>>;
    const value = token ?? accessToken;
    if (status !== 200 || typeof value !== 'string')
      throw new RegistryError(`the registry’s token server answered ${status}`);
    const lifetimeSeconds = typeof seconds === 'number' && seconds > TOKEN_SECONDS ? seconds : TOKEN_SECONDS;
    return { authorization: `Bearer ${value}`, until: performance.now() + (lifetimeSeconds * 1_000) / 2 };
  };

  const ask = (method: Method, repository: string, url: URL, signal: AbortSignal): Promise<Answer> =>
    askAuthenticated(method, repository, url, signal, answerOf);

  /** Authenticates as the registry asks. `read` reads the first answer that is not a challenge. */
  const askAuthenticated = async <T extends Answer>(
    method: Method,
    repository: string,
    url: URL,
    signal: AbortSignal,
    read: (response: Response) => Promise<T>,
  ): Promise<T | Answer> => {
    const send = (authorization?: string) =>
      request(
        url,
        { method, headers: { accept: MANIFESTS, ...(authorization && { authorization }) } },
        signal,
        (response): Promise<T | Answer> => (response.ok ? read(response) : answerOf(response)),
      );
    const action = `${method === 'DELETE' ? 'delete' : 'pull'} ${repository}`;
    for (const [one, { until }] of tokens) if (until < performance.now()) tokens.delete(one);
    const wasBasic = isBasic;
    const answer = await send(wasBasic ? basic : tokens.get(action)?.authorization);
    if (answer.status !== 401) return answer;
    const challenge = challengeIn(answer.headers.get('www-authenticate') ?? '');
    if (challenge?.scheme === 'bearer') {
      const token = await requestToken(challenge, signal);
      tokens.set(action, token);
      return send(token.authorization);
    }
    if (challenge?.scheme !== 'basic' || basic === undefined || wasBasic) return answer;
    isBasic = true;
    return send(basic);
  };

  const addressOf = (repository: string, ...rest: string[]) =>
    new URL(`/v2/${[...repository.split('/'), ...rest].map(encodeURIComponent).join('/')}`, origin);

  return {
    /** Tags of a repository; empty if it does not exist. */
    async tags(repository: string, signal: AbortSignal): Promise<string[]> {
      const tags: string[] = [];
      let url: URL | undefined = addressOf(repository, 'tags', 'list');
      url.searchParams.set('n', String(PAGE));
      for (let page = 1; url; page += 1) {
        const answer: Answer = await ask('GET', repository, url, signal);
        if (answer.status === 404) return tags;
        if (answer.status !== 200) throw refusal('tell its tags', answer);
        const { tags: tagList } = (answer.json ?? {}) as { tags?: unknown };
        // The list is null in a repository whose tags were all removed.
        if (Array.isArray(tagList)) for (const tag of tagList) tags.push(String(tag));
        url = nextIn(answer.headers.get('link') ?? '', url);
        if (url && page === MOST_PAGES) throw new RegistryError('the registry tells of too many tags');
      }
      return tags;
    },

    /** Digest of a tag's manifest; undefined if the tag does not exist. */
    async digest(repository: string, tag: string, signal: AbortSignal): Promise<string | undefined> {
      const answer = await ask('HEAD', repository, addressOf(repository, 'manifests', tag), signal);
      if (answer.status === 404) return undefined;
      const digest = answer.headers.get('docker-content-digest') ?? '';
      if (answer.status !== 200 || !DIGEST.test(digest)) throw refusal('tell a digest', answer);
      return digest;
    },

    /** Layers of an image, from the lowest to the top. */
    async layers(
      repository: string,
      tag: string,
      signal: AbortSignal,
    ): Promise<{ digest: string; isZipped: boolean }[]> {
      const answer = await ask('GET', repository, addressOf(repository, 'manifests', tag), signal);
      if (answer.status !== 200) throw refusal('tell of an image', answer);
      const { layers } = (answer.json ?? {}) as { layers?: readonly Layer[] };
      if (!Array.isArray(layers)) throw new RegistryError('the registry tells of an image without layers');
      return layers.map(({ digest, mediaType }: Layer) => {
        if (typeof digest !== 'string' || !DIGEST.test(digest))
          throw new RegistryError('the registry tells of a layer without a digest');
        return { digest, isZipped: /gzip$/.test(String(mediaType)) };
      });
    },

    /** Content of a layer, as the registry stores it. */
    async blob(repository: string, digest: string, signal: AbortSignal): Promise<Readable> {
      const url = addressOf(repository, 'blobs', digest);
      const open = async ({ status, headers, body }: Response): Promise<Opened> => ({
        status,
        headers,
        json: undefined,
        body: Readable.fromWeb((body ?? new Blob().stream()) as ReadableStream<Uint8Array>),
      });
      let answer: Answer | Opened = await askAuthenticated('GET', repository, url, signal, open);
      // A registry may redirect to its storage, which gets no credentials.
      for (let hops = 0; hops < MOST_HOPS && REDIRECTS.has(answer.status); hops += 1) {
        const to = answer.headers.get('location') ?? '';
        const target = URL.canParse(to, url) ? new URL(to, url) : undefined;
        if (target?.protocol !== 'https:' && target?.protocol !== url.protocol)
          throw new RegistryError(`the registry leads to ${to.slice(0, 100)}`);
        answer = await request(target, {}, signal, (response) =>
          response.ok ? open(response) : answerOf(response),
        );
      }
      if (!('body' in answer)) throw refusal('give a layer', answer);
      return answer.body;
    },

    /** Deletes a manifest with all its tags. Throws a NoDeletion if the registry does not allow that. */
    async remove(repository: string, digest: string, signal: AbortSignal): Promise<void> {
      const answer = await ask('DELETE', repository, addressOf(repository, 'manifests', digest), signal);
      const { status } = answer;
      if ((status >= 200 && status < 300) || status === 404 || status === 410) return;
      const error = refusal('delete', answer);
      const isFinal = [401, 403, 405, 501].includes(status) || codeIn(answer) === 'UNSUPPORTED';
      throw isFinal ? new NoDeletion(error.message) : error;
    },
  };
}

/** Challenge to answer: Bearer if offered, otherwise Basic. */
function challengeIn(header: string): Challenge | undefined {
  const [, scheme, rest = ''] = /\b(Bearer)\s+(.*)/i.exec(header) ?? /\b(Basic)\b(.*)/i.exec(header) ?? [];
  if (scheme === undefined) return undefined;
  const terms = [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value,
  ]);
  return { scheme: scheme.toLowerCase(), terms: Object.fromEntries(terms) };
}

/** URL of the next page (RFC 8288), always on the same registry. */
function nextIn(link: string, from: URL): URL | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next\b/i.exec(link) ?? [];
  if (target === undefined || !URL.canParse(target, from)) return undefined;
  // The host is replaced: a registry behind a proxy may not know its public name.
  const { pathname, search } = new URL(target, from);
  return new URL(`${pathname}${search}`, from.origin);
}

function refusal(what: string, answer: Answer): RegistryError {
  const code = codeIn(answer);
  return new RegistryError(
    `the registry does not ${what}: it answered ${answer.status}${code === undefined ? '' : ` (${code})`}`,
  );
}

function codeIn({ json }: Answer): string | undefined {
  const { errors } = (json ?? {}) as { errors?: readonly { code?: unknown }[] };
  const code = Array.isArray(errors) ? errors[0]?.code : undefined;
  return typeof code === 'string' ? code.slice(0, 50) : undefined;
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, headers, json: jsonIn(await textOf(response)) };
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES)
      throw new RegistryError(`the registry’s answer is larger than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
