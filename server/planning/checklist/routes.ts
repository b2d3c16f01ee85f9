import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { type Clock, DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import type { Once } from '../../kernel/writes/idempotency.ts';
import { etag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { noSuchEvent, readable } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import { type EventWrite, writeInEvent } from '../events/write.ts';
import { checklistOf } from './checklist.ts';
import {
  type Checklist,
  type ChecklistItem,
  checklistSchema,
  dismissSchema,
  readFactsSchema,
  readItemSchema,
  restoreSchema,
  sharedSchemas,
  updateFactsSchema,
  updateItemSchema,
} from './contract.ts';
import { readFacts, readProgress } from './input.ts';
import { messages } from './messages.ts';
import {
  findChecklist,
  type StoredChecklist,
  saveFacts,
  saveProgress,
  setDismissed,
  UNTOUCHED,
} from './store.ts';

export interface ChecklistParts {
  db: Kysely<unknown>;
  authenticate: onRequestAsyncHookHandler;
  once: Once;
  clock: Clock;
}

const SUBJECT = 'checklist';

/** What an event should have, and how far each item is. */
export function serveChecklist(server: Server, { db, authenticate, once, clock }: ChecklistParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id/checklist', (area) => {
    area.get('', { schema: checklistSchema }, async ({ caller, params }) => {
      return { checklist: shown(await read(db, caller, params.id)) };
    });

    area.get('/facts', { schema: readFactsSchema }, async ({ caller, params }, reply) => {
      const { facts, factsVersion } = await read(db, caller, params.id);
      reply.header('etag', etag(factsVersion));
      return { facts };
    });

    area.put('/facts', { schema: updateFactsSchema }, async (request, reply) => {
      const unchanged = ifMatch(request);
      const after = await write(db, request, async ({ transaction, event, now, note }, before) => {
        const facts = readFacts(request.body, before.facts);
        unchanged(before.factsVersion);
        await saveFacts(transaction, event.id, facts, now);
        await note(SUBJECT, null, 'changed', changesBetween(before.facts, facts));
      });
      reply.header('etag', etag(after.factsVersion));
      return { checklist: shown(after) };
    });

    for (const [path, schema, dismissed] of [
      ['/dismiss', dismissSchema, true],
      ['/restore', restoreSchema, false],
    ] as const) {
      area.post(path, { schema }, (request, reply) =>
        once(request, reply, request.caller.id, async (through) => {
          const after = await write(through, request, async ({ transaction, event, now, note }, before) => {
            await setDismissed(transaction, event.id, dismissed, now);
            const changes = changesBetween(
              { compliance_dismissed: before.dismissed },
              { compliance_dismissed: dismissed },
            );
            await note('event', event.id, 'changed', changes);
          });
          return { status: 200, body: { checklist: shown(after) } };
        }),
      );
    }

    area.get('/:item', { schema: readItemSchema }, async ({ caller, params }, reply) => {
      const stored = await read(db, caller, params.id);
      const item = found(shown(stored), params.item);
      reply.header('etag', etag(versionOf(stored, item)));
      return { item };
    });

    area.put('/:item', { schema: updateItemSchema }, async (request, reply) => {
      const { params, body } = request;
      const unchanged = ifMatch(request);
      const after = await write(db, request, async ({ transaction, event, now, note }, before) => {
        const item = found(shown(before), params.item);
        const current = before.progress.get(item.item) ?? { ...UNTOUCHED };
        const progress = readProgress(body, current);
        unchanged(versionOf(before, item));
        await saveProgress(transaction, event.id, item.item, progress, now);
        const changes = changesBetween(current, progress);
        await note(
          SUBJECT,
          null,
          'changed',
          changes && { item: { from: item.item, to: item.item }, ...changes },
        );
      });
      const item = found(shown(after), params.item);
      reply.header('etag', etag(versionOf(after, item)));
      return { item };
    });
  });

  function shown(stored: StoredChecklist): Checklist {
    return checklistOf(stored, clock().toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate(), DEFAULT_ZONE);
  }

  /** Changes the checklist of an event that the caller may edit, and gives it as it is then. */
  function write(
    through: Kysely<unknown>,
    { caller, params }: { caller: Caller; params: { id: string } },
    work: (write: EventWrite, before: StoredChecklist) => Promise<void>,
  ): Promise<StoredChecklist> {
    return writeInEvent(through, caller, params.id, clock(), async (event) => {
      await work(event, await read(event.transaction, caller, params.id));
      return read(event.transaction, caller, params.id);
    });
  }
}

async function read(db: Kysely<unknown>, caller: Caller, eventId: string): Promise<StoredChecklist> {
  if (!isUuid(eventId)) throw noSuchEvent();
  return readable(await findChecklist(db, caller, eventId));
}

function found({ items }: Checklist, name: string): ChecklistItem {
  const item = items.find((one) => one.item === name);
  if (!item) throw new Refusal(404, 'not_found', messages.noSuchItem);
  return item;
}

function versionOf({ progress }: StoredChecklist, { item }: ChecklistItem): number {
  return progress.get(item)?.version ?? 0;
}
