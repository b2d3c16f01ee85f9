import type { Config } from '../config.ts';

/** Kind of a span in OpenTelemetry's sense: how it stands to the spans of other programs. */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Headers of W3C Trace Context (https://www.w3.org/TR/trace-context/) that name the span in which work was requested. */
export interface TraceHeaders {
  traceparent?: string | undefined;
  tracestate?: string | undefined;
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: SpanAttributes;
  /** Span in which the work was requested; empty headers begin a trace. By default it is the active span. */
  parent?: TraceHeaders;
}

/** Span of a trace: a piece of work with its duration. */
export interface Span {
  /** Id of the span's trace; undefined if traces are off. */
  readonly traceId: string | undefined;
  set(attributes: SpanAttributes): void;
  /** Records an error, after which the span counts as failed. */
  fail(error: unknown): void;
}

/** Span that has begun and that its owner ends. */
export interface OpenSpan extends Span {
  /** Runs a function with this span as the active one, also for the asynchronous work that it begins. */
  run<T>(work: () => T): T;
  end(): void;
}

/** Span of work that is already done. */
export interface PastSpan {
  kind: SpanKind;
  attributes: SpanAttributes;
  durationMs: number;
  error?: unknown;
}

/** Traces of what this server does. If they are off, every function does nothing. */
export interface Tracing {
  readonly isOn: boolean;
  start(name: string, options?: SpanOptions): OpenSpan;
  /** Adds a span that ends now to the active span. Without an active span it is not recorded. */
  addPast(name: string, span: PastSpan): void;
  /** Header that names the active span, to be stored with work that is done later; undefined if there is no such span. */
  traceparent(): string | undefined;
  /** Sends the last spans. Gives up after a few seconds. */
  close(): Promise<void>;
}

const NO_SPAN: OpenSpan = {
  traceId: undefined,
  set() {},
  fail() {},
  run: (work) => work(),
  end() {},
};

export const NO_TRACING: Tracing = {
  isOn: false,
  start: () => NO_SPAN,
  addPast() {},
  traceparent: () => undefined,
  close: async () => {},
};

/** Settings of traces. */
export type TracingConfig = Pick<
  Config,
  'otlpEndpoint' | 'otlpHeaders' | 'tracesSampler' | 'tracesSamplerArg' | 'traceServiceName' | 'port'
>;

/** Runs work in a span, which fails if the work throws. */
export async function inSpan<T>(
  tracing: Tracing,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!tracing.isOn) return work(NO_SPAN);
  const span = tracing.start(name, options);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
