import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { eventReadableWithoutContacts } from '../events/access.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import { type EventWriter, REMOVED } from '../events/write.ts';
import {
  AgendaItem,
  AgendaWarning,
  createAgendaItemSchema,
  deleteAgendaItemSchema,
  listAgendaSchema,
  readAgendaItemSchema,
  updateAgendaItemSchema,
} from './contract.ts';
import { agendaFields } from './fields.ts';
import { addAgendaItem, changeAgendaItem, findAgendaItem, listAgenda, removeAgendaItem } from './store.ts';
import { agendaWarnings } from './warnings.ts';

export interface AgendaParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
}

const SUBJECT = 'agenda_item';

/** Routes of an event's agenda: the items of its schedule. */
export function serveAgenda(server: Server, { db, writer, authenticate }: AgendaParts): void {
  for (const schema of [AgendaItem, AgendaWarning]) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id/agenda', (area) => {
    area.get('', { schema: listAgendaSchema }, async ({ caller, params }) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      return { items: await listAgenda(db, event.id) };
    });

    area.post('', { schema: createAgendaItemSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note }) => {
        const input = readWhole(agendaFields, fieldsAmong(agendaFields, request.body));
        const { item, version } = await addAgendaItem(transaction, event.id, input, now);
        note(SUBJECT, item.id, 'created');
        const location = `/api/events/${event.id}/agenda/${item.id}`;
        const warnings = await agendaWarnings(transaction, event.id, item, responseLanguageOf(request));
        return { status: 201, headers: { location }, version, body: { item, warnings } };
      }),
    );

    area.get('/:agendaItemId', { schema: readAgendaItemSchema }, async ({ caller, params }, reply) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const { item, version } = await findAgendaItem(db, event.id, params.agendaItemId);
      reply.header('etag', entityTag(version));
      return { item };
    });

    area.put('/:agendaItemId', { schema: updateAgendaItemSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note, unchanged }) => {
        const before = await findAgendaItem(transaction, event.id, request.params.agendaItemId);
        const fields = fieldsAmong(AgendaItem.properties, request.body);
        const input = readWhole(agendaFields, fields, before.item);
        unchanged(before.version);
        const { id } = before.item;
        const { item, version } = changesBetween(before.item, input)
          ? await changeAgendaItem(transaction, event.id, id, input, now)
          : before;
        note(SUBJECT, id, 'changed', changesBetween(before.item, item));
        const warnings = await agendaWarnings(transaction, event.id, item, responseLanguageOf(request));
        return { version, body: { item, warnings } };
      }),
    );

    area.delete('/:agendaItemId', { schema: deleteAgendaItemSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, note, unchanged }) => {
        const { item, version } = await findAgendaItem(transaction, event.id, request.params.agendaItemId);
        unchanged(version);
        await removeAgendaItem(transaction, item.id);
        note(SUBJECT, item.id, 'deleted');
        return REMOVED;
      }),
    );
  });
}
