import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { readPage } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import type { Once } from '../../kernel/writes/idempotency.ts';
import { etag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { owned, ownedOpenEvent, readableEvent, sharedEvent } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import type { EventStore } from '../events/store.ts';
import { type EventWrite, writeInEvent } from '../events/write.ts';
import {
  CoOrganizer,
  changeSchema,
  inviteSchema,
  listSchema,
  MOST_CO_ORGANIZERS,
  removeSchema,
  SharedEvent,
  sharedWithMeSchema,
} from './contract.ts';
import { readAccess, readInvitation } from './input.ts';
import { invitationMail } from './letter.ts';
import { messages } from './messages.ts';
import {
  addCoOrganizer,
  changeAccess,
  factsOf,
  listCoOrganizers,
  lockCoOrganizer,
  removeCoOrganizer,
  type Stored,
} from './store.ts';

export interface SharingParts {
  db: Kysely<unknown>;
  events: EventStore;
  authenticate: onRequestAsyncHookHandler;
  once: Once;
  mail: Mail;
  publicUrl: string;
  clock: Clock;
}

/** Co-organizers of an event, and the events others share with the caller. */
export function serveSharing(
  server: Server,
  { db, events, authenticate, once, mail, publicUrl, clock }: SharingParts,
): void {
  server.app.addSchema(CoOrganizer).addSchema(SharedEvent);

  serveArea(server, authenticate, '/api/shared-events', (area) => {
    area.get('', { schema: sharedWithMeSchema }, async (request) => {
      const page = readPage(request.query);
      const shared = await events.listShared(request.caller, page);
      return { ...shared, page: page.page, limit: page.limit };
    });
  });

  serveArea(server, authenticate, '/api/events/:id/co-organizers', (area) => {
    area.get('', { schema: listSchema }, async (request) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      return { co_organizers: await listCoOrganizers(db, event.id) };
    });

    area.post('', { schema: inviteSchema }, async (request, reply) => {
      // Each one mails a stranger: no faster than a person would.
      await server.strictLimit(request, reply, `invitations of ${request.caller.id}`);
      return once(request, reply, request.caller.id, async (through) => {
        const { caller, params, body } = request;
        const { coOrganizer, version } = await write(through, caller, params.id, async (event) => {
          const invitation = readInvitation(body);
          if (invitation.email === caller.email) throw refuse(400, messages.yourself);
          const added = await addCoOrganizer(event.transaction, event.event.id, invitation, event.now);
          if (added === 'full') throw refuse(400, messages.tooMany(MOST_CO_ORGANIZERS));
          if (added === 'there') throw refuse(409, messages.alreadyThere);
          await event.note(SUBJECT, added.coOrganizer.id, 'created', changesBetween({}, invitation));
          const facts = await factsOf(event.transaction, event.event.id);
          await mail.enqueue(
            event.transaction,
            invitationMail(added.coOrganizer, facts, caller.email, publicUrl),
          );
          return added;
        });
        return { status: 201, headers: { etag: etag(version) }, body: { co_organizer: coOrganizer } };
      });
    });

    area.put('/:coOrganizerId', { schema: changeSchema }, async (request, reply) => {
      const { caller, params, body } = request;
      const unchanged = ifMatch(request);
      const { coOrganizer, version } = await write(db, caller, params.id, async (event) => {
        const before = found(await lock(event.transaction, params));
        const access = readAccess(body);
        unchanged(before.version);
        const after = await changeAccess(event.transaction, before.coOrganizer.id, access, event.now);
        const changes = changesBetween(before.coOrganizer, after.coOrganizer);
        await event.note(SUBJECT, after.coOrganizer.id, 'changed', changes);
        return after;
      });
      reply.header('etag', etag(version));
      return { co_organizer: coOrganizer };
    });

    area.delete('/:coOrganizerId', { schema: removeSchema }, async (request, reply) => {
      const { caller, params } = request;
      const unchanged = ifMatch(request);
      await writeInEvent(
        db,
        caller,
        params.id,
        clock(),
        async (event) => {
          const theirs = await lock(event.transaction, params);
          const leaving = theirs !== undefined && theirs.coOrganizer.email === caller.email;
          if (!leaving) owned(event.event);
          const { coOrganizer, version } = found(theirs);
          unchanged(version);
          await removeCoOrganizer(event.transaction, coOrganizer.id);
          await event.note(SUBJECT, coOrganizer.id, 'deleted', {
            email: { from: coOrganizer.email, to: null },
          });
        },
        sharedEvent,
      );
      return reply.code(204).send(null);
    });
  });

  function write<T>(
    through: Kysely<unknown>,
    caller: Caller,
    eventId: string,
    work: (write: EventWrite) => Promise<T>,
  ): Promise<T> {
    return writeInEvent(through, caller, eventId, clock(), work, ownedOpenEvent);
  }
}

const SUBJECT = 'co_organizer';

async function lock(
  transaction: Kysely<unknown>,
  { id, coOrganizerId }: { id: string; coOrganizerId: string },
): Promise<Stored | undefined> {
  return isUuid(coOrganizerId) ? lockCoOrganizer(transaction, id, coOrganizerId) : undefined;
}

function found(stored: Stored | undefined): Stored {
  if (!stored) throw refuse(404, messages.notFound);
  return stored;
}

function refuse(status: number, sentence: string): Refusal {
  return new Refusal(status, 'refused', sentence);
}
