import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong, invalidField, refuseOther } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { refuseStopped, tooManyMailsRefusal } from '../../kernel/mail/refusals.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { eventReadableWithoutContacts, ownedOpenEvent, requireOwner, sharedEvent } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import { mailSenderOf } from '../events/mail-sender.ts';
import { listSharedEvents } from '../events/store.ts';
import { type EventWriter, REMOVED } from '../events/write.ts';
import {
  CoOrganizer,
  changeCoOrganizerSchema,
  inviteCoOrganizerSchema,
  listCoOrganizersSchema,
  listSharedEventsSchema,
  MOST_CO_ORGANIZERS,
  removeCoOrganizerSchema,
  SharedEvent,
} from './contract.ts';
import { accessField, coOrganizerFields } from './fields.ts';
import { invitationMail } from './letter.ts';
import { messages } from './messages.ts';
import { coOrganizers, findSharedEventFacts, type StoredCoOrganizer } from './store.ts';

export interface SharingParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  mail: Mail;
  publicUrl: string;
}

/** Routes of an event's co-organizers, and of the events that others share with the caller. */
export function serveSharing(
  server: Server,
  { db, writer, authenticate, mail, publicUrl }: SharingParts,
): void {
  server.app.addSchema(CoOrganizer).addSchema(SharedEvent);

  serveArea(server, authenticate, '/api/shared-events', (area) => {
    area.get('', { schema: listSharedEventsSchema }, async (request) => {
      const page = readPage(request.query);
      return addPage(page, await listSharedEvents(db, request.caller, page));
    });
  });

  serveArea(server, authenticate, '/api/events/:id/co-organizers', (area) => {
    area.get('', { schema: listCoOrganizersSchema }, async (request) => {
      const event = await eventReadableWithoutContacts(db, request.caller, request.params.id);
      const all = await coOrganizers.list(db, event.id);
      return {
        co_organizers: event.contacts ? all : all.filter(({ email }) => email === request.caller.email),
      };
    });

    area.post('', { schema: inviteCoOrganizerSchema }, async (request, reply) => {
      const { caller, body } = request;
      // Each invitation sends mail to a stranger, so the limit is as many invitations as a person could make by hand.
      await server.strictLimit(request, reply, `invitations of ${caller.id}`);
      return writer.changeIf(ownedOpenEvent, request, reply, async ({ transaction, event, now, note }) => {
        const invitation = readWhole(coOrganizerFields, fieldsAmong(coOrganizerFields, body));
        if (invitation.email === caller.email) throw invalidField('email', messages.yourself);
        const added = await coOrganizers.add(transaction, event.id, invitation, now);
        if (added === 'full') throw new Refusal(400, 'too_many', messages.tooMany(MOST_CO_ORGANIZERS));
        if (added === 'there') throw new Refusal(409, 'duplicate', messages.alreadyThere);
        const { person: coOrganizer, version } = added;
        note(SUBJECT, coOrganizer.id, 'created', changesBetween({}, invitation));
        const facts = await findSharedEventFacts(transaction, event.id);
        const sender = await mailSenderOf(transaction, event.id);
        await refuseStopped(mail, transaction, sender.id);
        const sent = await mail.enqueue(
          transaction,
          invitationMail(coOrganizer, facts, caller.email, publicUrl),
          { urgency: 'ordinary', sender, topic: event.id },
        );
        if (sent === undefined) throw tooManyMailsRefusal(await mail.forecast(transaction, sender, 1), 1);
        return { status: 201, version, body: { co_organizer: coOrganizer } };
      });
    });

    area.put('/:coOrganizerId', { schema: changeCoOrganizerSchema }, (request, reply) =>
      writer.changeIf(ownedOpenEvent, request, reply, async ({ transaction, now, note, unchanged }) => {
        const before = requireCoOrganizer(await lock(transaction, request.params));
        const fields = fieldsAmong(CoOrganizer.properties, request.body);
        refuseOther(['email'], fields, before.person);
        const { access } = readWhole(accessField, fields);
        unchanged(before.version);
        const isSame = access === before.person.access;
        const after = isSame ? before : await coOrganizers.change(transaction, before.person.id, access, now);
        const changes = changesBetween(before.person, after.person);
        note(SUBJECT, after.person.id, 'changed', changes);
        return { version: after.version, body: { co_organizer: after.person } };
      }),
    );

    area.delete('/:coOrganizerId', { schema: removeCoOrganizerSchema }, (request, reply) =>
      writer.changeIf(sharedEvent, request, reply, async ({ transaction, event, note, unchanged }) => {
        const theirs = await lock(transaction, request.params);
        const leaving = theirs !== undefined && theirs.person.email === request.caller.email;
        if (!leaving) requireOwner(event);
        const { person: coOrganizer, version } = requireCoOrganizer(theirs);
        unchanged(version);
        await coOrganizers.remove(transaction, coOrganizer.id);
        note(SUBJECT, coOrganizer.id, 'deleted', { email: { from: coOrganizer.email, to: null } });
        return REMOVED;
      }),
    );
  });
}

const SUBJECT = 'co_organizer';

async function lock(
  transaction: Kysely<unknown>,
  { id, coOrganizerId }: { id: string; coOrganizerId: string },
): Promise<StoredCoOrganizer | undefined> {
  return isUuid(coOrganizerId) ? coOrganizers.lock(transaction, id, coOrganizerId) : undefined;
}

function requireCoOrganizer(stored: StoredCoOrganizer | undefined): StoredCoOrganizer {
  if (!stored) throw new Refusal(404, 'not_found', messages.notFound);
  return stored;
}
