import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { CommonRefusal } from '../refusal.ts';
import { isSameSecret } from '../same-secret.ts';
import type { App, LimitNetwork } from './app.ts';
import { isLocal } from './client-address.ts';
import { measureEventLoop, UNUSED_TIMER_MS } from './event-loop-metrics.ts';
import { type PreparedText, prepareText, sendPrepared } from './prepared-text.ts';

type Access = Pick<Config, 'metricsToken' | 'metricsOpen'>;

/** Milliseconds for which the text of the metrics is cached: making it takes tens of milliseconds. */
const CACHED_MS = 1_000;

/**
 * Prometheus metrics of the process and of every route, at `/metrics`: for clients with the token if one is set,
 * otherwise only for this machine, unless the settings open them to all.
 */
export function serveMetrics(app: App, config: Access, limitNetwork: LimitNetwork): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: UNUSED_TIMER_MS });
  measureEventLoop(registry);
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '(none)';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  let cached: { until: number; text: Promise<PreparedText> } | undefined;
  const written = async () => prepareText(await registry.metrics(), registry.contentType);
  app.get(
    '/metrics',
    { schema: { hide: true }, onRequest: [limitNetwork, async (request) => admit(request, config)] },
    async (request, reply) => {
      const now = performance.now();
      if (!cached || now >= cached.until) cached = { until: now + CACHED_MS, text: written() };
      return sendPrepared(request, reply, await cached.text);
    },
  );
  return registry;
}

function admit(request: FastifyRequest, { metricsToken, metricsOpen }: Access): void {
  if (metricsOpen) return;
  if (metricsToken === undefined) {
    if (!isLocal(request)) throw new CommonRefusal(403, 'metrics_closed');
  } else if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
    throw new CommonRefusal(401, 'unauthorized', { 'www-authenticate': 'Bearer' });
  }
}
