import { createHash } from 'node:crypto';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { type Clock, DEFAULT_ZONE } from '../../kernel/clock.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { networkOf } from '../../kernel/http/client-address.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { alreadyAdmitted, type TransactOnce } from '../../kernel/writes/idempotency.ts';
import { entityTag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { isToken } from '../answers/personal-links.ts';
import { serveArea } from '../events/area.ts';
import {
  CalendarFeed,
  closeFeedSchema,
  openFeedSchema,
  readFeedSchema,
  renewFeedSchema,
} from './contract.ts';
import { renderFeed } from './feed.ts';
import { feedFields } from './fields.ts';
import { messages } from './messages.ts';
import { closeFeed, type FeedAddresses, findFeed, openFeed, readFeed } from './store.ts';

export interface FeedParts {
  db: Kysely<unknown>;
  addresses: FeedAddresses;
  /** Base address of this server; its host is part of the ids of calendar entries. */
  publicUrl: string;
  authenticate: onRequestAsyncHookHandler;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Routes of the calendar feed: an organizer's events for their own calendar program, at a secret address. */
export function serveFeeds(server: Server, parts: FeedParts): void {
  const { db, addresses, authenticate, transactOnce, clock } = parts;
  server.app.addSchema(CalendarFeed);

  serveArea(server, authenticate, '/api/calendar/feed', (area) => {
    area.get('', { schema: readFeedSchema }, async ({ caller }, reply) => {
      const { feed, version } = await findFeed(db, addresses, caller);
      reply.header('etag', entityTag(version));
      return { feed };
    });

    area.put('', { schema: openFeedSchema }, async (request, reply) => {
      const { caller } = request;
      const unchanged = ifMatch(request);
      const { feed, version } = await db.transaction().execute(async (transaction) => {
        const before = await findFeed(transaction, addresses, caller, true);
        const fields = fieldsAmong(CalendarFeed.properties, request.body);
        const settings = readWhole(feedFields, fields, before.feed);
        unchanged(before.version);
        if (before.feed.url && !changesBetween(before.feed, settings)) return before;
        await openFeed(transaction, addresses, caller, settings, before.row.link_version, clock());
        return findFeed(transaction, addresses, caller);
      });
      reply.header('etag', entityTag(version));
      return { feed };
    });

    area.post('/renew', { schema: renewFeedSchema }, (request, reply) =>
      transactOnce(request, reply, alreadyAdmitted(request.caller.id), async (through) => {
        const { caller } = request;
        const before = await findFeed(through, addresses, caller);
        if (!before.feed.url) throw new Refusal(404, 'not_found', messages.noFeed);
        await openFeed(through, addresses, caller, before.feed, before.row.link_version + 1, clock());
        const { feed, version } = await findFeed(through, addresses, caller);
        return { status: 200, headers: { etag: entityTag(version) }, body: { feed }, secret: true };
      }),
    );

    area.delete('', { schema: closeFeedSchema }, async (request, reply) => {
      const unchanged = ifMatch(request);
      await db.transaction().execute(async (transaction) => {
        const before = await findFeed(transaction, addresses, request.caller, true);
        unchanged(before.version);
        await closeFeed(transaction, request.caller, clock());
      });
      return reply.code(204).send(null);
    });
  });

  servePublished(server, parts);
}

const published = { schema: { hide: true, params: Type.Object({ token: Type.String() }) } };

/** Route of the feed's calendar file, which calendar programs request again and again. */
function servePublished({ app, limit, requireDatabase }: Server, { db, publicUrl, clock }: FeedParts): void {
  const host = new URL(publicUrl).hostname;

  app.register(async (feeds: App) => {
    feeds.addHook('onRequest', (request, reply) => limit(request, reply, `feed:${networkOf(request)}`));
    feeds.addHook('onRequest', requireDatabase);

    feeds.get('/c/:token.ics', published, async ({ params, headers }, reply) => {
      const { token } = params;
      const now = clock();
      const fed = isToken(token) ? await readFeed(db, token, now) : undefined;
      if (!fed) throw new Refusal(404, 'not_found', messages.noFeed);
      const calendar = renderFeed(fed, host, now.toZonedDateTimeISO(DEFAULT_ZONE));
      const tag = `"${createHash('sha256').update(calendar).digest('base64url')}"`;
      reply.headers({
        etag: tag,
        'cache-control': 'private, no-cache',
        'content-disposition': 'inline; filename="simcha.ics"',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      });
      if (isAmong(tag, headers['if-none-match'])) return reply.code(304).send();
      return reply.type('text/calendar; charset=utf-8').send(calendar);
    });
  });
}

/** True if the client's copy of the calendar file is current (RFC 9110, 13.1.2); weak comparison. */
function isAmong(tag: string, ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag) ?? false;
}
