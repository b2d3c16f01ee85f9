import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { directionOf, preferredLanguage } from '../kernel/languages.ts';
import type { Logger } from '../kernel/log.ts';
import { pagePolicy } from './policy.ts';

/** Where `npm run build -w web` puts it. */
const BUILT = new URL('../../web/dist', import.meta.url).pathname;

/** What belongs to the console; it finds its own pages there, and says itself what is none. */
const PAGES = [
  '/',
  '/sign-in',
  '/docs',
  '/today',
  '/events',
  '/events/*',
  '/settings',
  '/settings/*',
  '/vendors',
  '/vendors/*',
];
const ASSETS = '/console/';
const YEAR_SECONDS = 31_536_000;

export interface ConsoleParts {
  log: Logger;
  /** Whether mail stays on this server, to be read at /dev/mail: who signs in is told where to look for the code. */
  keepsMail: boolean;
  /** Where it was built. */
  built?: string;
}

/** The console: one page for all of its addresses, and the files that it is made of. */
export function serveConsole(
  { app }: Pick<Server, 'app'>,
  { log, keepsMail, built = BUILT }: ConsoleParts,
): void {
  const index = join(built, 'index.html');
  const isBuilt = existsSync(index);
  if (!isBuilt) {
    log.warn('the console is not built, and / leads to the API’s description: npm run build makes it');
    app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/openapi.json'));
    return;
  }
  let page = readFileSync(index, 'utf8');
  /** It may be built anew while this server runs: the page of before names files that are gone then. */
  const pageNow = async () => {
    page = await readFile(index, 'utf8').catch((error) => {
      if (error.code !== 'ENOENT') throw error;
      return page;
    });
    return page;
  };
  const outbox = keepsMail ? ' data-outbox="/dev/mail"' : '';
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    // The browser's own choice, if one was made there, is put in its place before anything is drawn.
    const language = preferredLanguage(request.headers['accept-language'], 'he');
    const shown = await pageNow();
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy(nonce))
      .header('cross-origin-resource-policy', 'same-origin')
      .header('cache-control', 'no-store')
      .header('vary', 'accept-language')
      .send(
        shown
          .replace('lang="en" dir="ltr"', `lang="${language}" dir="${directionOf(language)}"${outbox}`)
          .replace('{{nonce}}', nonce),
      );
  };
  for (const path of PAGES) app.get(path, { schema: { hide: true } }, show);

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
      // The name of what is in assets/ changes with what is in it.
      const isNamed = path.includes('/assets/');
      reply.header(
        'cache-control',
        isNamed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, no-cache',
      );
    },
  });
}
