import type { onRequestAsyncHookHandler } from 'fastify';
import { readWhole } from '../../kernel/field-types.ts';
import { type Fields, fieldsAmong } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { recordChanges } from '../../kernel/writes/history.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { authorOf, requireOwner } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import { eventFields } from '../events/fields.ts';
import { readNewEvent } from '../events/input.ts';
import { messages } from '../events/messages.ts';
import { addEvent, findEvent, lockEvent } from '../events/store.ts';
import type { EventWriter } from '../events/write.ts';
import { findEventInvitation } from '../invitation/store.ts';
import { duplicateSchema } from './contract.ts';
import { copyEventRows } from './copy.ts';
import { copyFields, extentFields } from './fields.ts';
import { TRANSLATION_FIELDS, type TranslationField } from './tables.ts';

export interface CopyParts {
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
}

/** Routes that duplicate an event as a draft. */
export function serveCopies(server: Server, { writer, authenticate }: CopyParts): void {
  serveArea(server, authenticate, '/api/events/:id/duplicate', (app) => {
    app.post('', { schema: duplicateSchema }, async (request, reply) => {
      const { caller } = request;
      if (caller.role !== 'organizer') throw new Refusal(403, 'forbidden', messages.onlyOrganizers);
      // A copy may include thousands of guests, so the limit is as many copies as a person could make by hand.
      await server.strictLimit(request, reply, `copies of ${caller.id}`);
      return writer.changeIf(
        ownEvent,
        request,
        reply,
        async ({ transaction, event: original, now, note }) => {
          const body = fieldsAmong(copyFields, request.body);
          const extent = readWhole(extentFields, body);
          const input = readNewEvent({ ...fieldsOfEvent(original.event), ...given(body) }, now);
          const { event: added } = await addEvent(transaction, caller, input, now);
          const { invitation } = await findEventInvitation(transaction, original.id);
          const leftOut = translations.filter(
            (field) =>
              invitation[field] &&
              added[TRANSLATION_FIELDS[field]] !== original.event[TRANSLATION_FIELDS[field]],
          );
          const extended = { ...extent, leftOut, from: original.id, to: added.id };
          const copied = await copyEventRows(transaction, extended, now);
          note('event', original.id, 'duplicated', { copied_to: { from: null, to: added.id } });
          await recordChanges(transaction, [
            {
              event_id: added.id,
              at: now,
              by: authorOf(caller),
              subject: 'event',
              subject_id: added.id,
              action: 'duplicated',
              changes: { copied_from: { from: null, to: original.id } },
            },
          ]);
          const copy = requireOwner(await findEvent(transaction, caller, added.id));
          const headers = { location: `/api/events/${added.id}`, etag: entityTag(copy.version) };
          return { status: 201, headers, body: { event: copy.event, copied, left_out: leftOut } };
        },
      );
    });
  });
}

const translations = Object.keys(TRANSLATION_FIELDS) as TranslationField[];

async function ownEvent(...of: Parameters<typeof lockEvent>) {
  return requireOwner(await lockEvent(...of));
}

/** Selects, from all fields of an event, those that its organizer sets. */
function fieldsOfEvent(event: object): Fields {
  return Object.fromEntries(Object.entries(event).filter(([field]) => field in eventFields));
}

/** Fields of the new copy of an event that the request sets; null keeps the original event's value. */
function given(body: Fields): Fields {
  return Object.fromEntries(
    Object.entries(body).filter(([field, value]) => field in eventFields && value !== null),
  );
}
