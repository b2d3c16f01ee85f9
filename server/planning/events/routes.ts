import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { labelsOf } from '../../kernel/field-types.ts';
import { type Fields, refuseUnknown } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import type { ErrorStyle } from '../../kernel/http/errors.ts';
import type { Language } from '../../kernel/languages.ts';
import { addPage, readPageLeniently } from '../../kernel/paging.ts';
import { readQuery, readQueryLeniently, refuseMisspelt } from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween, type FieldChanges } from '../../kernel/writes/history.ts';
import { alreadyAdmitted, type TransactOnce } from '../../kernel/writes/idempotency.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { requireEditable, requireOwner, requireReadable } from './access.ts';
import { responseLanguageOf, serveArea } from './area.ts';
import {
  type CountedEvent,
  createEventSchema,
  deleteEventSchema,
  listEventsSchema,
  readEventSchema,
  sharedSchemas,
  updateEventSchema,
} from './contract.ts';
import { changeQuery, eventFields, eventFilter } from './fields.ts';
import { dismissesChecklist, readChanges, readNewEvent } from './input.ts';
import { hasChecklist } from './lifecycle.ts';
import { messages, otherLabels } from './messages.ts';
import { type DayAdvice, findChangeFacts, previewChange } from './preview.ts';
import { addEvent, eventAfter, findEvent, listEvents, lockEvent, removeEvent, updateEvent } from './store.ts';
import { type EventWrite, type EventWriter, REMOVED } from './write.ts';

const PREFIX = '/api/events';

/**
 * Paths that the contract of the API defines. If a caller names no language, the body of an error there has only
 * `error`, the error's text.
 */
const CONTRACT_PATHS = /^\/api\/events(\/[^/]+)?$/;

/**
 * Error texts of the organizers' areas: in Hebrew, with the field labels of each path prefix, deeper prefixes first.
 */
export function organizerErrorStyles(labels: Readonly<Record<string, ErrorStyle['labels']>>): ErrorStyle[] {
  return Object.entries(labels).map(([prefix, ofArea]) => ({
    prefix,
    language: 'he',
    labels: { ...otherLabels, ...labelsOf(eventFields), ...ofArea },
    exact: CONTRACT_PATHS,
  }));
}

export interface EventParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  transactOnce: TransactOnce;
  clock: Clock;
  /**
   * Called in the transaction of each change of an event, for the work of other parts of planning, such as the waiting
   * list. True if it changed the event's counts.
   */
  onChanged(write: EventWrite<{ id: string }>, changes: FieldChanges): Promise<boolean>;
  /** Calendar advice about the day of an event. */
  dayAdvice(transaction: Kysely<unknown>, event: CountedEvent, language: Language): Promise<DayAdvice[]>;
}

/** Routes with which organizers create, read, change and delete events. */
export function serveEvents(server: Server, parts: EventParts): void {
  const { db, writer, authenticate, transactOnce, clock, onChanged, dayAdvice } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, PREFIX, (app) => {
    app.post(
      '',
      {
        schema: createEventSchema,
        onRequest: async ({ caller }) => {
          if (caller.role !== 'organizer') throw new Refusal(403, 'forbidden', messages.onlyOrganizers);
        },
      },
      (request, reply) =>
        transactOnce(request, reply, alreadyAdmitted(request.caller.id), async (through) => {
          const now = clock();
          const input = readNewEvent(request.body, now);
          const { event, version } = await addEvent(through, request.caller, input, now);
          const showsChecklist = hasChecklist(input.max_guests) && !dismissesChecklist(request.body);
          return {
            status: 201,
            headers: { location: `${PREFIX}/${event.id}`, etag: entityTag(version) },
            body: { event, ...(showsChecklist && { compliance_checklist: true as const }) },
          };
        }),
    );

    app.get('', { schema: listEventsSchema }, async (request) => {
      const page = readPageLeniently(request.query);
      const { status } = readQueryLeniently(eventFilter, request.query);
      return addPage(page, await listEvents(db, request.caller.id, status, page));
    });

    app.get('/:id', { schema: readEventSchema }, async (request, reply) => {
      const { event, version } = requireReadable(await findEvent(db, request.caller, request.params.id));
      reply.header('etag', entityTag(version));
      return { event };
    });

    app.put('/:id', { schema: updateEventSchema }, (request, reply) =>
      writer.changeIf(editableEvent, request, reply, async (write) => {
        const { transaction, event: before, now, note, sendAlong, unchanged } = write;
        // Misspelt query parameters are refused: a misspelt `dry_run` must not make the change permanent.
        refuseMisspelt(changeQuery, request.query);
        // The contract of the API ignores unknown query parameters of this route. `dry_run` is our addition to the
        // contract: a request that has it must not have unknown parameters.
        if ('dry_run' in request.query) refuseUnknown(Object.keys(changeQuery), request.query);
        const { dry_run } = readQuery(changeQuery, request.query);
        const changes = readChanges(request.body, before.event.status, now);
        unchanged(before.version);
        sendAlong(updateEvent(transaction, before.id, changes, now));
        const changed = eventAfter(before, changes, now);
        const differing = changesBetween(before.event, changes);
        note('event', before.id, 'changed', differing);
        const recounted = await onChanged(write, differing ?? {});
        const after = recounted ? await findEvent(transaction, request.caller, before.id) : changed;
        const { event, version } = after ?? changed;
        const dismissed = event.compliance_dismissed || dismissesChecklist(request.body);
        const listed = hasChecklist(event.max_guests) && !dismissed;
        const body = { event, ...(listed && { compliance_checklist: true as const }) };
        if (!dry_run) return { version, body };
        const pending = await findChangeFacts(transaction, before.id);
        const language = responseLanguageOf(request);
        const day = differing?.event_date ? await dayAdvice(transaction, event, language) : [];
        const preview = previewChange(event, differing ?? {}, pending, day, now, language);
        return { version: before.version, body: { ...body, preview }, isDryRun: true };
      }),
    );

    app.delete('/:id', { schema: deleteEventSchema }, (request, reply) =>
      writer.changeIf(removableEvent, request, reply, async (write) => {
        const { transaction, event, now, note, unchanged } = write;
        // Deleting an event has no dry run: a caller who sends `dry_run` must get an error, not a deletion.
        refuseMisspelt(changeQuery, request.query as Fields, []);
        unchanged(event.version);
        await removeEvent(transaction, event.id, now);
        note('event', event.id, 'deleted');
        return REMOVED;
      }),
    );
  });
}

async function editableEvent(...of: Parameters<typeof lockEvent>) {
  return requireEditable(await lockEvent(...of));
}

async function removableEvent(...of: Parameters<typeof lockEvent>) {
  return requireOwner(await lockEvent(...of));
}
