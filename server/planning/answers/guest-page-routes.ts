import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { isUnavailable } from '../../kernel/database/database.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { networkOf } from '../../kernel/http/client-address.ts';
import { RETRY_AFTER_SECONDS } from '../../kernel/http/errors.ts';
import { mailboxOf } from '../../kernel/mail/mailbox.ts';
import { CommonRefusal, Refusal } from '../../kernel/refusal.ts';
import type { Shortfall } from '../guests/capacity/allocation.ts';
import { textsIn } from '../invitation/words.ts';
import { calendarEntryId, eventCalendarFile } from './calendar.ts';
import { findUnconfirmedRequest, type OpenLinkEvent } from './confirmations.ts';
import { type FormMistake, mistakeOf } from './form-mistake.ts';
import { confirmPage, guestPage, openPage, unsubscribePage } from './guest-page.ts';
import { ICON_PATH, ICON_SVG } from './icon.ts';
import { closedReason, readAnswerForm } from './input.ts';
import { readOpenLinkRequest } from './open-link-input.ts';
import { findOpenLink } from './open-link-store.ts';
import { problemPage } from './page.ts';
import {
  confirmForm,
  confirmPages,
  guestForm,
  guestPages,
  languageFor,
  openForm,
  openPages,
  PageNotFound,
  type PageRequest,
  readPageQuery,
} from './page-route-options.ts';
import { serveRights } from './rights-routes.ts';
import { entryByLink, findInvitation, type GuestInvitation, setSubscription } from './store.ts';
import { PAGE_POLICY } from './style.ts';
import { submitAnswer } from './submit-answer.ts';
import { confirmRequest, type OpenLinkParts, submitRequest } from './submit-request.ts';

export interface PageParts extends OpenLinkParts {
  encryption: Pick<Encryption, 'fingerprint'>;
  db: Kysely<unknown>;
  clock: Clock;
  accessibilityContact: string | undefined;
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Tools that the routes of guests' pages share. */
interface PageRoutes extends PageParts {
  pages: App;
  strictLimit: Server['strictLimit'];
  /** Finds the guest of a personal link. Throws a `PageNotFound` if the link is not valid. */
  find(token: string): Promise<GuestInvitation>;
  /** Finds the event of an open link. Throws a `PageNotFound` if the link is not open. */
  findOpen(slug: string): Promise<OpenLinkEvent>;
}

/**
 * Routes of the pages for guests: the guest's own page (`/r/{token}`) and the page of an event's open link
 * (`/e/{slug}`). The pages work without scripts.
 */
export function serveGuestPages(server: Server, parts: PageParts): void {
  const { db } = parts;
  const { app, limit, strictLimit, requireDatabase } = server;
  const find = async (token: string): Promise<GuestInvitation> => {
    const invitation = await findInvitation(db, token);
    if (!invitation) throw new PageNotFound();
    return invitation;
  };
  const findOpen = async (slug: string): Promise<OpenLinkEvent> => {
    const event = await findOpenLink(db, slug);
    if (!event) throw new PageNotFound();
    return event;
  };

  app.register(async (pages: App) => {
    readForms(pages);
    pages.addHook('onRequest', async (request, reply) => {
      setPageHeaders(reply);
      await limit(request, reply, `guest:${networkOf(request)}`);
    });
    pages.addHook('onRequest', requireDatabase);
    pages.setErrorHandler((error, request, reply) => answerWithPage(error, request, reply as never));

    pages.get(ICON_PATH, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=86400');
      return reply.type('image/svg+xml').send(ICON_SVG);
    });

    const routes = { ...parts, pages, strictLimit, find, findOpen };
    serveReply(routes);
    serveCalendarFile(routes);
    serveUnsubscribe(routes);
    serveOpenLink(routes);
    serveConfirmation(routes);
    serveRights(pages, routes);
  });
}

