import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { App } from '../../kernel/http/app.ts';
import type { EventWriter } from '../events/write.ts';
import { findGuest } from '../guests/rows.ts';
import { listQuestions } from '../questions/store.ts';
import { eraseGuest } from '../retention/erase.ts';
import { findRetention } from '../retention/store.ts';
import { accessibilityPage } from './accessibility-page.ts';
import { hasBegun } from './input.ts';
import {
  guestForm,
  guestPages,
  languageFor,
  openPages,
  PageNotFound,
  readPageQuery,
} from './page-route-options.ts';
import { erasedPage, guestVisibleData, privacyPage } from './privacy-page.ts';
import { entryByLink, type GuestInvitation, type InvitedEvent } from './store.ts';

export interface RightsParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  clock: Clock;
  accessibilityContact: string | undefined;
  /**
   * Functions that find a guest's personal link or an open link; they throw `PageNotFound` if the link does not work.
   */
  find(token: string): Promise<GuestInvitation>;
  findOpen(slug: string): Promise<InvitedEvent>;
}

/** Routes of the pages about privacy, erasing one's data, and accessibility. */
export function serveRights(pages: App, parts: RightsParts): void {
  const { db, writer, clock, accessibilityContact, find, findOpen } = parts;
  const erasesOn = async ({ id }: InvitedEvent) => (await findRetention(db, id)).retention.erases_on;
  const known = async ({ event, guest }: GuestInvitation) => {
    const found = await findGuest(db, event.id, guest.id);
    if (!found) throw new PageNotFound();
    return found.guest;
  };

  pages.get('/r/:token/privacy', guestPages, async (request) => {
    const { token } = request.params;
    const invitation = await find(token);
    const { event } = invitation;
    return privacyPage({
      event,
      language: languageFor(request, invitation),
      base: `/r/${token}`,
      erasesOn: await erasesOn(event),
      guest: await known(invitation),
      questions: await listQuestions(db, event.id),
      isOver: hasBegun(event, clock()),
    });
  });

  pages.get('/r/:token/kept.json', guestPages, async (request, reply) => {
    const guest = await known(await find(request.params.token));
    reply.header('content-disposition', 'attachment; filename="kept.json"');
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(guestVisibleData(guest), null, 2));
  });

  pages.post('/r/:token/erase', guestForm, async (request, reply) => {
    const { token } = request.params;
    const invitation = await find(token);
    const { event, guest } = invitation;
    const language = languageFor(request, invitation);
    if (request.body.get('understood') !== 'yes') {
      return reply.redirect(`/r/${token}/privacy?lang=${language}`, 303);
    }
    await writer.enter(entryByLink(invitation), (write) =>
      eraseGuest(write, guest.id, { isOver: hasBegun(event, write.now) }),
    );
    return erasedPage(language);
  });

  pages.get('/r/:token/accessibility', guestPages, async (request) => {
    const { token } = request.params;
    const invitation = await find(token);
    const language = languageFor(request, invitation);
    return accessibilityPage(invitation.event, language, `/r/${token}`, accessibilityContact);
  });

  pages.get('/e/:slug/privacy', openPages, async ({ params: { slug }, query }) => {
    const event = await findOpen(slug);
    const { lang: language = event.language_pref } = readPageQuery(query);
    const isOver = hasBegun(event, clock());
    return privacyPage({ event, language, base: `/e/${slug}`, erasesOn: await erasesOn(event), isOver });
  });

  pages.get('/e/:slug/accessibility', openPages, async ({ params: { slug }, query }) => {
    const event = await findOpen(slug);
    const { lang: language = event.language_pref } = readPageQuery(query);
    return accessibilityPage(event, language, `/e/${slug}`, accessibilityContact);
  });
}
