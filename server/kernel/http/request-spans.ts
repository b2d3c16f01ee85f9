import type { FastifyRequest } from 'fastify';
import type { OpenSpan, Tracing } from '../tracing/tracing.ts';
import type { App } from './app.ts';

interface TracedRequest {
  span: OpenSpan;
  /** Error that the request ended with; its status is known only when the response is sent. */
  error?: unknown;
}

/** Routes that other programs ask every few seconds. */
const UNTRACED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Makes a span of each request, a child of the client's span if the request has the header `traceparent`. The span has
 * the pattern of the route instead of the address, which can contain secrets.
 */
export function traceRequests(app: App, tracing: Tracing): void {
  if (!tracing.isOn) return;
  const requests = new WeakMap<FastifyRequest, TracedRequest>();
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, id } = request;
    const route = request.routeOptions.url;
    if (route !== undefined && UNTRACED.has(route)) return done();
    const span = tracing.start(route === undefined ? method : `${method} ${route}`, {
      kind: 'server',
      attributes: {
        'http.request.method': method,
        ...(route !== undefined && { 'http.route': route }),
        'simcha.request_id': id,
      },
      parent: { traceparent: headers.traceparent as string, tracestate: headers.tracestate as string },
    });
    const traced: TracedRequest = { span };
    requests.set(request, traced);
    // The span of a response that lasts, such as an event stream, ends when the client leaves.
    reply.raw.once('close', () => {
      const { statusCode } = reply;
      span.set({ 'http.response.status_code': statusCode });
      if (statusCode >= 500) span.fail(traced.error ?? `status ${statusCode}`);
      span.end();
    });
    span.run(done);
  });
  // A body is read in the events of its connection, where the span is not the active one.
  app.addHook('preValidation', (request, _reply, done) => {
    const traced = requests.get(request);
    if (traced) traced.span.run(done);
    else done();
  });
  app.addHook('onError', async (request, _reply, error) => {
    const traced = requests.get(request);
    if (traced) traced.error = error;
  });
}
