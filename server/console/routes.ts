import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { cookiesNamed, type PlatformCookie } from '../kernel/http/cookies.ts';
import { directionOf, preferredLanguage } from '../kernel/languages.ts';
import type { Logger } from '../kernel/log.ts';
import { fontTags, NOTHING, preloadTags } from './first-loads.ts';
import { pagePolicy, WORKER_POLICY } from './policy.ts';

/** Folder with the console that `npm run build -w web` has built. */
const BUILT = new URL('../../web/dist', import.meta.url).pathname;

/** Paths of the console's pages. The console itself shows a not-found page below these paths. */
const PAGES = [
  '/',
  '/sign-in',
  '/docs',
  '/today',
  '/events',
  '/events/*',
  '/operator',
  '/settings',
  '/settings/*',
  '/vendors',
  '/vendors/*',
  '/sites',
  '/sites/*',
];
const ASSETS = '/console/';
const YEAR_SECONDS = 31_536_000;

export interface ConsoleParts {
  log: Logger;
  /**
   * True if mail is not sent but stored on this server, at /dev/mail: the sign-in page then says where to find the
   * code.
   */
  keepsMail: boolean;
  /** Cookie of a signed-in user. Its value is not looked at here. */
  sessionCookie: Pick<PlatformCookie, 'name'>;
  /** Folder of the built console, if it is not the usual one. */
  built?: string;
}

/** Serves the console: the same page for all of its paths, and its files. */
export function serveConsole(
  { app, setNotFoundPage }: Pick<Server, 'app' | 'setNotFoundPage'>,
  { log, keepsMail, sessionCookie, built = BUILT }: ConsoleParts,
): void {
  const index = join(built, 'index.html');
  const isBuilt = existsSync(index);
  if (!isBuilt) {
    log.warn('the console is not built, so / leads to the API description; npm run build builds it');
    app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/openapi.json'));
    return;
  }
  const firstLoads = join(built, '.vite/first-loads.json');
  let page = { html: readFileSync(index, 'utf8'), loads: NOTHING };
  /**
   * Reads the console's page again for each request: the console may be built again while this server runs, and an old
   * page names files that no longer exist.
   */
  const pageNow = async () => {
    const read = [readFile(index, 'utf8'), readFile(firstLoads, 'utf8')] as const;
    page = await Promise.all(read).then(
      ([html, loads]) => ({ html, loads: JSON.parse(loads) }),
      (error) => {
        if (error.code !== 'ENOENT') throw error;
        return page;
      },
    );
    return page;
  };
  const outbox = keepsMail ? ' data-outbox="/dev/mail"' : '';
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    // The server sets the page's language by `Accept-Language`. If people chose a language in this browser, the page
    // itself applies it before anything is drawn.
    const language = preferredLanguage(request.headers['accept-language'], 'he');
    const { html, loads } = await pageNow();
    const [path = '', query] = request.url.split('?', 2);
    const visit = {
      path,
      hasQuery: query !== undefined,
      hasSession: cookiesNamed(request.headers.cookie, sessionCookie.name).length > 0,
    };
    const { data, scripts } = preloadTags(loads.pages, visit, ASSETS);
    const fonts = fontTags(loads.fonts[language], ASSETS);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy(nonce))
      .header('cross-origin-resource-policy', 'same-origin')
      .header('cache-control', 'no-store')
      .header('vary', 'accept-language')
      .send(
        html
          .replace('lang="en" dir="ltr"', `lang="${language}" dir="${directionOf(language)}"${outbox}`)
          .replace('{{nonce}}', nonce)
          .replace('</title>', () => `</title>${data}`)
          .replace('</head>', () => `${scripts}${fonts}</head>`),
      );
  };
  for (const path of PAGES) app.get(path, { schema: { hide: true } }, show);
  setNotFoundPage((request, reply) => {
    const [path = '', query] = request.url.split('?', 2);
    // An address of the console with a slash at its end, such as `/today/`, is redirected to the page without it
    // (`/today`). Only known pages are redirected, because an address that begins with `//` would lead to another host.
    const plain = path.replace(/\/+$/, '');
    if (PAGES.includes(plain) && plain !== '') {
      return reply.redirect(query === undefined ? plain : `${plain}?${query}`, 308);
    }
    return show(request, reply);
  });

  app.register(fastifyStatic, {
    root: built,
    prefix: ASSETS,
    decorateReply: false,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    schemaHide: true,
    allowedPath: (path) => path !== '/index.html' && !path.startsWith('/.'),
    setHeaders(reply, path) {
      reply.header('cross-origin-resource-policy', 'same-origin');
      // `path` is the path of the file itself, or of its compressed copy.
      if (path.includes('/service-worker.js')) {
        // The service worker in assets/ serves pages outside of that folder too, and may only load the console's files.
        reply.header('service-worker-allowed', '/');
        reply.header('content-security-policy', WORKER_POLICY);
      }
      // Files in assets/ can be cached for long: their names change with their content.
      const isNamed = path.includes('/assets/');
      reply.header(
        'cache-control',
        isNamed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, no-cache',
      );
    },
  });
}
