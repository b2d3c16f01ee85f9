import type { Logger } from '../log.ts';
import { NO_TRACING, type Tracing, type TracingConfig } from './tracing.ts';

/** Opens the traces of this server. OpenTelemetry's packages are loaded only if traces are on. */
export async function openTracing(config: TracingConfig, log: Logger): Promise<Tracing> {
  if (config.otlpEndpoint === undefined) return NO_TRACING;
  const { OtlpTracing } = await import('./otlp.ts');
  return new OtlpTracing({ ...config, otlpEndpoint: config.otlpEndpoint }, log);
}
