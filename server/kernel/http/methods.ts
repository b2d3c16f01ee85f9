import { CommonRefusal, Refusal } from '../refusal.ts';
import type { App } from './app.ts';
import { methodNotAllowed } from './messages.ts';

/** An unknown address is a 404; a known one asked with another method is a 405 that names the right ones. */
export function refuseOtherMethods(app: App): void {
  const known: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    // CORS answers OPTIONS everywhere, which makes no address a known one.
    if (url !== '*') known.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = new Set(
      known.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods),
    );
    if (methods.size === 0 || methods.has(request.method)) throw new CommonRefusal(404, 'not_found');
    const allow = [...methods].sort().join(', ');
    throw new Refusal(405, 'method_not_allowed', methodNotAllowed(allow), { headers: { allow } });
  });
}

function patternOf(url: string): RegExp {
  const source = url
    .split(/(:\w+|\*)/)
    .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
    .join('');
  return new RegExp(`^${source}$`);
}
