import type { FastifyRequest } from 'fastify';
import { CommonRefusal, Refusal } from '../refusal.ts';
import type { App, NotFoundPage } from './app.ts';
import { methodNotAllowed } from './messages.ts';

/**
 * Responds to an unknown address with a 404. For a known address that was requested with another method it is a 405,
 * which lists the allowed methods. Returns a function that sets the page for browsers.
 */
export function refuseOtherMethods(app: App): (page: NotFoundPage) => void {
  let page: NotFoundPage | undefined;
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    // The route `*` is left out, because otherwise every address would be known: with it CORS responds to OPTIONS at
    // every address.
    if (url !== '*') routes.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = new Set(
      routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods),
    );
    if (methods.size === 0 || methods.has(request.method)) {
      if (page && isOpenedInBrowser(request, path)) return page(request, reply.code(404));
      throw new CommonRefusal(404, 'not_found');
    }
    const allow = [...methods].sort().join(', ');
    throw new Refusal(405, 'method_not_allowed', methodNotAllowed(allow), { headers: { allow } });
  });
  return (shown) => {
    page = shown;
  };
}

/** True for an address that a person opens in a browser. Addresses of the API answer with JSON, in a browser too. */
function isOpenedInBrowser({ method, headers }: FastifyRequest, path: string): boolean {
  return (
    method === 'GET' &&
    /\btext\/html\b/.test(headers.accept ?? '') &&
    !/^\/(?:api|console)(?:\/|$)/.test(path)
  );
}

function patternOf(url: string): RegExp {
  const source = url
    .split(/(:\w+|\*)/)
    .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
    .join('');
  return new RegExp(`^${source}$`);
}
