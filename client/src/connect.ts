import { SimchaError } from './errors.ts';
import { type Client, createClient, createConfig } from './generated/client/index.ts';
import type { ClientOptions } from './generated/types.gen.ts';
import { type OnAttempt, observeAttempts, type Retries, withRetries } from './retries.ts';

export interface Connection {
  /** Address of the server. Leave it out in a page that the server itself delivered. */
  baseUrl?: string;
  /** Token of an organizer, or a function that returns one for each request. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** API key of a developer. Calls that accept both use the key. */
  apiKey?: string;
  /**
   * The `csrf_token` of the session, for a page of the server's own whose user signed in by `startSession`. The
   * function is called for each request that changes something, so a later sign-in's token is used. The browser sends
   * the cookie by itself.
   */
  csrf?: () => string | undefined;
  /** Language of messages and of other texts, sent as `Accept-Language`. */
  language?: 'he' | 'ar' | 'en';
  /** Number of tries and the longest delay between two; `false` tries once. */
  retries?: Retries | false;
  /**
   * Callback after each try, including tries that are repeated: it can show that a server is away before the client
   * gives up.
   */
  onAttempt?: OnAttempt;
  fetch?: typeof fetch;
}

/**
 * Creates a client for the calls of this package: `listEvents({ client })`. An error answer is thrown as a
 * `SimchaError`.
 */
export function connect({
  baseUrl = '',
  token,
  apiKey,
  csrf,
  language,
  retries = {},
  onAttempt,
  fetch: ask = globalThis.fetch,
}: Connection = {}): Client {
  const once = onAttempt ? observeAttempts(ask, onAttempt) : ask;
  const client = createClient(
    createConfig<ClientOptions>({
      baseUrl: baseUrl as ClientOptions['baseUrl'],
      throwOnError: true,
      fetch: retries === false ? once : withRetries(once, retries),
      // Credentials go to the page's own origin only: no other server may get the session.
      ...(csrf && { credentials: 'same-origin' }),
      ...(language && { headers: { 'accept-language': language } }),
      auth: ({ scheme, in: place }) => {
        // The browser sends the cookie and does not let a page set it.
        if (place === 'cookie') return undefined;
        return scheme === 'bearer' ? (typeof token === 'function' ? token() : token) : apiKey;
      },
    }),
  );
  // The reference declares pictures as `image/*`; the blob knows its exact type.
  client.interceptors.request.use((request, { body }) => {
    const isOpen = request.headers.get('content-type')?.includes('*');
    if (isOpen && body instanceof Blob && body.type) request.headers.set('content-type', body.type);
    return request;
  });
  client.interceptors.request.use((request) => {
    const csrfToken = ['GET', 'HEAD'].includes(request.method) ? undefined : csrf?.();
    if (csrfToken !== undefined) request.headers.set('x-csrf-token', csrfToken);
    return request;
  });
  client.interceptors.error.use((error, response, request) =>
    response && !response.ok ? SimchaError.of(response, error, request) : error,
  );
  return client;
}
