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
import type { ErrorSpeaker } from './errors.ts';
import type { EventStreams } from './event-stream.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Counts a request against `key`; past the limit it throws a 429. */
export type Limit = (request: FastifyRequest, reply: FastifyReply, key: string) => Promise<void>;

/** An onRequest hook that counts a request against its client's network; past the limit it throws a 429. */
export type LimitNetwork = onRequestAsyncHookHandler;

/** What an area is given to serve its routes with. */
export interface Server {
  app: App;
  speaker: ErrorSpeaker;
  limit: Limit;
  /** For routes where guessing pays; counted by client address, beside the other. */
  strictLimit: Limit;
  /** An onRequest hook: 503 until the tables and the job queue are there. */
  requireDatabase: onRequestAsyncHookHandler;
  streams: EventStreams;
  /** What `/metrics` tells. */
  metrics: Registry;
}
