import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { type Clock, DEFAULT_ZONE } from '../../kernel/clock.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { noSuchEvent, requireReadable } from '../events/access.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import type { EventWriter, RequestedWrite, WriteOutcome } from '../events/write.ts';
import { checklistOf } from './checklist.ts';
import {
  type Checklist,
  ChecklistItem,
  checklistSchema,
  dismissChecklistSchema,
  readFactsSchema,
  readItemSchema,
  restoreChecklistSchema,
  sharedSchemas,
  updateFactsSchema,
  updateItemSchema,
} from './contract.ts';
import { factFields, INITIAL_PROGRESS, progressFields } from './fields.ts';
import { messages } from './messages.ts';
import { findChecklist, type StoredChecklist, saveFacts, saveProgress, setDismissed } from './store.ts';

export interface ChecklistParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  clock: Clock;
}

const SUBJECT = 'checklist';

/** Routes of an event's compliance checklist: the facts it follows from, and the progress of each item. */
export function serveChecklist(server: Server, { db, writer, authenticate, clock }: ChecklistParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id/checklist', (area) => {
    area.get('', { schema: checklistSchema }, async (request) => {
      return { checklist: checklistFor(request, await read(db, request.caller, request.params.id)) };
    });

    area.get('/facts', { schema: readFactsSchema }, async ({ caller, params }, reply) => {
      const { facts, factsVersion } = await read(db, caller, params.id);
      reply.header('etag', entityTag(factsVersion));
      return { facts };
    });

    area.put('/facts', { schema: updateFactsSchema }, (request, reply) =>
      change(request, reply, async ({ transaction, event, now, note, unchanged }, before) => {
        const facts = readWhole(factFields, fieldsAmong(factFields, request.body), before.facts);
        unchanged(before.factsVersion);
        const changes = changesBetween(before.facts, facts);
        if (changes) await saveFacts(transaction, event.id, facts, now);
        note(SUBJECT, null, 'changed', changes);
        return (after) => ({
          version: after.factsVersion,
          body: { checklist: checklistFor(request, after) },
        });
      }),
    );

    for (const [path, schema, dismissed] of [
      ['/dismiss', dismissChecklistSchema, true],
      ['/restore', restoreChecklistSchema, false],
    ] as const) {
      area.post(path, { schema }, (request, reply) =>
        change(request, reply, async ({ transaction, event, now, note }, before) => {
          await setDismissed(transaction, event.id, dismissed, now);
          const changes = changesBetween(
            { compliance_dismissed: before.dismissed },
            { compliance_dismissed: dismissed },
          );
          note('event', event.id, 'changed', changes);
          return (after) => ({ body: { checklist: checklistFor(request, after) } });
        }),
      );
    }

    area.get('/:item', { schema: readItemSchema }, async (request, reply) => {
      const { caller, params } = request;
      const stored = await read(db, caller, params.id);
      const item = requireItem(checklistFor(request, stored), params.item);
      reply.header('etag', entityTag(versionOf(stored, item)));
      return { item };
    });

    area.put('/:item', { schema: updateItemSchema }, (request, reply) =>
      change(request, reply, async ({ transaction, event, now, note, unchanged }, before) => {
        const { item: name } = request.params;
        const item = requireItem(checklistFor(request, before), name);
        const { version, ...current } = before.progress.get(item.item) ?? { ...INITIAL_PROGRESS, version: 0 };
        const fields = fieldsAmong(ChecklistItem.properties, request.body);
        const progress = readWhole(progressFields, fields, current);
        unchanged(version);
        const changes = changesBetween(current, progress);
        if (changes) await saveProgress(transaction, event.id, item.item, progress, now);
        note(SUBJECT, null, 'changed', changes && { item: { from: item.item, to: item.item }, ...changes });
        return (after) => {
          const changed = requireItem(checklistFor(request, after), name);
          return { version: versionOf(after, changed), body: { item: changed } };
        };
      }),
    );
  });

  function checklistFor(request: FastifyRequest, stored: StoredChecklist): Checklist {
    const today = clock().toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate();
    return checklistOf(stored, today, DEFAULT_ZONE, responseLanguageOf(request));
  }

  /**
   * Changes the checklist of an event that the caller may edit. `work` returns a function that makes the response from
   * the changed checklist.
   */
  function change<T>(
    request: Parameters<EventWriter['change']>[0],
    reply: Parameters<EventWriter['change']>[1],
    work: (
      write: RequestedWrite,
      before: StoredChecklist,
    ) => Promise<(after: StoredChecklist) => WriteOutcome<T>>,
  ): Promise<T> {
    return writer.change(request, reply, async (write) => {
      const now = () => read(write.transaction, request.caller, write.event.id);
      const answer = await work(write, await now());
      return answer(await now());
    });
  }
}

async function read(db: Kysely<unknown>, caller: Caller, eventId: string): Promise<StoredChecklist> {
  if (!isUuid(eventId)) throw noSuchEvent();
  return requireReadable(await findChecklist(db, caller, eventId));
}

function requireItem({ items }: Checklist, name: string): ChecklistItem {
  const item = items.find((one) => one.item === name);
  if (!item) throw new Refusal(404, 'not_found', messages.noSuchItem);
  return item;
}

function versionOf({ progress }: StoredChecklist, { item }: ChecklistItem): number {
  return progress.get(item)?.version ?? 0;
}
