import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/**
 * Interval of prom-client's own timer of the event loop, in milliseconds. Its default of 10 ms wakes an idle process
 * 100 times a second; the metrics that it feeds are replaced by `measureEventLoop`.
 */
export const UNUSED_TIMER_MS = 2 ** 31 - 1;

const PREFIX = 'nodejs_eventloop_lag';

/**
 * Replaces prom-client's metrics of the event loop: the delays are measured at each iteration of the loop, which wakes
 * nobody. Each scrape begins a new measurement.
 */
export function measureEventLoop(registry: Registry): void {
  const delays = monitorEventLoopDelay({ samplePerIteration: true });
  delays.enable();
  const figures: Readonly<Record<string, () => number>> = {
    min: () => delays.min,
    mean: () => delays.mean,
    stddev: () => delays.stddev,
    p50: () => delays.percentile(50),
    p90: () => delays.percentile(90),
    p99: () => delays.percentile(99),
    max: () => delays.max,
  };
  const [last] = Object.keys(figures).toReversed();
  registry.removeSingleMetric(`${PREFIX}_seconds`);
  for (const [figure, nanoseconds] of Object.entries(figures)) {
    const name = `${PREFIX}_${figure}_seconds`;
    registry.removeSingleMetric(name);
    new Gauge({
      name,
      help: `Time that iterations of the event loop took since the last scrape: ${figure}.`,
      registers: [registry],
      collect() {
        this.set(delays.count === 0 ? 0 : nanoseconds() / 1e9);
        // Metrics are collected in the order of their registration.
        if (figure === last) delays.reset();
      },
    });
  }
}
