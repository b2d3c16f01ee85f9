import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Registry } from 'prom-client';
import type { ErrorFormatter } from './errors.ts';
import type { EventStreams } from './event-stream.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Counts a request against `key` (a client or a credential); throws a 429 beyond the limit. */
export type Limit = (request: FastifyRequest, reply: FastifyReply, key: string) => Promise<void>;

/** Hook for routes that counts a request against its client's network; throws a 429 beyond the limit. */
export type LimitNetwork = onRequestAsyncHookHandler;

/** Responds to a browser that opens an unknown address. The response's status is already 404. */
export type NotFoundPage = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Parts of the HTTP server that each area of the API uses to serve its routes. */
export interface Server {
  app: App;
  /** Sets the page that browsers get at unknown addresses, with status 404. */
  setNotFoundPage(page: NotFoundPage): void;
  errorFormatter: ErrorFormatter;
  limit: Limit;
  /**
   * Limit for routes where guessing a secret pays, stricter than the general `limit`, which applies too. It counts
   * requests by client address.
   */
  strictLimit: Limit;
  /** Hook for routes that responds with 503 until the database's tables and the job queue are ready. */
  requireDatabase: onRequestAsyncHookHandler;
  streams: EventStreams;
  /** Registry of the metrics that `/metrics` shows. */
  metrics: Registry;
}
