import { randomUUIDv7 } from 'node:crypto';
import type { Server as HttpServer, RequestListener } from 'node:http';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { type Fields, refuseUnknown } from '../fields.ts';
import type { Logger } from '../log.ts';
import { CommonRefusal } from '../refusal.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { App, LimitNetwork, Server } from './app.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { networkOf } from './client-address.ts';
import { decodableUrl } from './decodable-url.ts';
import { createErrorFormatter, type ErrorStyle } from './errors.ts';
import { createEventStreams } from './event-stream.ts';
import { limitConcurrency, shareLimitsOf } from './fair-share.ts';
import { type HealthParts, serveHealth } from './health.ts';
import { createLimit } from './limits.ts';
import { BODY_LIMIT } from './messages.ts';
import { refuseOtherMethods } from './methods.ts';
import { serveMetrics } from './metrics.ts';
import { describeApi } from './reference.ts';
import { traceRequests } from './request-spans.ts';
import { refusesUnknownParameters } from './resource.ts';
import { securityHeaders } from './security-headers.ts';
import { buildSerializersWhenNeeded } from './serializers.ts';
import { checkAgainAfterSlowBodies } from './slow-bodies.ts';

export interface ServerParts extends Pick<HealthParts, 'isReady' | 'hosting'> {
  config: Config;
  log: Logger;
  database: Database;
  tracing: Tracing;
  errorStyles: readonly ErrorStyle[];
  /** Creates the HTTP server that receives the platform's requests, with its own timeouts. */
  serverFactory?: (platform: RequestListener) => HttpServer;
}

// Maximum length of an id in a path, longer than any URL that node accepts. So an overlong id is an unknown id, and not
// an unknown route.
const MAX_PARAM_LENGTH = 2 ** 16;

/**
 * HTTP server with what all areas of the API need: request ids, security headers, limits, errors, health, metrics and
 * the API reference.
 */
export async function createServer({
  config,
  log,
  database,
  tracing,
  isReady,
  hosting,
  errorStyles,
  serverFactory,
}: ServerParts): Promise<Server> {
  const errorFormatter = createErrorFormatter(errorStyles);
  const app: App = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUIDv7(),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 60_000,
    connectionTimeout: 0,
    ...(serverFactory && { serverFactory }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // No plugin waits for anything outside of this process, so none needs a time limit for its start.
    pluginTimeout: 0,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    schemaController: { compilersFactory: { buildSerializer: buildSerializersWhenNeeded() } },
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    frameworkErrors: (error, request, reply) => errorFormatter.answer(error, request, reply as never),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, errorFormatter.problem),
  }).withTypeProvider<TypeBoxTypeProvider>();

  // Schemas only describe the input. Each area of the API checks its input itself, in its own order, with messages that
  // say what is accepted.
  app.setValidatorCompiler(() => (value) => ({ value }));
  app.removeContentTypeParser(['text/plain', 'application/json']);
  // A request with DELETE has no body (RFC 9110, 9.3.5): content that a client sends along is not read, whatever its
  // type.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  // An empty body counts as no body: some clients announce JSON and then send nothing.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body as string, done),
  );
  app.addHook('onRoute', (route) => {
    const asked = route.schema?.querystring as object | undefined;
    if (!refusesUnknownParameters(asked)) return;
    const known = Object.keys(asked.properties);
    const refuse = async ({ query }: FastifyRequest) => refuseUnknown(known, query as Fields);
    route.preValidation = [refuse, ...[route.preValidation ?? []].flat()];
  });
  traceRequests(app, tracing);
  checkAgainAfterSlowBodies(app);
  app.setErrorHandler((error, request, reply) => errorFormatter.answer(error, request, reply as never));
  const common = securityHeaders(config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(common).header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    // Requests are logged with the pattern of their route instead of the address, which can contain secrets.
    const { method, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info(
      { method, route: routeOptions.url ?? '(none)', status: reply.statusCode, ms },
      'request',
    );
    done();
  });
  const setNotFoundPage = refuseOtherMethods(app);

  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: config.corsOrigins.includes('*') ? '*' : config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'x-request-id',
        'etag',
        'location',
        'idempotent-replayed',
        'retry-after',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
      ],
      maxAge: 600,
      strictPreflight: false,
    });
  }
  await app.register(rateLimit, { global: false, cache: 20_000 });
  app.decorateRequest('limitKey', '');
  limitConcurrency(app, shareLimitsOf(database, config));
  const limit = createLimit(app, { max: config.rateLimit, windowMs: 60_000 });
  const limitNetwork: LimitNetwork = (request, reply) =>
    limit(request, reply, `address:${networkOf(request)}`);
  await describeApi(app, config, limitNetwork);
  const metrics = serveMetrics(app, config, limitNetwork);
  serveHealth(app, { database, isReady, hosting });
  const streams = createEventStreams();
  // Event streams are ended before the server closes: it waits for every response, and streams don't end by themselves
  // in time.
  app.addHook('preClose', async () => streams.close());
  return {
    app,
    setNotFoundPage,
    errorFormatter,
    limit,
    strictLimit: createLimit(app, { max: config.strictRateLimit, windowMs: 900_000 }),
    requireDatabase: async (_request) => {
      if (!isReady()) {
        throw new CommonRefusal(503, 'unavailable');
      }
    },
    streams,
    metrics,
  };
}
