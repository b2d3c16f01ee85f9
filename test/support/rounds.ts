import assert from 'node:assert/strict';
import { signToken } from '../../server/identity/tokens.ts';
import type { Round } from '../../server/planning/rounds/contract.ts';
import { createClient } from './client.ts';
import { SECRET } from './server.ts';

/**
 * Sends a round to guests of a new event on the server at `url`. Returns a function that reads the round there or from
 * another server.
 */
export async function sendRound(
  url: string,
  guests: readonly object[],
  round: object,
): Promise<(from?: string) => Promise<Round>> {
  const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1h');
  const call = createClient(url, { token });
  const make = async (path: string, body: object, method = 'POST') => {
    const made = await call(method, path, { body });
    assert.ok(made.status < 300, made.text);
    return made.body;
  };
  const details = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
  const { event } = await make('/api/events', details);
  const path = `/api/events/${event.id}`;
  await make(path, { status: 'published' }, 'PUT');
  for (const guest of guests) await make(`${path}/guests`, guest);
  const { id } = (await make(`${path}/rounds`, { filter: {}, ...round })).round;
  return async (from = url) =>
    (await createClient(from, { token })('GET', `${path}/rounds/${id}`)).body.round;
}
