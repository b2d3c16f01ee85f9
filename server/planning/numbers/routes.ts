import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Fields } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { eventReadableWithoutContacts } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import { guestFilter } from '../guests/filter.ts';
import { csvFile } from '../guests/sheets/write-csv.ts';
import { catererPage, catererRows, MOST_ON_PAGE, REPORT_POLICY, type Report } from './caterer.ts';
import {
  catererCsvSchema,
  catererQuery,
  catererSchema,
  daysSchema,
  numbersSchema,
  sharedSchemas,
} from './contract.ts';
import { listAnswerDays, readNumbers, readReportedEvent, type SpecialGuest, specialGuests } from './store.ts';

export interface NumberParts {
  db: Kysely<unknown>;
  authenticate: onRequestAsyncHookHandler;
  clock: Clock;
}

/** Routes of an event's guest numbers, for its organizers and for the caterer. */
export function serveNumbers(server: Server, { db, authenticate, clock }: NumberParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id/guests', (area) => {
    area.get('/numbers', { schema: numbersSchema }, async ({ caller, params, query }) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const filter = readQuery(guestFilter, query);
      return { numbers: await readNumbers(db, event, filter, await readReportedEvent(db, event.id)) };
    });

    area.get('/days', { schema: daysSchema }, async ({ caller, params }) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      return { days: await listAnswerDays(db, event.id) };
    });

    area.get('/caterer', { schema: catererSchema }, async (request, reply) => {
      const { id, report } = await reported(request);
      const { guests, more } = await firstOf(specialGuests(db, id));
      reply.header('content-security-policy', REPORT_POLICY).type('text/html; charset=utf-8');
      // The console shows the caterer's page in a sandboxed frame. Such a frame has no origin, so the header
      // `Origin-Agent-Cluster` must not be sent.
      reply.removeHeader('origin-agent-cluster');
      return reply.send(catererPage(report, guests, more, clock()));
    });

    area.get('/caterer/csv', { schema: catererCsvSchema }, async (request, reply) => {
      const { id, report } = await reported(request);
      reply.header('content-disposition', contentDisposition('caterer.csv')).type('text/csv; charset=utf-8');
      return reply.send(Readable.from(csvFile(catererRows(report, specialGuests(db, id)))));
    });
  });

  async function reported({ caller, params, query }: Asking): Promise<{ id: string; report: Report }> {
    const open = await eventReadableWithoutContacts(db, caller, params.id);
    const { id } = open;
    const { language } = readQuery(catererQuery, query);
    const event = await readReportedEvent(db, id);
    const numbers = await readNumbers(db, open, EVERYBODY, event);
    return { id, report: { event, numbers, language: language ?? event.language_pref } };
  }
}

type Asking = { caller: Caller; params: { id: string }; query: Fields };

const EVERYBODY = readQuery(guestFilter, {});

async function firstOf(
  all: AsyncGenerator<SpecialGuest>,
): Promise<{ guests: SpecialGuest[]; more: boolean }> {
  const guests: SpecialGuest[] = [];
  for await (const guest of all) {
    if (guests.length === MOST_ON_PAGE) return { guests, more: true };
    guests.push(guest);
  }
  return { guests, more: false };
}
