import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { alreadyAdmitted, type TransactOnce } from '../../kernel/writes/idempotency.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import { EventToday, noteVisitSchema, readTodaySchema, Today } from './contract.ts';
import { recordVisit } from './store.ts';
import { readToday, type SentMessages } from './today.ts';

export interface TodayParts extends SentMessages {
  db: Kysely<unknown>;
  authenticate: onRequestAsyncHookHandler;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Routes of today's overview: the events, tasks and changes that need the organizer. */
export function serveToday(
  server: Server,
  { db, authenticate, transactOnce, clock, ...sent }: TodayParts,
): void {
  server.app.addSchema(EventToday).addSchema(Today);

  serveArea(server, authenticate, '/api/today', (area) => {
    area.get('', { schema: readTodaySchema }, async (request) => ({
      today: await readToday(db, sent, request.caller, clock(), responseLanguageOf(request)),
    }));

    area.post('/seen', { schema: noteVisitSchema }, (request, reply) =>
      transactOnce(request, reply, alreadyAdmitted(request.caller.id), async (through) => {
        await recordVisit(through, request.caller.id, clock());
        return { status: 204, body: null };
      }),
    );
  });
}
