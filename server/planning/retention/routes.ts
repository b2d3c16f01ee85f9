import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { eventReadableWithoutContacts, ownedEvent } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import type { EventWriter } from '../events/write.ts';
import { changeRetentionSchema, eraseSchema, RetentionView, retentionSchema } from './contract.ts';
import { eraseGuests } from './erase.ts';
import { retentionFields } from './fields.ts';
import { messages } from './messages.ts';
import { changeRetention, findRetention } from './store.ts';

export interface RetentionParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
}

/** Routes for the retention period of guests' data, and for erasing it at once. */
export function serveRetention(server: Server, { db, writer, authenticate }: RetentionParts): void {
  server.app.addSchema(RetentionView);
  serveArea(server, authenticate, '/api/events', (area) => {
    area.get('/:id/retention', { schema: retentionSchema }, async ({ caller, params }, reply) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const { retention, version } = await findRetention(db, event.id);
      reply.header('etag', entityTag(version));
      return { retention };
    });

    area.put('/:id/retention', { schema: changeRetentionSchema }, (request, reply) =>
      writer.changeIf(ownedEvent, request, reply, async ({ transaction, event, now, note, unchanged }) => {
        const input = readWhole(retentionFields, fieldsAmong(RetentionView.properties, request.body));
        const before = await findRetention(transaction, event.id);
        const { erased_at, retention_policy_days } = before.retention;
        if (erased_at) throw new Refusal(409, 'erased', messages.erasedAlready);
        unchanged(before.version);
        if (!changesBetween({ retention_policy_days }, input)) {
          return { version: before.version, body: { retention: before.retention } };
        }
        await changeRetention(transaction, event.id, input.retention_policy_days, now);
        note('event', event.id, 'changed', changesBetween({ retention_policy_days }, input));
        const { retention, version } = await findRetention(transaction, event.id);
        return { version, body: { retention } };
      }),
    );

    area.post('/:id/guests/erase', { schema: eraseSchema }, (request, reply) =>
      writer.changeIf(ownedEvent, request, reply, async (write) => ({
        body: { erased: await eraseGuests(write) },
      })),
    );
  });
}
