import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { CommonRefusal } from '../refusal.ts';
import { sameSecret } from '../same-secret.ts';
import type { App } from './app.ts';

/** Prometheus metrics of the process and of every route, at `/metrics`. */
export function countRequests(app: App, config: Pick<Config, 'metricsToken'>): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '(none)';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const { metricsToken } = config;
    if (metricsToken && !sameSecret(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw new CommonRefusal(401, 'unauthorized', { 'www-authenticate': 'Bearer' });
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
