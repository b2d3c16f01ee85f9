import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

// Requests to a registry (https://github.com/opencontainers/distribution-spec/blob/main/spec.md), authenticated as it
// asks.

/** Error of a registry: it refused, or gave an invalid answer. */
export class RegistryError extends Error {
  /** HTTP status with which the registry or its token server refused; undefined for other errors. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

const ANSWER_MS = 10_000;
const MOST_BYTES = 4 * 2 ** 20;
/** Minimum lifetime of a token (https://distribution.github.io/distribution/spec/auth/token/). */
const TOKEN_SECONDS = 60;
/**
 * Media types of manifests that a request accepts. A registry whose own manifest has another type may convert it, and
 * the converted manifest has another digest.
 */
const MANIFESTS = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ');
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
  /** Time until which the registry accepts this token. */
  until: number;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Body of the registry's answer, parsed as JSON; undefined if it is not JSON. */
  json: unknown;
}

export interface OpenedAnswer extends Answer {
  body: Readable;
}

const MOST_HOPS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface RegistryOptions {
  origin: string;
  user?: string | undefined;
  password?: string | undefined;
  /**
   * Rejects if the server may not connect to a host, for registries that users name: asked before each request, also to
   * token servers and storage that the registry names.
   */
  checkHost?: ((host: string) => Promise<void>) | undefined;
}

interface RegistryRequest {
  method: Method;
  repository: string;
  url: URL;
  signal: AbortSignal;
}

type Read<T> = (response: Response) => Promise<T>;

/**
 * Authenticated requests to one registry. Calls throw a RegistryError, an error of `fetch`, or the reason of the
 * aborted signal.
 */
export class RegistryConnection {
  readonly #origin: string;
  readonly #checkHost: RegistryOptions['checkHost'];
  /** Header of Basic authentication; undefined without a user. */
  readonly #basic: string | undefined;
  /** True once the registry has asked for Basic authentication. */
  #isBasic = false;
  /** Tokens that the registry has given, by the allowed action (such as pull) and the repository. */
  readonly #tokens = new Map<string, Token>();

  constructor({ origin, user, password = '', checkHost }: RegistryOptions) {
    this.#checkHost = checkHost;
    this.#origin = OTHER_ORIGINS[origin] ?? origin;
    const credentials = Buffer.from(`${user}:${password}`).toString('base64');
    this.#basic = user === undefined ? undefined : `Basic ${credentials}`;
  }

  /** URL in the registry's API of an object in a repository, such as a manifest or the list of tags. */
  urlOf(repository: string, ...rest: string[]): URL {
    // The colon of a digest stays as it is, as in the requests of engines.
    const path = [...repository.split('/'), ...rest]
      .map((part) => encodeURIComponent(part).replaceAll('%3A', ':'))
      .join('/');
    return new URL(`/v2/${path}`, this.#origin);
  }

  /** Sends a request to the registry whose answer has a small body. */
  ask(request: RegistryRequest): Promise<Answer> {
    return this.#send(request, answerOf);
  }

  /**
   * Sends a request whose answer's body is read later. Follows redirects to a registry's storage, which gets no
   * credentials.
   */
  async open(request: Omit<RegistryRequest, 'method'>): Promise<Answer | OpenedAnswer> {
    const { url, signal } = request;
    let answer: Answer | OpenedAnswer = await this.#send({ ...request, method: 'GET' }, openedAnswer);
    for (let hops = 0; hops < MOST_HOPS && REDIRECTS.has(answer.status); hops += 1) {
      const to = answer.headers.get('location') ?? '';
      const target = URL.canParse(to, url) ? new URL(to, url) : undefined;
      if (target?.protocol !== 'https:' && target?.protocol !== url.protocol)
        throw new RegistryError(`the registry leads to ${to.slice(0, 100)}`);
      answer = await this.#fetch(target, {}, signal, (response) =>
        response.ok ? openedAnswer(response) : answerOf(response),
      );
    }
    return answer;
  }

