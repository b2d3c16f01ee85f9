import type { FastifyReply } from 'fastify';
import type { Server } from '../http/app.ts';
import { directionOf } from '../languages.ts';
import { outboxWords } from './messages.ts';
import type { KeptMail, Outbox } from './outbox.ts';
import { escapeHtml } from './template.ts';

const MOST_SHOWN = 100;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'";
// A mail is somebody's text: no script, no form, no request of its own, and no origin of ours.
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/**
 * `/dev/mail`: the outbox as pages, newest first. For developers on this machine: whoever reads it can sign in as
 * anybody, so that it answers loopback clients alone, and composition leaves it out in production.
 */
export function serveOutbox({ app, speaker }: Pick<Server, 'app' | 'speaker'>, outbox: Outbox): void {
  const routes = { schema: { hide: true } };
  app.register(
    async (pages) => {
      pages.addHook('onRequest', async (request) => {
        if (!LOOPBACK.test(request.ip)) throw speaker.refusal(request.url, 404, 'not_found');
      });
      pages.get('/', routes, async (_request, reply) => {
        const mails = await outbox.newest(MOST_SHOWN);
        return page(reply, PAGE_POLICY, frame(outboxWords.title, listOf(mails)));
      });
      pages.get('/:id', routes, async (request, reply) => {
        const mail = await outbox.read((request.params as { id: string }).id);
        const content = mail ? oneMail(mail) : `<p>${outboxWords.gone}</p>`;
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
    { prefix: '/dev/mail' },
  );
}

function page(reply: FastifyReply, policy: string, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .send(html);
}

function listOf(mails: readonly KeptMail[]): string {
  if (mails.length === 0) return `<p>${outboxWords.explanation}</p><p>${outboxWords.empty}</p>`;
  const rows = mails.map(
    ({ id, to, subject, language }) =>
      `<li><a href="/dev/mail/${id}"><bdi dir="${directionOf(language)}">${escapeHtml(subject)}</bdi></a>
       <small>${escapeHtml(to)} · <time>${timeOf(id)}</time></small></li>`,
  );
  return `<p>${outboxWords.explanation}</p><ol>${rows.join('\n')}</ol>`;
}

function oneMail({ id, to, subject, text, language }: KeptMail): string {
  const direction = directionOf(language);
  return `<p><a href="/dev/mail">← ${outboxWords.back}</a></p>
<h2 dir="${direction}">${escapeHtml(subject)}</h2>
<p>${outboxWords.to}: ${escapeHtml(to)} · <time>${timeOf(id)}</time></p>
<h3>${outboxWords.html}</h3>
<iframe src="/dev/mail/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox" title="${outboxWords.html}"></iframe>
<h3>${outboxWords.text}</h3>
<pre dir="${direction}">${escapeHtml(text)}</pre>`;
}

/** A UUID v7 begins with its time, in milliseconds. */
function timeOf(id: string): string {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();
}

function frame(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 720px; margin: 32px auto; padding: 0 16px; font: 16px/1.6 system-ui, sans-serif; }
ol { list-style: none; padding: 0; }
li { padding: 12px 0; border-bottom: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
li small { display: block; opacity: .7; }
pre, iframe { border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); border-radius: 12px; }
iframe { width: 100%; height: 560px; background: #fff; color-scheme: light dark; }
pre { padding: 16px; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>${escapeHtml(outboxWords.title)}</h1>
${content}
</body>
</html>
`;
}
