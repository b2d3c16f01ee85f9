import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import type { Links } from '../answers/personal-links.ts';
import { readableEvent, requireEditable, writableEvent } from '../events/access.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import type { EventWriter, RequestedWrite } from '../events/write.ts';
import { warningsOf } from '../guests/warnings.ts';
import { givesAnswer, readCall } from './call-fields.ts';
import {
  addCallSchema,
  leaveForLaterSchema,
  listCallsSchema,
  listNextGuestsSchema,
  markNotifiedSchema,
  takeNextGuestSchema,
  unmarkNotifiedSchema,
} from './contract.ts';
import type { MessageQueues } from './deliveries.ts';
import {
  findNextGuests,
  leaveForLater,
  lockManualRoundGuest,
  type ManualRoundGuest,
  markNotified,
  takeNextGuest,
  unmarkNotified,
} from './manual-rounds.ts';
import { listCallsToGuest, recordCall } from './record-call.ts';
import { findRoundEvent, lockEditableEvent, type RoundEvent, refuseUntimely } from './round-event.ts';
import { findRound, findRoundBasics } from './store.ts';

export interface ManualRoundParts extends MessageQueues {
  db: Kysely<unknown>;
  links: Links;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  clock: Clock;
}

/** Routes of manual rounds, in which people send messages or call guests: the next guest, and the outcome. */
export function serveManualRounds(server: Server, parts: ManualRoundParts): void {
  const { db, links, writer, authenticate, clock } = parts;
  serveArea(server, authenticate, '/api/events/:id/rounds/:roundId', (area) => {
    area.get('/next', { schema: listNextGuestsSchema }, async ({ caller, params, query }) => {
      const event = requireEditable(await findRoundEvent(db, caller, params.id));
      const round = await findRoundBasics(db, event.id, params.roundId);
      const now = clock();
      refuseUntimely(round.kind, { send_at: null }, event, now);
      const page = readPage(query);
      return addPage(page, await findNextGuests({ db, callerId: caller.id, now }, round, page));
    });

    area.post('/next', { schema: takeNextGuestSchema }, (request, reply) =>
      writer.changeIf(lockEditableEvent, request, reply, async (write) => {
        const { transaction, event, now } = write;
        const round = await findRoundBasics(transaction, event.id, request.params.roundId);
        refuseUntimely(round.kind, { send_at: null }, event, now);
        const asking = { links, callerId: request.caller.id };
        return { body: { guest: await takeNextGuest(asking, write, round) } };
      }),
    );

    area.get('/guests/:guestId/calls', { schema: listCallsSchema }, async ({ caller, params }) => {
      const event = await readableEvent(db, caller, params.id);
      const round = await findRoundBasics(db, event.id, params.roundId);
      return { calls: await listCallsToGuest(db, round.id, params.guestId) };
    });

    area.post('/guests/:guestId/calls', { schema: addCallSchema }, (request, reply) => {
      const lock = givesAnswer(request.body) ? writableEvent : lockEditableEvent;
      const enter: (...who: Parameters<typeof lockEditableEvent>) => Promise<{ id: string }> = lock;
      return writer.changeIf(enter, request, reply, async (write) => {
        const { transaction, event, now } = write;
        const { roundId, guestId } = request.params;
        const input = readCall(request.body, now);
        const round = await findRoundBasics(transaction, event.id, roundId);
        const meant = await lockManualRoundGuest(transaction, round, guestId);
        const { call, answered } = await recordCall(write, meant, input);
        const after = await findRound(transaction, parts, event.id, roundId);
        const warnings = answered ? warningsOf(answered, responseLanguageOf(request)) : [];
        return { status: 201, body: { call, round: after.round, warnings } };
      });
    });

    area.post('/guests/:guestId/told', { schema: markNotifiedSchema }, (request, reply) =>
      writer.changeIf(lockEditableEvent, request, reply, (write) =>
        markGuest(write, request.params, (meant) => markNotified(write, meant)),
      ),
    );

    area.post('/guests/:guestId/not-told', { schema: unmarkNotifiedSchema }, (request, reply) =>
      writer.changeIf(lockEditableEvent, request, reply, (write) =>
        markGuest(write, request.params, (meant) => unmarkNotified(write, meant, request.caller.id)),
      ),
    );

    area.post('/guests/:guestId/later', { schema: leaveForLaterSchema }, (request, reply) =>
      writer.changeIf(lockEditableEvent, request, reply, (write) =>
        markGuest(write, request.params, (meant) => leaveForLater(write, meant)),
      ),
    );
  });

  async function markGuest(
    { transaction, event }: RequestedWrite<RoundEvent>,
    { roundId, guestId }: { roundId: string; guestId: string },
    mark: (meant: ManualRoundGuest) => Promise<void>,
  ) {
    const round = await findRoundBasics(transaction, event.id, roundId);
    await mark(await lockManualRoundGuest(transaction, round, guestId));
    return { body: { round: (await findRound(transaction, parts, event.id, roundId)).round } };
  }
}