  /** Sends a request, and authenticates as the registry asks. `read` reads the first successful answer. */
  async #send<T extends Answer>(request: RegistryRequest, read: Read<T>): Promise<T | Answer> {
    const { method, repository, signal } = request;
    const action = `${method === 'DELETE' ? 'delete' : 'pull'} ${repository}`;
    for (const [one, { until }] of this.#tokens) if (until < performance.now()) this.#tokens.delete(one);
    const wasBasic = this.#isBasic;
    const known = wasBasic ? this.#basic : this.#tokens.get(action)?.authorization;
    const answer = await this.#sendOnce(request, known, read);
    if (answer.status !== 401) return answer;
    const challenge = challengeIn(answer.headers.get('www-authenticate') ?? '');
    if (challenge?.scheme === 'bearer') {
      const token = await this.#requestToken(challenge, signal);
      this.#tokens.set(action, token);
      return this.#sendOnce(request, token.authorization, read);
    }
    if (challenge?.scheme !== 'basic' || this.#basic === undefined || wasBasic) return answer;
    this.#isBasic = true;
    return this.#sendOnce(request, this.#basic, read);
  }

  async #requestToken({ terms }: Challenge, signal: AbortSignal): Promise<Token> {
    const { realm = '', service, scope } = terms;
    const url = URL.canParse(realm) ? new URL(realm) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== new URL(this.#origin).protocol)
      throw new RegistryError(`the registry asks for a token of ${realm}`);
    if (service !== undefined) url.searchParams.set('service', service);
    for (const one of scope?.split(' ') ?? []) url.searchParams.append('scope', one);
    const headers = this.#basic === undefined ? {} : { authorization: this.#basic };
    const { status, json } = await this.#fetch(url, { headers }, signal, answerOf);
    const {
      token,
      access_token: accessToken,
      expires_in: seconds,
    } = (json ?? {}) as Readonly<Record<string, unknown>>;
    const value = token ?? accessToken;
    if (status !== 200 || typeof value !== 'string')
      throw new RegistryError(`the registry’s token server answered ${status}`, status);
    const lifetimeSeconds = typeof seconds === 'number' && seconds > TOKEN_SECONDS ? seconds : TOKEN_SECONDS;
    return { authorization: `Bearer ${value}`, until: performance.now() + (lifetimeSeconds * 1_000) / 2 };
  }

  #sendOnce<T extends Answer>(
    { method, url, signal }: RegistryRequest,
    authorization: string | undefined,
    read: Read<T>,
  ): Promise<T | Answer> {
    const headers = { accept: MANIFESTS, ...(authorization && { authorization }) };
    return this.#fetch(
      url,
      { method, headers },
      signal,
      (response): Promise<T | Answer> => (response.ok ? read(response) : answerOf(response)),
    );
  }

  async #fetch<T>(url: URL, init: RequestInit, signal: AbortSignal, read: Read<T>): Promise<T> {
    await this.#checkHost?.(url.hostname.replace(/^\[|\]$/g, ''));
    return fetchInTime(url, init, signal, read);
  }
}

/**
 * Sends a request. Redirects are not followed here, so that credentials never go to another host. The time limit
 * includes reading the answer.
 */
async function fetchInTime<T>(url: URL, init: RequestInit, signal: AbortSignal, read: Read<T>): Promise<T> {
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
}

/**
 * Way to authenticate, from a registry's `WWW-Authenticate` header: Bearer if the registry offers it, otherwise Basic.
 */
function challengeIn(header: string): Challenge | undefined {
  const [, scheme, rest = ''] = /\b(Bearer)\s+(.*)/i.exec(header) ?? /\b(Basic)\b(.*)/i.exec(header) ?? [];
  if (scheme === undefined) return undefined;
  const terms = [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value,
  ]);
  return { scheme: scheme.toLowerCase(), terms: Object.fromEntries(terms) };
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, headers, json: jsonIn(await textOf(response)) };
}

async function openedAnswer({ status, headers, body }: Response): Promise<OpenedAnswer> {
  const stream = (body ?? new Blob().stream()) as ReadableStream<Uint8Array>;
  return { status, headers, json: undefined, body: Readable.fromWeb(stream) };
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
