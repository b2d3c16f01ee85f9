import { CommonRefusal } from '../refusal.ts';
import type { App } from './app.ts';

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
    throw methods.size === 0 || methods.has(request.method)
      ? new CommonRefusal(404, 'not_found')
      : new CommonRefusal(405, 'method_not_allowed', { allow: [...methods].sort().join(', ') });
  });
}

function patternOf(url: string): RegExp {
  const source = url
    .split(/(:\w+|\*)/)
    .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
    .join('');
  return new RegExp(`^${source}$`);
}
