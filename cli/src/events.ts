import { type ListedEvent, listEvents, listSharedEvents, paginate, SimchaError } from 'simcha-client';
import { CommandError, usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import type { Server } from './server.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads the user's own events, and those of others that are shared with the user. */
export async function allEvents({ client }: Server): Promise<ListedEvent[]> {
  const events: ListedEvent[] = [];
  for await (const event of paginate((query) => listEvents({ client, query }))) events.push(event);
  for await (const { event } of paginate((query) => listSharedEvents({ client, query }))) events.push(event);
  return events;
}

/** Id of the event that a command means: by its id, its title, or a part of the title that no other event has. */
export async function idOfEvent(server: Server, named: string): Promise<string> {
  if (UUID.test(named)) return named;
  const events = await allEvents(server).catch((error) => {
    const isRestricted = error instanceof SimchaError && error.code === 'token_restricted';
    throw isRestricted
      ? usageError(error.message, 'Name the event by its id: this token lists no events.')
      : error;
  });
  return chooseEvent(events, named).id;
}

/** Event with this title, or with a title that contains it. Throws an error that lists several. */
export function chooseEvent<T extends Pick<ListedEvent, 'id' | 'title' | 'event_date'>>(
  events: readonly T[],
  named: string,
): T {
  const wanted = named.trim().toLowerCase();
  const exact = events.filter(({ title }) => title.toLowerCase() === wanted);
  const found = exact.length > 0 ? exact : events.filter(({ title }) => title.toLowerCase().includes(wanted));
  const [chosen, other] = found;
  if (chosen && !other) return chosen;
  if (!chosen)
    throw new CommandError(`There is no event "${named}".`, {
      hint: 'List them: simcha events',
      exitCode: EXIT.notFound,
    });
  const list = found
    .slice(0, 20)
    .map(({ id, event_date, title }) => `  ${id}  ${event_date?.slice(0, 10)}  ${title}`);
  throw usageError(`Several events are named "${named}":\n${list.join('\n')}`, 'Pass the id of one.');
}
