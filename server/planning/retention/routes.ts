import type { onRequestAsyncHookHandler } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { ownedEvent, readableEvent } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import type { EventDoor } from '../events/write.ts';
import { eraseSchema, RetentionView, retentionSchema } from './contract.ts';
import { eraseGuests } from './erase.ts';
import { erasureDay } from './rules.ts';

export interface RetentionParts {
  db: Kysely<unknown>;
  door: EventDoor;
  authenticate: onRequestAsyncHookHandler;
}

/** When guests' data goes, and letting it go at once. */
export function serveRetention(server: Server, { db, door, authenticate }: RetentionParts): void {
  server.app.addSchema(RetentionView);
  serveArea(server, authenticate, '/api/events', (area) => {
    area.get('/:id/retention', { schema: retentionSchema }, async ({ caller, params }) => {
      const event = await readableEvent(db, caller, params.id);
      return { retention: await retentionOf(db, event.id) };
    });

    area.post('/:id/guests/erase', { schema: eraseSchema }, (request, reply) =>
      door.changeIf(ownedEvent, request, reply, async (write) => ({
        body: { erased: await eraseGuests(write) },
      })),
    );
  });
}

interface Row {
  day: string | null;
  retention_policy_days: number;
  told_at: Date | null;
  erased_at: Date | null;
}

async function retentionOf(db: Kysely<unknown>, eventId: string) {
  const { rows } = await sql<Row>`
    select to_char(events.event_date at time zone ${DEFAULT_ZONE}, 'YYYY-MM-DD') as day,
      events.retention_policy_days, retention.told_at, retention.erased_at
    from events left join event_retention retention on retention.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the event is gone');
  const { day, retention_policy_days, told_at, erased_at } = row;
  const on = day === null ? null : erasureDay(Temporal.PlainDate.from(day), retention_policy_days);
  return {
    retention_policy_days,
    erases_on: on?.toString() ?? null,
    told_at: told_at?.toISOString() ?? null,
    erased_at: erased_at?.toISOString() ?? null,
  };
}
