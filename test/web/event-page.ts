import type { Page } from 'playwright-core';
import { GROUPS, type Section } from '../../web/src/features/events/api/sections.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession, type TestSession } from '../support/sessions.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { visitConsole } from './console.ts';
import { LOOKS } from './looks.ts';

/** Event of a new user who is signed in. */
export interface UserEvent {
  server: SharedServer;
  session: TestSession;
  id: string;
}

export async function newUserEvent(fields: object = {}): Promise<UserEvent> {
  const server = await sharedServer(ANY_DATABASE);
  const session = await newSession(server);
  const event_date = '2099-06-15T19:30';
  const event = { title: 'החתונה של נועה', event_date, venue_name: 'עדן', max_guests: 300, ...fields };
  const { body } = await session.call('POST', '/api/events', { body: event });
  return { server, session, id: body.event.id };
}

/** Browser at one of the event's pages. */
export const visitAt = ({ server, session, id }: UserEvent, look: 'phone' | 'desk', page: string) =>
  visitConsole(server, LOOKS[look], { session, path: `/events/${id}/${page}` });

export const buttonNamed = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens a section of an event by its navigation: first its group, then the section in it. */
export async function openSection(page: Page, id: string, { to }: Section): Promise<void> {
  const group = GROUPS.find(({ sections }) => sections.some((one) => one.to === to));
  for (const path of [group?.sections[0].to ?? to, to])
    await page
      .locator(`main nav a[href="${path.replace('$eventId', id)}"]`)
      .last()
      .click();
}

/** Section of the open page. */
export const sectionLink = (page: Page, name: string) =>
  page.locator('main nav').last().getByRole('link', { name, exact: true });
