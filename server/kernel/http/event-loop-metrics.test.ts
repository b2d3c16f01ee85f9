import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { measureEventLoop, UNUSED_TIMER_MS } from './event-loop-metrics.ts';

test('the delay of the event loop is measured at its iterations, and anew after each scrape', async () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: UNUSED_TIMER_MS });
  measureEventLoop(registry);
  const secondsOf = async (figure: string) => {
    const line = new RegExp(`^nodejs_eventloop_lag_${figure}_seconds (\\S+)$`, 'm');
    return Number(line.exec(await registry.metrics())?.[1]);
  };
  await sleep(1);
  const until = performance.now() + 60;
  while (performance.now() < until);
  await sleep(1);
  assert.ok((await secondsOf('max')) >= 0.06);
  for (let turn = 0; turn < 20; turn += 1) await sleep(1);
  // A timer that wakes the process every 10 ms would measure at least these.
  assert.ok((await secondsOf('min')) < 0.01);
});