/** Routes of a guest's page: the page itself, and the answer from its form. */
function serveReply({ pages, writer, clock, publicUrl, find }: PageRoutes): void {
  const show = (
    invitation: GuestInvitation,
    { url, query }: PageRequest,
    mistake?: FormMistake,
    typed?: URLSearchParams,
  ) => {
    const { event, guest } = invitation;
    const { saved, wanted } = readPageQuery(query);
    return guestPage({
      event,
      guest,
      language: languageFor({ query }, invitation),
      closed: closedReason(event, clock()),
      saved: saved && !mistake,
      wanted: mistake ? undefined : wanted,
      mistake,
      typed,
      path: url.split('?', 1)[0] ?? '',
      publicUrl,
    });
  };

  pages.get('/r/:token', guestPages, async (request) => show(await find(request.params.token), request));

  pages.post('/r/:token', guestForm, async (request, reply) => {
    const { token } = request.params;
    const form = request.body;
    const invitation = await find(token);
    if (closedReason(invitation.event, clock())) return reply.code(409).send(show(invitation, request));
    let short: Shortfall | undefined;
    try {
      ({ short } = await submitAnswer(writer, invitation, readAnswerForm(form, invitation)));
    } catch (error) {
      const mistake = mistakeOf(error, languageFor(request, invitation));
      if (!mistake) throw error;
      reply.code(error instanceof Refusal ? error.status : 400);
      return show(await find(token), request, mistake, form);
    }
    const fewer = short?.code === 'fewer' ? `&wanted=${short.asked}` : '';
    return reply.redirect(`/r/${token}?saved=1${fewer}&lang=${languageFor(request, invitation)}`, 303);
  });
}

/** Route of the calendar file: it serves the event as an entry for the guest's calendar. */
function serveCalendarFile({ pages, clock, publicUrl, find }: PageRoutes): void {
  const host = new URL(publicUrl).hostname;
  pages.get('/r/:token/event.ics', guestPages, async (request, reply) => {
    const { params } = request;
    const invitation = await find(params.token);
    const { event, guest } = invitation;
    if (!event.event_date || event.status === 'draft') throw new PageNotFound();
    const language = languageFor(request, invitation);
    reply.header('content-disposition', 'attachment; filename="event.ics"');
    const calendar = eventCalendarFile(
      {
        ...event,
        ...textsIn(event, language),
        event_date: event.event_date,
      },
      {
        method: 'PUBLISH',
        uid: calendarEntryId(guest.id, host),
        stamp: clock(),
        url: `${publicUrl}/r/${params.token}`,
      },
    );
    return reply.type('text/calendar; charset=utf-8').send(calendar);
  });
}

/** Routes of the page on which a guest stops or resumes mail to themselves. */
function serveUnsubscribe({ pages, writer, find }: PageRoutes): void {
  pages.get('/r/:token/unsubscribe', guestPages, async (request) => {
    const { token } = request.params;
    const invitation = await find(token);
    const { event, guest } = invitation;
    return unsubscribePage(event, languageFor(request, invitation), `/r/${token}`, guest.unsubscribed);
  });

  pages.register(async (oneClick: App) => {
    acceptAnyContentType(oneClick);
    oneClick.post('/r/:token/unsubscribe', guestForm, async (request) => {
      const { token } = request.params;
      const invitation = await find(token);
      const wanted = request.body.get('wanted') === 'yes';
      await writer.enter(entryByLink(invitation), (write) =>
        setSubscription(write, invitation.guest.id, wanted),
      );
      return unsubscribePage(invitation.event, languageFor(request, invitation), `/r/${token}`, !wanted);
    });
  });
}

/** Routes of the page of an event's open link: the page itself, and the request from its form. */
function serveOpenLink(routes: PageRoutes): void {
  const { pages, clock, publicUrl, encryption, strictLimit, findOpen } = routes;
  const mailboxIn = (event: OpenLinkEvent, email: string) =>
    encryption.fingerprint(mailboxOf(email), `open link mailbox ${event.id}`).toString('hex');
  /**
   * Fingerprint of the network of a client. It is different for each event, so requests to two events can't be linked
   * to each other.
   */
  const networkIn = (event: OpenLinkEvent, request: FastifyRequest) =>
    encryption.fingerprint(networkOf(request), `open link ${event.id}`).toString('hex');

  pages.get('/e/:slug', openPages, async ({ params: { slug }, query }) => {
    const event = await findOpen(slug);
    const { lang = event.language_pref, sent, confirm } = readPageQuery(query);
    return openPage({
      event,
      language: lang,
      closed: closedReason(event, clock()),
      path: `/e/${slug}`,
      publicUrl,
      saved: sent,
      toConfirm: confirm,
      mistake: undefined,
      typed: undefined,
    });
  });

  pages.post('/e/:slug', openForm, async (request, reply) => {
    const { slug } = request.params;
    const form = request.body;
    const event = await findOpen(slug);
    const { lang: language = event.language_pref } = readPageQuery(request.query);
    const closed = closedReason(event, clock());
    const again = { event, language, closed, path: `/e/${slug}`, publicUrl, saved: false, typed: form };
    if (closed) return reply.code(409).send(openPage({ ...again, mistake: undefined }));
    try {
      // Only bots fill in the form's hidden field. They see the usual thank-you page, and nothing is stored.
      if (!form.get('website')) {
        await strictLimit(request, reply, `open link:${networkOf(request)}`);
        const asker = readOpenLinkRequest(form, language, event);
        const came = await submitRequest(routes, event, {
          asker,
          network: networkIn(event, request),
          mailbox: mailboxIn(event, asker.email ?? ''),
          from: networkOf(request),
        });
        if (came === 'to_confirm') return reply.redirect(`/e/${slug}?confirm=1&lang=${language}`, 303);
      }
    } catch (error) {
      const mistake = mistakeOf(error, language);
      if (!mistake) throw error;
      reply.code(error instanceof Refusal ? error.status : 400);
      return openPage({ ...again, mistake });
    }
    return reply.redirect(`/e/${slug}?sent=1&lang=${language}`, 303);
  });
}

