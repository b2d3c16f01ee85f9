import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import type { Clock } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { readGiven, readWhole } from '../../kernel/field-types.ts';
import type { Server } from '../../kernel/http/app.ts';
import type { Language } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { alreadyAdmitted, type TransactOnce } from '../../kernel/writes/idempotency.ts';
import { entityTag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { agendaFields } from '../agenda/fields.ts';
import { addAgendaItem } from '../agenda/store.ts';
import { changeSettings } from '../answers/settings.ts';
import { authorOf, noSuchEvent, requireOwner, writableEvent } from '../events/access.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import { readNewEvent } from '../events/input.ts';
import { messages as eventMessages } from '../events/messages.ts';
import { addEvent, findEvent, lockEvent, removeEvent, updateEvent } from '../events/store.ts';
import { type EventWrite, type EventWriter, REMOVED } from '../events/write.ts';
import { addGuest } from '../guests/capacity/allocation.ts';
import { readNewGuest } from '../guests/input.ts';
import { invitationFields } from '../invitation/fields.ts';
import { findEventInvitation, saveEventInvitation } from '../invitation/store.ts';
import { readQuestion } from '../questions/fields.ts';
import { addQuestion } from '../questions/store.ts';
import { addBooking } from '../vendors/booking-store.ts';
import { MOST_VENDORS } from '../vendors/contract.ts';
import { readBooking, readVendor } from '../vendors/input.ts';
import { messages as vendorMessages } from '../vendors/messages.ts';
import { todayInIsrael } from '../vendors/parts.ts';
import { addVendor } from '../vendors/vendor-store.ts';
import { makeExampleSchema, readExampleSchema, removeExampleSchema } from './contract.ts';
import { type Example, makeExample } from './example.ts';
import { messages } from './messages.ts';
import { findExample, forgetExample, recordExampleVendors, registerExample } from './store.ts';

export interface ExampleParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  transactOnce: TransactOnce;
  clock: Clock;
  publicUrl: string;
}

/** Routes of the example event, which lets a new organizer try everything. */
export function serveExamples(server: Server, parts: ExampleParts): void {
  const { db, writer, authenticate, transactOnce, clock, publicUrl } = parts;

  serveArea(server, authenticate, '/api/example-event', (area) => {
    area.get('', { schema: readExampleSchema }, async ({ caller }) => {
      const example = await findExample(db, caller.id);
      return { event_id: example && !example.is_deleted ? example.event_id : null };
    });

    area.post('', { schema: makeExampleSchema }, async (request, reply) => {
      const { caller } = request;
      if (caller.role !== 'organizer') throw new Refusal(403, 'forbidden', eventMessages.onlyOrganizers);
      await server.strictLimit(request, reply, `examples of ${caller.id}`);
      const making = (transaction: Kysely<unknown>) => make(transaction, caller, responseLanguageOf(request));
      // The example is created in one transaction whether or not the request has an idempotency key.
      return transactOnce(request, reply, alreadyAdmitted(caller.id), (through) =>
        inTransaction(through, making),
      );
    });

    area.delete('', { schema: removeExampleSchema }, async (request, reply) => {
      const { caller } = request;
      const example = await findExample(db, caller.id);
      if (!example || example.is_deleted) throw noSuchEvent();
      const { event_id: eventId } = example;
      const entry = {
        eventId,
        by: authorOf(caller),
        enter: async (transaction: Kysely<unknown>) =>
          requireOwner(await lockEvent(transaction, caller, eventId)),
      };
      const unchanged = ifMatch(request);
      await writer.enter(entry, async ({ transaction, event, now, note }) => {
        unchanged(event.version);
        await removeEvent(transaction, eventId, now);
        await forgetExample(transaction, caller.id, example, now);
        note('event', eventId, 'deleted');
      });
      reply.code(REMOVED.status);
      return REMOVED.body;
    });
  });

  async function make(transaction: Kysely<unknown>, caller: Caller, language: Language) {
    const now = clock();
    const example = makeExample(language, now, caller.email);
    const before = await findExample(transaction, caller.id);
    if (before?.is_deleted) await forgetExample(transaction, caller.id, before, now);
    const { event } = await addEvent(transaction, caller, readNewEvent(example.event, now), now);
    if (!(await registerExample(transaction, caller.id, event.id))) {
      throw new Refusal(409, 'duplicate', messages.thereAlready);
    }
    await updateEvent(transaction, event.id, { status: 'published' }, now);
    const entry = {
      eventId: event.id,
      by: authorOf(caller),
      enter: (inner: Kysely<unknown>) => writableEvent(inner, caller, event.id),
    };
    await writer.enter(entry, (write) => fillExample(write, caller, example, publicUrl), transaction);
    const made = await findEvent(transaction, caller, event.id);
    if (!made) throw new Error('the example is gone');
    const headers = { location: `/api/events/${event.id}`, etag: entityTag(made.version) };
    return { status: 201, headers, body: { event: made.event } };
  }
}

/** Fills the example event with the same functions that read and store an organizer's own requests. */
async function fillExample(
  write: EventWrite,
  caller: Caller,
  example: Example,
  publicUrl: string,
): Promise<void> {
  const { transaction, event, now, note } = write;
  const invitation = readGiven(invitationFields, { ...example.invitation });
  await saveEventInvitation(
    transaction,
    event.id,
    await findEventInvitation(transaction, event.id),
    invitation,
    now,
  );
  // No version is compared: nobody else can have changed the settings of an event that is just being created.
  await changeSettings({ ...write, unchanged() {} }, example.rsvp, publicUrl);
  for (const item of example.agenda) {
    await addAgendaItem(transaction, event.id, readWhole(agendaFields, { ...item }), now);
  }
  const { question } = await addQuestion(transaction, event.id, readQuestion(example.question), now);
  for (const { guest, chose } of example.guests) {
    const option = chose === undefined ? undefined : question.options[chose];
    const { details, answer } = readNewGuest({
      ...guest,
      ...(option && { answers: { [question.id]: option.id } }),
    });
    await addGuest(write, details, answer, { via: 'organizer', action: 'created' });
  }
  const vendorIds: string[] = [];
  for (const { vendor, booking } of example.vendors) {
    const added = await addVendor(transaction, caller, readVendor({ ...vendor }), now);
    if (!added) throw new Refusal(400, 'too_many', vendorMessages.tooManyVendors(MOST_VENDORS));
    const { id, name } = added.vendor;
    vendorIds.push(id);
    const input = readBooking({ ...booking, vendor_id: id }, todayInIsrael(now));
    const booked = await addBooking(transaction, event.id, name, input, now);
    if (booked) note('booking', booked.booking.id, 'created');
  }
  await recordExampleVendors(transaction, caller.id, vendorIds);
}
