import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { readGiven } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { eventReadableWithoutContacts } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import type { EventWriter } from '../events/write.ts';
import { EventInvitation, readInvitationSchema, updateInvitationSchema } from './contract.ts';
import { invitationFields } from './fields.ts';
import { confirmsWording, findEventInvitation, saveEventInvitation } from './store.ts';

export interface InvitationParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
}

/** Routes of an event's invitation: hosts, contact, texts, and the end of the event. */
export function serveInvitation(server: Server, { db, writer, authenticate }: InvitationParts): void {
  server.app.addSchema(EventInvitation);

  serveArea(server, authenticate, '/api/events/:id/invitation', (area) => {
    area.get('', { schema: readInvitationSchema }, async ({ caller, params }, reply) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const { invitation, version } = await findEventInvitation(db, event.id);
      reply.header('etag', entityTag(version));
      return { invitation };
    });

    area.put('', { schema: updateInvitationSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note, unchanged }) => {
        const changes = readGiven(invitationFields, fieldsAmong(invitationFields, request.body));
        const before = await findEventInvitation(transaction, event.id);
        unchanged(before.version);
        if (!changesBetween(before.invitation, changes) && !confirmsWording(before, changes)) {
          return { version: before.version, body: { invitation: before.invitation } };
        }
        await saveEventInvitation(transaction, event.id, before, changes, now);
        const { invitation, version } = await findEventInvitation(transaction, event.id);
        note('invitation', null, 'changed', changesBetween(before.invitation, invitation));
        return { version, body: { invitation } };
      }),
    );
  });
}
