import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import type { Jobs } from '../../kernel/jobs.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isChannelOpen, refuseClosedChannel } from '../../kernel/texts/channels.ts';
import type { Texts } from '../../kernel/texts/texts.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import type { Links } from '../answers/personal-links.ts';
import { readableEvent, requireEditable } from '../events/access.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import type { EventWriter, RequestedWrite } from '../events/write.ts';
import { findMissingIds } from '../guests/store.ts';
import { noteAnswersToConfirm } from './answer-confirmations.ts';
import { type EnqueueRound, sendAutomaticMessages } from './automatic-messages.ts';
import { refuseOverBudget } from './budget.ts';
import { CHANNELS, isSentByServer } from './channels.ts';
import {
  cancelRoundSchema,
  listChannelsSchema,
  listRoundGuestsSchema,
  listRoundsSchema,
  Round,
  readRoundSchema,
  roundFilter,
  roundGuestFilter,
  roundPreviewQuery,
  sendRoundSchema,
  sharedSchemas,
  suggestRoundsSchema,
  updateRoundSchema,
} from './contract.ts';
import type { DayBeforeParts } from './day-before.ts';
import { type NewRound, readNewRound, readRoundChanges } from './fields.ts';
import { serveManualRounds } from './manual-round-routes.ts';
import { messages } from './messages.ts';
import { previewRound, suggestRounds } from './preview.ts';
import { findRoundEvent, lockEditableEvent, type RoundEvent, refuseUntimely } from './round-event.ts';
import {
  addRound,
  cancelRound,
  changeRound,
  countRounds,
  findRound,
  findRoundBasics,
  findRounds,
  listRoundGuests,
  lockScheduledRound,
  refuseTooManyRounds,
  type ScheduledRound,
  selectGuests,
} from './store.ts';
import { withdrawOutdated } from './withdrawal.ts';
import { workOnRound } from './work.ts';

export interface RoundParts {
  db: Kysely<unknown>;
  jobs: Jobs;
  mail: Mail;
  texts: Texts;
  links: Links;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  clock: Clock;
  publicUrl: string;
}

