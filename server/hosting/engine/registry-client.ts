import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Config } from '../../kernel/config.ts';

// What we ask of a registry ourselves (https://github.com/opencontainers/distribution-spec/blob/main/spec.md): which images it has,
// to let go of some, and, where there is no engine, for what is in one.

/** The registry refused, or what it answered is none of what it may. */
export class RegistryError extends Error {}

/** It does not delete: not at all, or not for us. */
export class NoDeletion extends RegistryError {}

const ANSWER_MS = 10_000;
const MOST_BYTES = 4 * 2 ** 20;
const MOST_PAGES = 100;
const PAGE = 1_000;
/** So long a token holds at least (https://distribution.github.io/distribution/spec/auth/token/). */
const TOKEN_SECONDS = 60;
/** What is asked for by no name of these may be told as something else, of another digest. */
const MANIFESTS = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ');
const DIGEST = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-zA-Z=_-]+$/;
/** Engines know Docker Hub by another name than the one that answers. */
const ELSEWHERE: Readonly<Record<string, string>> = { 'https://docker.io': 'https://registry-1.docker.io' };

type Method = 'GET' | 'HEAD' | 'DELETE';

interface Challenge {
  scheme: string;
  terms: Readonly<Record<string, string>>;
}

interface Token {
  authorization: string;
  /** So long it is used. */
  until: number;
}

interface Answer {
  status: number;
  headers: Headers;
  /** What its JSON says; undefined where it is none. */
  told: unknown;
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

/** Repositories by their names without the registry’s. Throws a RegistryError, or what fetch and the signal reject with. */
export function createRegistryClient({
  origin: known,
  user,
  password = '',
}: Pick<NonNullable<Config['appsRegistry']>, 'origin' | 'user' | 'password'>) {
  const origin = ELSEWHERE[known] ?? known;
  const basic =
    user === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  let isBasic = false;
  /** By what is done with which repository. */
  const tokens = new Map<string, Token>();

  /** Where a registry passes one on, nobody is told who we are. What is read of it is to be there in time as well. */
  const request = async <T>(
    url: URL,
    init: RequestInit,
    signal: AbortSignal,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('too late')), ANSWER_MS);
    try {
      const until = AbortSignal.any([signal, late.signal]);
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

  const tokenBy = async ({ terms }: Challenge, signal: AbortSignal): Promise<Token> => {
    const { realm = '', service, scope } = terms;
    const url = URL.canParse(realm) ? new URL(realm) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== new URL(origin).protocol)
      throw new RegistryError(`the registry asks for a token of ${realm}`);
    if (service !== undefined) url.searchParams.set('service', service);
    for (const one of scope?.split(' ') ?? []) url.searchParams.append('scope', one);
    const headers = basic === undefined ? {} : { authorization: basic };
    const { status, told } = await request(url, { headers }, signal, answerOf);
    const {
      token,
      access_token: same,
      expires_in: seconds,
    } = (told ?? {}) as Readonly<Record<string, unknown>>;
    const given = token ?? same;
    if (status !== 200 || typeof given !== 'string')
      throw new RegistryError(`the registry’s token server answered ${status}`);
    const holds = typeof seconds === 'number' && seconds > TOKEN_SECONDS ? seconds : TOKEN_SECONDS;
    return { authorization: `Bearer ${given}`, until: performance.now() + (holds * 1_000) / 2 };
  };

  const ask = (method: Method, repository: string, url: URL, signal: AbortSignal): Promise<Answer> =>
    asked(method, repository, url, signal, answerOf);

  /** As whoever the registry wants us to be. What is read is the first answer that is no such question. */
  const asked = async <T extends Answer>(
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
    const deed = `${method === 'DELETE' ? 'delete' : 'pull'} ${repository}`;
    for (const [one, { until }] of tokens) if (until < performance.now()) tokens.delete(one);
    const wasBasic = isBasic;
    const answer = await send(wasBasic ? basic : tokens.get(deed)?.authorization);
    if (answer.status !== 401) return answer;
    const challenge = challengeIn(answer.headers.get('www-authenticate') ?? '');
    if (challenge?.scheme === 'bearer') {
      const token = await tokenBy(challenge, signal);
      tokens.set(deed, token);
      return send(token.authorization);
    }
    if (challenge?.scheme !== 'basic' || basic === undefined || wasBasic) return answer;
    isBasic = true;
    return send(basic);
  };

  const addressOf = (repository: string, ...rest: string[]) =>
    new URL(`/v2/${[...repository.split('/'), ...rest].map(encodeURIComponent).join('/')}`, origin);

