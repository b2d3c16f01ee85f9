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
 * Handles of requests for a code: random texts that only the asker holds. Wrong tries count against a handle, so that nobody
 * uses up those of somebody else. API callers send theirs as `request_id`; a browser keeps one in a cookie, and by it is
 * known again when its user asks for the next code.
 */
export interface CodeRequests {
  /** The handle to answer a request for a code with: the browser's own, or a new one. */
  handleFor(request: FastifyRequest): { handle: string; cookie: string };
  /** A try by what its body says, with the handle that it belongs to and where it comes from. */
  signInOf(request: FastifyRequest, body: SignInBody): SignInAttempt;
  originOf(request: FastifyRequest): Origin;
}

type SignInBody = ValuesOf<typeof signInFields>;

export function createCodeRequests(config: Pick<Config, 'publicUrl'>): CodeRequests {
  const cookie = platformCookie('browser', config);
  // A second cookie of the name was planted by a host beside ours, which would hold this browser's handle: neither counts.
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
      return { handle, cookie: cookie.given(handle, LONGEST_HOURS * 3_600) };
    },
    signInOf: (request, { request_id: requestId, ...body }) => ({
      ...body,
      handle: requestId || browserOf(request),
      origin: originOf(request),
    }),
    originOf,
  };
}
