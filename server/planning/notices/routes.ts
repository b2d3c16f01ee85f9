import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { refuseClosedChannel } from '../../kernel/texts/channels.ts';
import type { Texts } from '../../kernel/texts/texts.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { readableEvent } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import type { EventWriter } from '../events/write.ts';
import { EventNotices, readNoticesSchema, updateNoticesSchema } from './contract.ts';
import { noticeFields } from './fields.ts';
import { findNotices, saveNotices } from './store.ts';

export interface NoticeParts {
  db: Kysely<unknown>;
  texts: Pick<Texts, 'channels'>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
}

/** Routes for the switches of automatic messages. */
export function serveNotices(server: Server, { db, texts, writer, authenticate }: NoticeParts): void {
  server.app.addSchema(EventNotices);

  serveArea(server, authenticate, '/api/events/:id/notices', (area) => {
    area.get('', { schema: readNoticesSchema }, async ({ caller, params }, reply) => {
      const event = await readableEvent(db, caller, params.id);
      const { notices, version } = await findNotices(db, event.id);
      reply.header('etag', entityTag(version));
      return { notices };
    });

    area.put('', { schema: updateNoticesSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note, unchanged }) => {
        const before = await findNotices(transaction, event.id);
        const settings = readWhole(noticeFields, fieldsAmong(noticeFields, request.body), before.notices);
        for (const channel of settings.channels) refuseClosedChannel('channels', channel, texts);
        unchanged(before.version);
        const changes = changesBetween(before.notices, settings);
        if (changes) await saveNotices(transaction, event.id, settings, now);
        note('notices', null, 'changed', changes);
        const { notices, version } = await findNotices(transaction, event.id);
        return { version, body: { notices } };
      }),
    );
  });
}
