import type { FastifyRequest } from 'fastify';
import type { Config } from '../kernel/config.ts';
import type { ValuesOf } from '../kernel/field-types.ts';
import { networkOf } from '../kernel/http/client-address.ts';
import { cookiesNamed, platformCookie } from '../kernel/http/cookies.ts';
import type { SignInAttempt } from './accounts.ts';
import type { signInFields } from './fields.ts';
import type { Origin } from './known-origins.ts';
import { LONGEST_HOURS } from './sessions/lifetime.ts';
import { looksLikeToken, newToken } from './sessions/secrets.ts';

/**
 * Random texts (handles) that only the client gets that requested a mailed code. Wrong tries count against a handle, so
 * that a stranger can't use up a user's tries. API clients send theirs as `request_id`; a browser has one in a cookie,
 * by which it is recognised at the next request.
 */
export interface CodeRequests {
  /**
   * Random text (handle) for a browser that requests a code, and the cookie that sets it: the text that the browser has
   * already, or a new one.
   */
  handleFor(request: FastifyRequest): { handle: string; cookie: string };
  /**
   * Reads an attempt to sign in: the code, the handle that the client got when it requested the code, and its network
   * and browser.
   */
  signInOf(request: FastifyRequest, body: SignInBody): SignInAttempt;
  originOf(request: FastifyRequest): Origin;
}

type SignInBody = ValuesOf<typeof signInFields>;

export function createCodeRequests(config: Pick<Config, 'publicUrl'>): CodeRequests {
  const cookie = platformCookie('browser', config);
  // Two cookies with this name mean that another host of the same domain set one of them. That host could know the
  // random text by which this browser is recognised, so neither cookie is used.
  const browserOf = ({ headers }: FastifyRequest) => {
    const [value = '', ...others] = cookiesNamed(headers.cookie, cookie.name);
    return others.length === 0 && looksLikeToken(value) ? value : undefined;
  };
  const originOf = (request: FastifyRequest): Origin => ({
    network: networkOf(request),
    browser: browserOf(request),
  });
  return {
    handleFor(request) {
      const handle = browserOf(request) ?? newToken();
      return { handle, cookie: cookie.setHeader(handle, LONGEST_HOURS * 3_600) };
    },
    signInOf: (request, { request_id: requestId, ...body }) => ({
      ...body,
      handle: requestId || browserOf(request),
      origin: originOf(request),
    }),
    originOf,
  };
}
