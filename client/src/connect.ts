import { SimchaError } from './errors.ts';
import { type Client, createClient, createConfig } from './generated/client/index.ts';
import type { ClientOptions } from './generated/types.gen.ts';
import { type Retries, retrying, type Tried, watching } from './retrying.ts';

export interface Connection {
  /** The server's address. In a page that the server itself has given, leave it out. */
  baseUrl?: string;
  /** An organizer's token, or what gives one for each request. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** A developer's key. It goes before a token where a call takes both. */
  apiKey?: string;
  /**
   * The `csrf_token` of the session, in a page of the server's own whose user signed in by `startSession`: asked for with
   * each request that is not only read, so that a later sign-in's is taken. The cookie goes along by itself.
   */
  csrf?: () => string | undefined;
  /** Sent as `Accept-Language`: of messages and of what is read in a language. */
  language?: 'he' | 'ar' | 'en';
  /** How often, and how long at most between two; false asks once. */
  retries?: Retries | false;
  /** Called after each try, also one that is made again: to show that a server is away before it is given up. */
  tried?: Tried;
  fetch?: typeof fetch;
}

/** A client for the calls of this package: `listEvents({ client })`. What a call refuses is thrown as a `SimchaError`. */
export function connect({
  baseUrl = '',
  token,
  apiKey,
  csrf,
  language,
  retries = {},
  tried,
  fetch: ask = globalThis.fetch,
}: Connection = {}): Client {
  const once = tried ? watching(ask, tried) : ask;
  const client = createClient(
    createConfig<ClientOptions>({
      baseUrl: baseUrl as ClientOptions['baseUrl'],
      throwOnError: true,
      fetch: retries === false ? once : retrying(once, retries),
      // To nobody but the server that gave the page: a session is never anybody else's to use.
      ...(csrf && { credentials: 'same-origin' }),
      ...(language && { headers: { 'accept-language': language } }),
      auth: ({ scheme, in: place }) => {
        // The browser sends it, and lets no page set it.
        if (place === 'cookie') return undefined;
        return scheme === 'bearer' ? (typeof token === 'function' ? token() : token) : apiKey;
      },
    }),
  );
  // A picture is `image/*` in the reference; which one it is, the picture says.
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
