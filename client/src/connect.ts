import { SimchaError } from './errors.ts';
import { type Client, createClient, createConfig } from './generated/client/index.ts';
import type { ClientOptions } from './generated/types.gen.ts';
import { type OnAttempt, observeAttempts, type Retries, withRetries } from './retries.ts';

export interface Connection {
  /** Address of the Simcha server. A page that the server itself delivered can leave it out. */
  baseUrl?: string;
  /** Token of an organizer, or a function that the client calls for a token before each request. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** API key of a developer. Calls that accept a token or a key use the key. */
  apiKey?: string;
  /**
   * Function that returns the session's `csrf_token`, for the server's own pages with a user who signed in by
   * `startSession`. It is called for each request that changes something, so a later sign-in's token is used. The
   * browser sends the session cookie itself.
   */
  csrf?: () => string | undefined;
  /** Language of the server's messages and other texts, sent as `Accept-Language`. */
  language?: 'he' | 'ar' | 'en';
  /** Maximum number of tries for a call and the longest delay between two of them; `false` tries each call once. */
  retries?: Retries | false;
  /**
   * Function called after each try of a call, even if another try follows. It can show that a server can't be reached
   * before the client gives up.
   */
  onAttempt?: OnAttempt;
  fetch?: typeof fetch;
}

/**
 * Creates a client for the calls of this package: `listEvents({ client })`. An error response is thrown as a
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
      // The session's cookie is sent only to the page's own origin, so that no other server gets it.
      ...(csrf && { credentials: 'same-origin' }),
      ...(language && { headers: { 'accept-language': language } }),
      auth: ({ scheme, in: place }) => {
        // A session cookie needs no header here: the browser sends the cookie and does not let a page set it.
        if (place === 'cookie') return undefined;
        return scheme === 'bearer' ? (typeof token === 'function' ? token() : token) : apiKey;
      },
    }),
  );
  // The API declares pictures as `image/*`; the request gets the exact type, which the blob knows.
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
