import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Encryption } from '../../kernel/encryption.ts';
import type { Server } from '../../kernel/http/app.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import type { EventWriter } from '../events/write.ts';
import { serveGuestPages } from './guest-page-routes.ts';
import { serveRsvpApi } from './link-routes.ts';
import type { Links } from './personal-links.ts';
import { serveRsvpSettings } from './routes.ts';
import type { OpenLinkParts } from './submit-request.ts';

export interface AnsweringParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  publicUrl: string;
  mail: Mail;
  encryption: Encryption;
  links: Links;
  authenticate: onRequestAsyncHookHandler;
  transactOnce: TransactOnce;
  clock: Clock;
  accessibilityContact: string | undefined;
  mailLinkAgain: OpenLinkParts['mailLinkAgain'];
}

/** Registers all routes about answering: guest pages, their API, and the organizer's settings. */
export function serveAnswering(server: Server, parts: AnsweringParts): void {
  serveRsvpSettings(server, parts);
  serveRsvpApi(server, parts);
  serveGuestPages(server, parts);
}
