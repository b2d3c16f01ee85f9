import assert from 'node:assert/strict';
import type { TestEvent } from '../event.ts';

/** A guest's personal link, as the organizer is shown it. */
export async function linkOf(event: TestEvent, guestId: string) {
  const answer = await event.call('GET', `/guests/${guestId}/link`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.link;
}

export const tokenOf = (url: string) => url.split('/r/')[1] ?? '';

/** Sends a page's form. */
export function form(event: TestEvent, path: string, fields: Record<string, string>) {
  return event.server.call('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

/** The path of a guest's own page. */
export async function pathOf(event: TestEvent, guest: object): Promise<string> {
  const { id } = await event.guest(guest);
  return `/r/${tokenOf((await linkOf(event, id)).url)}`;
}