/** Routes of the page on which a person confirms a request by the link that was mailed to them. */
function serveConfirmation({ pages, db, writer, clock, strictLimit, findOpen }: PageRoutes): void {
  pages.get('/e/:slug/confirm/:token', confirmPages, async ({ params: { slug, token }, query }) => {
    const event = await findOpen(slug);
    const asked = await findUnconfirmedRequest(db, event.id, token, clock());
    if (!asked) throw new PageNotFound();
    const { asker } = asked;
    const { lang = event.language_pref } = readPageQuery(query);
    return confirmPage(event, lang, { path: `/e/${slug}`, token, asker });
  });

  pages.post('/e/:slug/confirm/:token', confirmForm, async (request, reply) => {
    const { slug, token } = request.params;
    const event = await findOpen(slug);
    const { lang: language = event.language_pref } = readPageQuery(request.query);
    if (closedReason(event, clock())) return reply.redirect(`/e/${slug}?lang=${language}`, 303);
    await strictLimit(request, reply, `open link:${networkOf(request)}`);
    if (!(await confirmRequest(writer, event, token))) throw new PageNotFound();
    return reply.redirect(`/e/${slug}?sent=1&lang=${language}`, 303);
  });
}

function readForms(pages: App): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  );
  // Fastify does not call a content type parser for a request without a body, so an empty form is set here.
  pages.addHook('preValidation', async (request) => {
    request.body ??= new URLSearchParams();
  });
}

/**
 * Accepts a body of any content type. Mail programs unsubscribe with a form whose content does not matter (RFC 8058),
 * and the request must work in any form they send.
 */
function acceptAnyContentType(pages: App): void {
  pages.addHook('onRequest', async ({ headers }) => {
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    // Fastify refuses an invalid content type before any parser runs, so the header is removed unless it is that of a
    // form.
    if (type !== FORM_TYPE) delete headers['content-type'];
  });
  pages.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) =>
    done(null, new URLSearchParams()),
  );
}

function setPageHeaders(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': PAGE_POLICY,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  });
}

function answerWithPage(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const status = statusOf(error);
  if (status >= 500 && status !== 503) request.log.error({ err: error }, 'unexpected failure');
  if (status === 429 || status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  if (error instanceof Refusal) reply.headers({ ...error.more.headers });
  if (error instanceof CommonRefusal) reply.headers(error.headers);
  setPageHeaders(reply);
  reply.code(status);
  if (status === 404) {
    return reply.send(
      problemPage(
        (say) => say.notFound,
        (say) => say.notFoundHint,
      ),
    );
  }
  const minutes = Math.ceil(Math.max(0, Number(reply.getHeader('retry-after')) - A_MOMENT) / 60);
  const kind = status === 413 ? 'tooLarge' : status < 500 ? 'notForm' : 'broken';
  return reply.send(
    problemPage(
      (say) => (status === 429 ? say.tooOften(minutes) : say.problems[kind]),
      () => '',
    ),
  );
}

/** Maximum number of seconds that the page calls "a moment". For a longer wait it gives the minutes. */
const A_MOMENT = 20;

function statusOf(error: unknown): number {
  if (error instanceof PageNotFound) return 404;
  if (error instanceof Refusal || error instanceof CommonRefusal) return error.status;
  if (isUnavailable(error)) return 503;
  const { statusCode = 500 } = error as { statusCode?: number };
  return statusCode;
}
