import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { type Html, html, htmlDocument } from '../html.ts';
import type { Server } from '../http/app.ts';
import { isLocal } from '../http/client-address.ts';
import { cookiesNamed } from '../http/cookies.ts';
import { creationTimeOf } from '../identifiers.ts';
import { directionOf } from '../languages.ts';
import { CommonRefusal } from '../refusal.ts';
import { isSameSecret } from '../same-secret.ts';
import { outboxWords } from './messages.ts';
import type { Outbox, StoredMail } from './outbox.ts';

const MOST_SHOWN = 100;
const PATH = '/dev/mail';
/**
 * Cookie with the prefix of the platform's cookies: the gateway neither passes it to a site nor accepts it from one.
 */
const COOKIE = 'simcha_mail';

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'";
// Content security policy of a page that shows a mail. Mails contain text of strangers: no scripts, no forms, no
// requests, and not the server's origin.
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/**
 * Address, with the key, of this server's pages that show the stored mails; printed at the start. Each server has its
 * own key.
 */
export function outboxAddress({ host, port }: Pick<Config, 'host' | 'port'>, key: string): string {
  const name = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}${PATH}?key=${key}`;
}

/**
 * Serves the stored mails as pages at `/dev/mail`, the newest mail first. People who can read the mails can sign in as
 * anybody. So the pages are only for clients on this machine that have the key: sites and other users' processes are on
 * this machine too. In production there are no such pages.
 */
export function serveOutbox({ app }: Pick<Server, 'app'>, outbox: Outbox, key: string): void {
  const routes = { schema: { hide: true } };
  app.register(
    async (pages) => {
      pages.addHook('onRequest', async (request, reply) => {
        if (!isLocal(request)) throw new CommonRefusal(404, 'not_found');
        const { key: given } = request.query as { key?: unknown };
        if (given === undefined && isLetIn(request, key)) return;
        if (typeof given === 'string' && isSameSecret(given, key)) {
          // A redirect removes the key from the page's address at once, so that it is not copied along or read over a
          // shoulder.
          return reply
            .header('set-cookie', `${COOKIE}=${key}; Path=${PATH}; HttpOnly; SameSite=Strict`)
            .header('cache-control', 'no-store')
            .redirect(request.url.split('?', 1)[0] ?? PATH, 303);
        }
        return page(
          reply.code(403),
          PAGE_POLICY,
          frame(outboxWords.title, html`<p>${outboxWords.locked}</p>`),
        );
      });
      pages.get('/', routes, async (_request, reply) => {
        const mails = await outbox.newest(MOST_SHOWN);
        return page(reply, PAGE_POLICY, frame(outboxWords.title, listOf(mails)));
      });
      pages.get('/:id', routes, async (request, reply) => {
        const mail = await outbox.read((request.params as { id: string }).id);
        const content = mail ? oneMail(mail) : html`<p>${outboxWords.gone}</p>`;
        return page(
          reply.code(mail ? 200 : 404),
          PAGE_POLICY,
          frame(mail?.subject ?? outboxWords.title, content),
        );
      });
      pages.get('/:id/html', routes, async (request, reply) => {
        const mail = await outbox.read((request.params as { id: string }).id);
        return page(reply.code(mail ? 200 : 404), MAIL_POLICY, mail?.html ?? outboxWords.gone);
      });
    },
    { prefix: PATH },
  );
}

/**
 * True if a request has the key of the outbox pages, as a bearer token or as a cookie; a browser may send several
 * cookies of one name.
 */
function isLetIn({ headers }: FastifyRequest, key: string): boolean {
  if (headers.authorization) return isSameSecret(headers.authorization, `Bearer ${key}`);
  return cookiesNamed(headers.cookie, COOKIE).some((value) => isSameSecret(value, key));
}

function page(reply: FastifyReply, policy: string, shown: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .send(shown);
}

function listOf(mails: readonly StoredMail[]): Html {
  if (mails.length === 0) return html`<p>${outboxWords.explanation}</p><p>${outboxWords.empty}</p>`;
  const rows = mails.map(
    ({ id, to, subject, language }) =>
      html`<li><a href="${PATH}/${id}"><bdi dir="${directionOf(language)}">${subject}</bdi></a>
       <small>${to} · <time>${new Date(creationTimeOf(id)).toISOString()}</time></small></li>\n`,
  );
  return html`<p>${outboxWords.explanation}</p><ol>${rows}</ol>`;
}

function oneMail({ id, to, subject, text, language }: StoredMail): Html {
  const direction = directionOf(language);
  return html`<p><a href="${PATH}">← ${outboxWords.back}</a></p>
<h2 dir="${direction}">${subject}</h2>
<p>${outboxWords.to}: ${to} · <time>${new Date(creationTimeOf(id)).toISOString()}</time></p>
<h3>${outboxWords.html}</h3>
<iframe src="${PATH}/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox" title="${outboxWords.html}"></iframe>
<h3>${outboxWords.text}</h3>
<pre dir="${direction}">${text}</pre>`;
}

function frame(title: string, content: Html): string {
  const body = html`<h1>${outboxWords.title}</h1>
${content}`;
  return htmlDocument({ language: 'en', title, style: STYLE, body });
}

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 720px; margin: 32px auto; padding: 0 16px; font: 16px/1.6 system-ui, sans-serif; }
ol { list-style: none; padding: 0; }
li { padding: 12px 0; border-bottom: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
li small { display: block; opacity: .7; }
pre, iframe { border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); border-radius: 12px; }
iframe { width: 100%; height: 560px; background: #fff; color-scheme: light dark; }
pre { padding: 16px; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
