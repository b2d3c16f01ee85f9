import { randomInt } from 'node:crypto';
import { signToken } from '../../server/identity/tokens.ts';
import { until } from '../../test/support/until.ts';
import { type BenchServer, SECRET } from './server.ts';

/** Organizer of benchmarks. The id has the form of a user's, so that the server asks whether they have webhooks. */
export const ORGANIZER = '5f3c2a10-94c1-4c5e-9a3b-0c1d2e3f4a5b';

export const organizerAuthorization = `Bearer ${await signToken(SECRET, { id: ORGANIZER, role: 'organizer' }, '12h')}`;

/** Sends an organizer's request. Returns the response's JSON; throws if the request was refused. */
export async function callApi(
  { url }: BenchServer,
  method: string,
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it knows is there
): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: organizerAuthorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

export async function newEvent(server: BenchServer, fields: object): Promise<string> {
  const about = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן', ...fields };
  const { event } = await callApi(server, 'POST', '/api/events', about);
  await callApi(server, 'PUT', `/api/events/${event.id}`, { status: 'published' });
  return event.id;
}

/** Creates a guest; returns the token of the guest's personal link. */
export async function invitedGuest(server: BenchServer, eventId: string): Promise<string> {
  const { guest } = await callApi(server, 'POST', `/api/events/${eventId}/guests`, {
    name: 'עונה',
    phone: `05${randomInt(30_000_000, 40_000_000)}`,
  });
  const { link } = await callApi(server, 'GET', `/api/events/${eventId}/guests/${guest.id}/link`);
  return link.url.split('/r/')[1];
}

/** Uploads a file of guests and imports it; returns the import's report or its error. */
export async function importFile(
  server: BenchServer,
  eventId: string,
  query: string,
  file: Buffer,
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it knows is there
): Promise<any> {
  const response = await fetch(`${server.url}/api/events/${eventId}/guests/import${query}`, {
    method: 'POST',
    headers: { authorization: organizerAuthorization, 'content-type': 'application/octet-stream' },
    body: file as never,
  });
  return response.json();
}

const LONGEST_ROUND_MS = 300_000;

/** Mails an invitation to each guest of an event and waits until the last mail is sent; returns the number sent. */
export async function inviteAll(server: BenchServer, eventId: string): Promise<number> {
  const { round } = await callApi(server, 'POST', `/api/events/${eventId}/rounds`, { filter: {} });
  const path = `/api/events/${eventId}/rounds/${round.id}`;
  await until(async () => (await callApi(server, 'GET', path)).round.state === 'sent', LONGEST_ROUND_MS);
  return (await callApi(server, 'GET', path)).round.sent;
}
