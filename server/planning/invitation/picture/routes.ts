import type { Readable } from 'node:stream';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { toStorableText } from '../../../kernel/database/storable.ts';
import type { App, Server } from '../../../kernel/http/app.ts';
import { networkOf } from '../../../kernel/http/client-address.ts';
import { abortedOnClose } from '../../../kernel/http/fair-share.ts';
import { CommonRefusal, Refusal } from '../../../kernel/refusal.ts';
import { FileTooLarge, type Uploads } from '../../../kernel/uploads.ts';
import { entityTag } from '../../../kernel/writes/preconditions.ts';
import { changeableEvent, eventReadableWithoutContacts } from '../../events/access.ts';
import { serveArea } from '../../events/area.ts';
import { type EventWriter, REMOVED } from '../../events/write.ts';
import { picturePath } from './addresses.ts';
import { deletePictureSchema, Picture, putPictureSchema, readPictureSchema } from './contract.ts';
import { drawPicture, PictureProblem } from './drawing.ts';
import { createDrawingQueue } from './drawing-queue.ts';
import { messages } from './messages.ts';
import { type DrawnPicture, PICTURE_LIMITS, PICTURE_SIZES } from './sizes.ts';
import { findPicture, readPicture, removePicture, type StoredPicture, savePicture } from './store.ts';

export interface PictureParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  uploads: Uploads;
  publicUrl: string;
}

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'];

/** Routes of an invitation's picture: for the organizer to change it, and for everybody to see it. */
export function servePicture(server: Server, parts: PictureParts): void {
  const { db, writer, authenticate, uploads, publicUrl } = parts;
  server.app.addSchema(Picture);
  const inTurn = createDrawingQueue();
  const shown = ({ key, width, height }: StoredPicture): Picture => ({
    url: publicUrl + picturePath(key, 'large'),
    small_url: publicUrl + picturePath(key, 'small'),
    preview_url: publicUrl + picturePath(key, 'preview'),
    width,
    height,
  });
  /** Reads an event's picture. Its version is the time when it was made; 0 if there is no picture. */
  const read = async (through: Kysely<unknown>, eventId: string) => {
    const found = await findPicture(through, eventId);
    return found
      ? { picture: shown(found), version: found.created_at.getTime() }
      : { picture: null, version: 0 };
  };

  serveArea(server, authenticate, '/api/events/:id/invitation/picture', (area) => {
    area.removeAllContentTypeParsers();
    area.addContentTypeParser(TYPES, (_request, payload, done) => done(null, payload));
    area.addContentTypeParser('*', (_request, _payload, done) =>
      done(new Refusal(415, 'wrong_content_type', messages.wrongType)),
    );
    area.setErrorHandler((error, request, reply) => {
      const isTooLarge = (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
      return server.errorFormatter.answer(isTooLarge ? tooLarge() : error, request, reply as never);
    });

    area.get('', { schema: readPictureSchema }, async ({ caller, params }, reply) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const { picture, version } = await read(db, event.id);
      reply.header('etag', entityTag(version));
      return { picture };
    });

    const bodyLimit = PICTURE_LIMITS.fileBytes;
    area.put('', { schema: putPictureSchema, bodyLimit }, async (request, reply) => {
      const { caller, method, url, headers, params } = request;
      await changeableEvent(db, caller, params.id);
      await server.strictLimit(request, reply, `pictures of ${caller.id}`);
      const drawn = await drawnOf(request.body, (path) =>
        inTurn(caller.id, abortedOnClose(reply), () => drawPicture(path)),
      );
      return writer.change(
        { caller, params, method, url, headers },
        reply,
        async ({ transaction, event, now, note, unchanged }) => {
          const before = await read(transaction, event.id);
          unchanged(before.version);
          await savePicture(transaction, event.id, drawn, now);
          const { picture, version } = await read(transaction, event.id);
          if (!picture) throw new Error('the picture is gone');
          note('invitation', null, 'changed', {
            picture: { from: before.picture?.url ?? null, to: picture.url },
          });
          return { version, body: { picture } };
        },
      );
    });

    area.delete('', { schema: deletePictureSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, note, unchanged }) => {
        const { picture, version } = await read(transaction, event.id);
        unchanged(version);
        await removePicture(transaction, event.id);
        if (picture) note('invitation', null, 'changed', { picture: { from: picture.url, to: null } });
        return REMOVED;
      }),
    );
  });

  /** Stores the request's body in a temporary file, draws the picture's sizes from it, and deletes the file. */
  async function drawnOf(
    body: unknown,
    draw: (path: string) => Promise<DrawnPicture[]>,
  ): Promise<DrawnPicture[]> {
    if (!body) throw new Refusal(400, 'no_picture', messages.none);
    try {
      await using file = await uploads.spool(body as Readable, PICTURE_LIMITS.fileBytes);
      return await draw(file.path);
    } catch (error) {
      if (error instanceof FileTooLarge) throw tooLarge();
      if (!(error instanceof PictureProblem)) throw error;
      throw new Refusal(400, 'unusable_picture', messages.complaints[error.complaint]);
    }
  }

  serveFiles(server, db);
}

const file = { schema: { hide: true, params: Type.Object({ key: Type.String(), file: Type.String() }) } };

/**
 * Routes that serve the pictures themselves. Their addresses can't be guessed, and the picture at an address never
 * changes.
 */
function serveFiles({ app, limit, requireDatabase }: Server, db: Kysely<unknown>): void {
  app.register(async (files: App) => {
    files.addHook('onRequest', async (request, reply) =>
      limit(request, reply, `guest:${networkOf(request)}`),
    );
    files.addHook('onRequest', requireDatabase);
    files.get('/i/:key/:file', file, async ({ params, headers }, reply) => {
      const size = PICTURE_SIZES.find((one) => params.file === `${one}.jpg`);
      const content = size && (await readPicture(db, toStorableText(params.key), size));
      if (!content) throw new CommonRefusal(404, 'not_found');
      const tag = `"${params.key}-${size}"`;
      reply.headers({
        etag: tag,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-robots-tag': 'noindex',
      });
      if (headers['if-none-match']?.includes(tag)) return reply.code(304).send();
      return reply.type('image/jpeg').send(content);
    });
  });
}

function tooLarge(): Refusal {
  // The rest of the request's body is not read, so its connection can't be used for another request.
  return new Refusal(413, 'too_large', messages.tooLarge, { headers: { connection: 'close' } });
}