  return {
    /** None of a repository that is not there. */
    async tags(repository: string, signal: AbortSignal): Promise<string[]> {
      const tags: string[] = [];
      let url: URL | undefined = addressOf(repository, 'tags', 'list');
      url.searchParams.set('n', String(PAGE));
      for (let page = 1; url; page += 1) {
        const answer: Answer = await ask('GET', repository, url, signal);
        if (answer.status === 404) return tags;
        if (answer.status !== 200) throw refused('tell its tags', answer);
        const { tags: some } = (answer.told ?? {}) as { tags?: unknown };
        // Of some that had tags once it is null.
        if (Array.isArray(some)) for (const tag of some) tags.push(String(tag));
        url = nextIn(answer.headers.get('link') ?? '', url);
        if (url && page === MOST_PAGES) throw new RegistryError('the registry tells of too many tags');
      }
      return tags;
    },

    /** Of what a tag stands for; undefined where there is none. */
    async digest(repository: string, tag: string, signal: AbortSignal): Promise<string | undefined> {
      const answer = await ask('HEAD', repository, addressOf(repository, 'manifests', tag), signal);
      if (answer.status === 404) return undefined;
      const digest = answer.headers.get('docker-content-digest') ?? '';
      if (answer.status !== 200 || !DIGEST.test(digest)) throw refused('tell a digest', answer);
      return digest;
    },

    /** What an image is made of, one over the other. */
    async layers(
      repository: string,
      tag: string,
      signal: AbortSignal,
    ): Promise<{ digest: string; isZipped: boolean }[]> {
      const answer = await ask('GET', repository, addressOf(repository, 'manifests', tag), signal);
      if (answer.status !== 200) throw refused('tell of an image', answer);
      const { layers } = (answer.told ?? {}) as { layers?: readonly Layer[] };
      if (!Array.isArray(layers)) throw new RegistryError('the registry tells of an image without layers');
      return layers.map(({ digest, mediaType }: Layer) => {
        if (typeof digest !== 'string' || !DIGEST.test(digest))
          throw new RegistryError('the registry tells of a layer without a digest');
        return { digest, isZipped: /gzip$/.test(String(mediaType)) };
      });
    },

    /** What is in a layer, as it is kept there. */
    async blob(repository: string, digest: string, signal: AbortSignal): Promise<Readable> {
      const url = addressOf(repository, 'blobs', digest);
      const open = async ({ status, headers, body }: Response): Promise<Opened> => ({
        status,
        headers,
        told: undefined,
        body: Readable.fromWeb((body ?? new Blob().stream()) as ReadableStream<Uint8Array>),
      });
      let answer: Answer | Opened = await asked('GET', repository, url, signal, open);
      // A registry may leave that to the store that it keeps it in, which is not told who we are.
      for (let hops = 0; hops < MOST_HOPS && REDIRECTS.has(answer.status); hops += 1) {
        const to = answer.headers.get('location') ?? '';
        const target = URL.canParse(to, url) ? new URL(to, url) : undefined;
        if (target?.protocol !== 'https:' && target?.protocol !== url.protocol)
          throw new RegistryError(`the registry leads to ${to.slice(0, 100)}`);
        answer = await request(target, {}, signal, (response) =>
          response.ok ? open(response) : answerOf(response),
        );
      }
      if (!('body' in answer)) throw refused('give a layer', answer);
      return answer.body;
    },

    /** With all tags that stand for it. Throws a NoDeletion where that is not to be had. */
    async remove(repository: string, digest: string, signal: AbortSignal): Promise<void> {
      const answer = await ask('DELETE', repository, addressOf(repository, 'manifests', digest), signal);
      const { status } = answer;
      if ((status >= 200 && status < 300) || status === 404 || status === 410) return;
      const error = refused('delete', answer);
      const isFinal = [401, 403, 405, 501].includes(status) || codeIn(answer) === 'UNSUPPORTED';
      throw isFinal ? new NoDeletion(error.message) : error;
    },
  };
}

/** The first of the challenges that is one of the two that we answer; the one of Bearer where both are there. */
function challengeIn(header: string): Challenge | undefined {
  const [, scheme, rest = ''] = /\b(Bearer)\s+(.*)/i.exec(header) ?? /\b(Basic)\b(.*)/i.exec(header) ?? [];
  if (scheme === undefined) return undefined;
  const terms = [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value,
  ]);
  return { scheme: scheme.toLowerCase(), terms: Object.fromEntries(terms) };
}

/** The next page (RFC 8288), of the same registry alone. */
function nextIn(link: string, from: URL): URL | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next\b/i.exec(link) ?? [];
  if (target === undefined || !URL.canParse(target, from)) return undefined;
  // One behind a proxy may take itself for another.
  const { pathname, search } = new URL(target, from);
  return new URL(`${pathname}${search}`, from.origin);
}

function refused(what: string, answer: Answer): RegistryError {
  const code = codeIn(answer);
  return new RegistryError(
    `the registry does not ${what}: it answered ${answer.status}${code === undefined ? '' : ` (${code})`}`,
  );
}

function codeIn({ told }: Answer): string | undefined {
  const { errors } = (told ?? {}) as { errors?: readonly { code?: unknown }[] };
  const code = Array.isArray(errors) ? errors[0]?.code : undefined;
  return typeof code === 'string' ? code.slice(0, 50) : undefined;
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, headers, told: jsonIn(await textOf(response)) };
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
