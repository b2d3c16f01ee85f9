import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  SpanKind as Kinds,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../log.ts';
import { repeatedWarnings } from '../repeated-warnings.ts';
import type {
  OpenSpan,
  PastSpan,
  SpanAttributes,
  SpanKind,
  SpanOptions,
  Tracing,
  TracingConfig,
} from './tracing.ts';

// Traces with OpenTelemetry. Only `openTracing` imports this file, so that servers without traces don't load its
// packages. Nothing is registered globally: a process may contain several servers.

/** Spans that wait for the collector at most; further ones are dropped. */
const MOST_WAITING = 2_048;
/** Longest time for sending the last spans at the end, in milliseconds. */
const CLOSING_MS = 3_000;
/** Warning about spans that could not be sent. */
const LOST = 'traces could not be sent, and are lost';
/** Maximum length of an attribute, such as the text of a statement. */
const LONGEST_ATTRIBUTE = 4_096;

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

const KINDS: Readonly<Record<SpanKind, Kinds>> = {
  internal: Kinds.INTERNAL,
  server: Kinds.SERVER,
  client: Kinds.CLIENT,
  consumer: Kinds.CONSUMER,
};

type Settings = TracingConfig & { otlpEndpoint: string };

export class OtlpTracing implements Tracing {
  readonly isOn = true;
  readonly #contexts = new AsyncLocalStorageContextManager().enable();
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #warnOfLoss: (why: string) => void;

  constructor(settings: Settings, log: Logger) {
    const about = { collector: new URL(settings.otlpEndpoint).host };
    const warnings = repeatedWarnings(log);
    this.#warnOfLoss = (why) => warnings.warn(about, LOST, why);
    const exporter = reportingExporter(createExporter(settings), {
      onSent: () => warnings.clear(about, LOST),
      onLost: (error) => this.#warnOfLoss(reasonOf(error)),
    });
    this.#provider = new TracerProvider({
      resource: resourceOf(settings),
      sampler: samplerOf(settings),
      spanLimits: { attributeValueLengthLimit: LONGEST_ATTRIBUTE },
      spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: MOST_WAITING })],
    });
    this.#tracer = this.#provider.getTracer('simcha', version);
  }

  start(name: string, { kind = 'internal', attributes = {}, parent }: SpanOptions = {}): OpenSpan {
    const requestedIn = parent
      ? this.#propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter)
      : this.#active();
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes }, requestedIn);
    const context = trace.setSpan(requestedIn, span);
    return new OtlpSpan(span, (work) => this.#contexts.with(context, work));
  }

  addPast(name: string, { kind, attributes, durationMs, error }: PastSpan): void {
    const context = this.#active();
    if (!trace.getSpan(context)?.isRecording()) return;
    const startTime = Date.now() - durationMs;
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes, startTime }, context);
    if (error !== undefined) fail(span, error);
    span.end();
  }

  traceparent(): string | undefined {
    const headers: Record<string, string> = {};
    this.#propagator.inject(this.#active(), headers, defaultTextMapSetter);
    return headers.traceparent;
  }

  /**
   * Context with the active span. Work that goes on in the background, such as watching a site, keeps the context of
   * the request or deployment that began it; once that span has ended, the work is not part of its trace any more.
   */
  #active(): Context {
    const context = this.#contexts.active();
    const span = trace.getSpan(context);
    if (!span || span.isRecording()) return context;
    // Of a trace that is not recorded no span ever records.
    const isRecorded = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
    return isRecorded ? ROOT_CONTEXT : context;
  }

  async close(): Promise<void> {
    const sending = this.#provider.shutdown().then(
      () => true,
      () => false,
    );
    const areSent = await Promise.race([sending, sleep(CLOSING_MS, false, { ref: false })]);
    if (!areSent) this.#warnOfLoss('the collector does not accept them');
    this.#contexts.disable();
  }
}

class OtlpSpan implements OpenSpan {
  readonly traceId: string;
  readonly run: <T>(work: () => T) => T;
  readonly #span: OtelSpan;

  constructor(span: OtelSpan, run: <T>(work: () => T) => T) {
    this.#span = span;
    this.traceId = span.spanContext().traceId;
    this.run = run;
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(error: unknown): void {
    fail(this.#span, error);
  }

  end(): void {
    this.#span.end();
  }
}

/** Records of an error what the log has too: its name, message and stack, but not PostgreSQL's `detail` with the row. */
function fail(span: OtelSpan, error: unknown): void {
  const { name = 'Error', message = String(error), stack } = (error ?? {}) as Partial<Error>;
  span.recordException({ name, message, ...(stack !== undefined && { stack }) });
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

function createExporter({ otlpEndpoint, otlpHeaders }: Settings): SpanExporter {
  return new OTLPTraceExporter({
    url: `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`,
    ...(otlpHeaders !== undefined && { headers: parseKeyPairsIntoRecord(otlpHeaders) }),
  });
}

/**
 * Exporter that reports whether spans were sent. To OpenTelemetry it reports success, because otherwise OpenTelemetry
 * would write errors of its own.
 */
function reportingExporter(
  exporter: SpanExporter,
  { onSent, onLost }: { onSent(): void; onLost(error: unknown): void },
): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        if (code === ExportResultCode.SUCCESS) onSent();
        else onLost(error);
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Reason why traces could not be sent; of a failed connection it is in one of the aggregated errors. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = (error ?? {}) as Partial<AggregateError> & { code?: string | number };
  if (message) return code === undefined ? message : `${message} (${code})`;
  return errors?.[0] ? reasonOf(errors[0]) : String(code ?? 'unknown');
}

/** Names of samplers as in OpenTelemetry's specification, with what each does. */
function samplerOf({ tracesSampler, tracesSamplerArg }: Settings): Sampler {
  const own = tracesSampler.replace('parentbased_', '');
  const root =
    own === 'always_off'
      ? new AlwaysOffSampler()
      : own === 'always_on'
        ? new AlwaysOnSampler()
        : new TraceIdRatioBasedSampler(tracesSamplerArg);
  return own === tracesSampler ? root : new ParentBasedSampler({ root });
}

function resourceOf({ traceServiceName, port }: Settings): Resource {
  const own = resourceFromAttributes({
    'service.name': traceServiceName,
    'service.version': version,
    'service.instance.id': `${hostname()}:${port}`,
    'host.name': hostname(),
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.name': 'opentelemetry',
  });
  // OTEL_RESOURCE_ATTRIBUTES adds attributes, and can change these.
  const { attributes } = detectResources({ detectors: [envDetector] });
  const { 'service.name': _, ...others } = attributes;
  return own.merge(resourceFromAttributes(others));
}