/** Routes of rounds: sending at once or at a set time, previews, and delivery reports. */
export function serveRounds(server: Server, parts: RoundParts): { dayBefore: DayBeforeParts } {
  const { db, jobs, mail, texts, links, writer, authenticate, clock, publicUrl } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  const host = new URL(publicUrl).hostname;
  const queue = jobs.queue<{ id: string }>('rounds', { retries: 20 }, ({ data, signal }) =>
    workOnRound({ db, writer, mail, texts, links, clock, host }, data.id, signal),
  );
  /** Enqueues the job that sends a round. It starts once the transaction commits and the round's time has come. */
  const enqueue = (transaction: Kysely<unknown>, id: string, sendAt: string | null) =>
    queue.send({ id }, { transaction, ...(sendAt && { startAfter: Temporal.Instant.from(sendAt) }) });

  const enqueueNow: EnqueueRound = (transaction, id) => enqueue(transaction, id, null);
  writer.follow(withdrawOutdated({ mail, texts }));
  writer.follow(sendAutomaticMessages({ mail, texts, enqueue: enqueueNow }));
  writer.follow(noteAnswersToConfirm());

  serveArea(server, authenticate, '/api/events/:id/rounds', (area) => {
    area.post('', { schema: sendRoundSchema }, async (request, reply) => {
      const { dry_run } = readQuery(roundPreviewQuery, request.query);
      if (dry_run) {
        const event = requireEditable(await findRoundEvent(db, request.caller, request.params.id));
        const round = roundFrom(request.body, event, clock());
        const page = readPage(request.query);
        const email = event.access === 'owner' ? request.caller.email : undefined;
        const reader = { language: responseLanguageOf(request), email };
        return { preview: addPage(page, await previewRound(parts, host, event, round, page, reader)) };
      }
      return writer.changeIf(lockEditableEvent, request, reply, async (write) => {
        const { transaction, event, now, note } = write;
        const round = roundFrom(request.body, event, now);
        await refuseTooManyRounds(transaction, event.id, now);
        const id = await addRound(transaction, event.id, round, now);
        if (!round.send_at) await selectGuests(transaction, event.id, id, round);
        await refuseOverBudget(transaction, mail, event, { ...round, id });
        if (round.send_at || isSentByServer(round.channel)) await enqueue(transaction, id, round.send_at);
        note('round', id, round.send_at ? 'scheduled' : 'sent');
        const found = await findRound(transaction, parts, event.id, id);
        const not_found = await findMissingIds(transaction, event.id, round);
        return {
          status: 202,
          version: found.version,
          headers: { location: `/api/events/${event.id}/rounds/${id}` },
          body: { round: found.round, not_found },
        };
      });
    });

    area.get('', { schema: listRoundsSchema }, async ({ caller, params, query }) => {
      const event = await readableEvent(db, caller, params.id);
      const filter = readQuery(roundFilter, query);
      const page = readPage(query);
      const [found, total] = await Promise.all([
        findRounds(db, parts, event.id, { filter, page }),
        countRounds(db, event.id, filter),
      ]);
      return addPage(page, { rounds: found.map(({ round }) => round), total });
    });

    area.get('/suggested', { schema: suggestRoundsSchema }, async ({ caller, params }) => {
      const event = requireEditable(await findRoundEvent(db, caller, params.id));
      return { suggested: await suggestRounds(db, event, clock()) };
    });

    area.get('/channels', { schema: listChannelsSchema }, async ({ caller, params }) => {
      await readableEvent(db, caller, params.id);
      return {
        channels: CHANNELS.map((name) => ({
          name,
          open: isChannelOpen(name, texts),
          ours: isSentByServer(name),
        })),
      };
    });

    area.get('/:roundId', { schema: readRoundSchema }, async ({ caller, params }, reply) => {
      const event = await readableEvent(db, caller, params.id);
      const { round, version } = await findRound(db, parts, event.id, params.roundId);
      reply.header('etag', entityTag(version));
      return { round };
    });

    area.put('/:roundId', { schema: updateRoundSchema }, (request, reply) =>
      writer.changeIf(lockEditableEvent, request, reply, async (write) => {
        const { transaction, event, now, note, unchanged } = write;
        const before = await waiting(write, request.params.roundId);
        const fields = fieldsAmong(Round.properties, request.body);
        const changes = readRoundChanges(fields, before, now);
        refuseUntimely(before.kind, { ...before, ...changes }, event, now);
        unchanged(before.version);
        const id = request.params.roundId;
        const differing = changesBetween(before, changes);
        if (differing) await changeRound(transaction, id, changes, now);
        if (changes.send_at && differing?.send_at) await enqueue(transaction, id, changes.send_at);
        note('round', id, 'changed', differing);
        const { round, version } = await findRound(transaction, parts, event.id, id);
        return { version, body: { round } };
      }),
    );

    area.post('/:roundId/call-off', { schema: cancelRoundSchema }, (request, reply) =>
      writer.changeIf(lockEditableEvent, request, reply, async (write) => {
        const { transaction, event, now, note } = write;
        await waiting(write, request.params.roundId);
        await cancelRound(transaction, request.params.roundId, 'organizer', now);
        note('round', request.params.roundId, 'called_off');
        const { round, version } = await findRound(transaction, parts, event.id, request.params.roundId);
        return { version, body: { round } };
      }),
    );

    area.get('/:roundId/guests', { schema: listRoundGuestsSchema }, async (request) => {
      const { caller, params } = request;
      const event = await readableEvent(db, caller, params.id);
      const round = await findRoundBasics(db, event.id, params.roundId);
      const filter = readQuery(roundGuestFilter, request.query);
      const page = readPage(request.query);
      const found = await listRoundGuests(
        db,
        parts,
        { eventId: event.id, roundId: round.id },
        { filter, page },
        responseLanguageOf(request),
      );
      return addPage(page, found);
    });
  });

  serveManualRounds(server, parts);
  return { dayBefore: { db, writer, texts, enqueue: enqueueNow } };

  function roundFrom(body: unknown, event: RoundEvent, now: Temporal.Instant): NewRound {
    const round = readNewRound(body, now);
    refuseClosedChannel('channel', round.channel, texts);
    refuseUntimely(round.kind, round, event, now);
    return round;
  }

  /** Locks the scheduled round that a request names; throws a 409 if it was already sent or cancelled. */
  async function waiting(
    { transaction, event }: RequestedWrite<RoundEvent>,
    id: string,
  ): Promise<ScheduledRound> {
    const scheduled = await lockScheduledRound(transaction, event.id, id);
    if (scheduled) return scheduled;
    await findRoundBasics(transaction, event.id, id);
    throw new Refusal(409, 'not_waiting', messages.notWaiting);
  }
}
