import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import type { Links } from '../answers/personal-links.ts';
import { editable, readableEvent, writableEvent } from '../events/access.ts';
import { languageOf, serveArea } from '../events/area.ts';
import type { EventWriter, RequestedWrite } from '../events/write.ts';
import { warningsOf } from '../guests/warnings.ts';
import {
  findNext,
  leaveForLater,
  lockMeant,
  type Meant,
  markNotTold,
  markTold,
  takeNext,
} from './by-people.ts';
import { givesAnswer, readCall } from './call-fields.ts';
import { callsTo, takeDown } from './calls.ts';
import {
  addCallSchema,
  leaveForLaterSchema,
  listCallsSchema,
  listNextSchema,
  markNotToldSchema,
  markToldSchema,
  takeNextSchema,
} from './contract.ts';
import type { Post } from './deliveries.ts';
import { lockAnyEvent, type OpenOccasion, occasionOf, refuseUntimely } from './occasion.ts';
import { findRound, knownRound } from './store.ts';

export interface ByPeopleParts extends Post {
  db: Kysely<unknown>;
  links: Links;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  clock: Clock;
}

/** Routes of manual rounds (by hand, by phone): the next guest, and the outcome. */
export function serveByPeople(server: Server, parts: ByPeopleParts): void {
  const { db, links, writer, authenticate, clock } = parts;
  serveArea(server, authenticate, '/api/events/:id/rounds/:roundId', (area) => {
    area.get('/next', { schema: listNextSchema }, async ({ caller, params, query }) => {
      const event = editable(await occasionOf(db, caller, params.id));
      const round = await knownRound(db, event.id, params.roundId);
      const now = clock();
      refuseUntimely(round.kind, { send_at: null }, event, now);
      const page = readPage(query);
      return addPage(page, await findNext({ db, links, callerId: caller.id, now }, round, page));
    });

    area.post('/next', { schema: takeNextSchema }, (request, reply) =>
      writer.changeIf(lockAnyEvent, request, reply, async (write) => {
        const { transaction, event, now } = write;
        const round = await knownRound(transaction, event.id, request.params.roundId);
        refuseUntimely(round.kind, { send_at: null }, event, now);
        const asking = { links, callerId: request.caller.id };
        return { body: { guest: await takeNext(asking, write, round) } };
      }),
    );

    area.get('/guests/:guestId/calls', { schema: listCallsSchema }, async ({ caller, params }) => {
      const event = await readableEvent(db, caller, params.id);
      const round = await knownRound(db, event.id, params.roundId);
      return { calls: await callsTo(db, round.id, params.guestId) };
    });

    area.post('/guests/:guestId/calls', { schema: addCallSchema }, (request, reply) => {
      const lock = givesAnswer(request.body) ? writableEvent : lockAnyEvent;
      const enter: (...who: Parameters<typeof lockAnyEvent>) => Promise<{ id: string }> = lock;
      return writer.changeIf(enter, request, reply, async (write) => {
        const { transaction, event, now } = write;
        const { roundId, guestId } = request.params;
        const said = readCall(request.body, now);
        const round = await knownRound(transaction, event.id, roundId);
        const meant = await lockMeant(transaction, round, guestId);
        const { call, answered } = await takeDown(write, meant, said);
        const after = await findRound(transaction, parts, event.id, roundId);
        const warnings = answered ? warningsOf(answered, languageOf(request)) : [];
        return { status: 201, body: { call, round: after.round, warnings } };
      });
    });

    area.post('/guests/:guestId/told', { schema: markToldSchema }, (request, reply) =>
      writer.changeIf(lockAnyEvent, request, reply, (write) =>
        marked(write, request.params, (meant) => markTold(write, meant)),
      ),
    );

    area.post('/guests/:guestId/not-told', { schema: markNotToldSchema }, (request, reply) =>
      writer.changeIf(lockAnyEvent, request, reply, (write) =>
        marked(write, request.params, (meant) => markNotTold(write, meant, request.caller.id)),
      ),
    );

    area.post('/guests/:guestId/later', { schema: leaveForLaterSchema }, (request, reply) =>
      writer.changeIf(lockAnyEvent, request, reply, (write) =>
        marked(write, request.params, (meant) => leaveForLater(write, meant)),
      ),
    );
  });

  async function marked(
    { transaction, event }: RequestedWrite<OpenOccasion>,
    { roundId, guestId }: { roundId: string; guestId: string },
    mark: (meant: Meant) => Promise<void>,
  ) {
    const round = await knownRound(transaction, event.id, roundId);
    await mark(await lockMeant(transaction, round, guestId));
    return { body: { round: (await findRound(transaction, parts, event.id, roundId)).round } };
  }
}
