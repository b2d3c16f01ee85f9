import type autocannon from 'autocannon';
import pg from 'pg';
import { fillEvents } from './fill.ts';
import { invitedGuest, ORGANIZER, organizerAuthorization } from './organizer.ts';
import type { BenchServer } from './server.ts';

/** Event that is read or changed, and the token of a guest's personal link in it. */
export interface Target {
  event: string;
  guest: string;
}

export interface Operation {
  name: string;
  /** Number of requests in one measurement. */
  amount: number;
  method: 'GET' | 'POST' | 'PUT';
  path: (target: Target) => string;
  body?: object;
}

/** Body of a request that creates an event. */
export const NEW_EVENT = {
  title: 'החתונה',
  event_date: '2099-06-15T19:30',
  venue_name: 'גן',
  max_guests: 320,
};
/** Body of a request that changes one. */
export const EVENT_CHANGE = { description: 'חופה בשקיעה', venue_capacity: 400 };
const reply = { rsvp_status: 'confirmed', message: 'נגיע' };

/** Requests of organizers and guests that benchmarks measure. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'read', amount: 3_000, method: 'GET', path: ({ event }) => `/api/events/${event}` },
  { name: 'list', amount: 1_000, method: 'GET', path: () => '/api/events?limit=20' },
  { name: 'create', amount: 1_500, method: 'POST', path: () => '/api/events', body: NEW_EVENT },
  {
    name: 'update',
    amount: 1_500,
    method: 'PUT',
    path: ({ event }) => `/api/events/${event}`,
    body: EVENT_CHANGE,
  },
  { name: 'answer', amount: 1_000, method: 'POST', path: ({ guest }) => `/api/rsvp/${guest}`, body: reply },
];

const headers = { authorization: organizerAuthorization, 'content-type': 'application/json' };

export function requestsOf(
  { method, path, body }: Operation,
  targets: readonly Target[],
): autocannon.Request[] {
  return targets.map((target) => ({
    method,
    path: path(target),
    headers,
    ...(body && { body: JSON.stringify(body) }),
  }));
}

/** Fills the server's tables with published events; returns those in which one invited guest each answers. */
export async function fillServer(
  server: BenchServer,
  databaseUrl: string,
  { events, guests, answering }: { events: number; guests: number; answering: number },
): Promise<Target[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const ids = await fillEvents(pool, ORGANIZER, events, guests);
  await pool.query(`update events set status = 'published'`);
  await pool.query('vacuum analyze');
  await pool.end();
  return Promise.all(
    ids.slice(0, answering).map(async (event) => ({ event, guest: await invitedGuest(server, event) })),
  );
}
