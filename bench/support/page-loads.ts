import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../../test/support/chromium.ts';
import type { TestSession } from '../../test/support/sessions.ts';
import { until } from '../../test/support/until.ts';

/** Network as Chromium emulates it: latency in milliseconds, throughputs in bytes per second. */
export interface Network {
  latency: number;
  downloadThroughput: number;
  uploadThroughput: number;
}

/** Slow 4G as browsers' developer tools emulate it. */
export const SLOW_4G: Network = {
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
/** Network of this machine with itself: -1 means no limit. */
export const FAST: Network = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
/** Processor of a quarter of this machine's speed. */
const SLOWER_CPU = 4;
/** Time after the awaited content was drawn during which shifts of the layout still count. */
const MOVES_MS = 1_500;

export interface PageLoad {
  /** Milliseconds from the beginning of the navigation until the awaited content is drawn. */
  readyMs: number;
  requests: number;
  /** Kilobytes received, compressed and with headers. */
  kilobytes: number;
  /** Cumulative layout shift. */
  shift: number;
  /**
   * Milliseconds of the main thread's tasks beyond 50 ms each, until the awaited content is drawn. It is processor time,
   * so that other processes don't count.
   */
  blockingMs: number;
}

/** Time in milliseconds from which a task of the main thread is long: it delays the answer to a touch. */
const LONG_TASK_MS = 50;
const READY = 'simcha-ready';

/**
 * Script at the start of each page: records the time of the first frame with the awaited content, and layout shifts.
 */
const watch = (content: string) => `(() => {
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    if (${content}) window.ready = performance.mark('${READY}').startTime;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/**
 * Opens a page several times on a slow phone, each time with an empty cache (cold) and then again with what it has
 * cached (warm). Returns the loads of both kinds.
 */
export async function measurePageLoads(
  url: string,
  session: TestSession,
  look: BrowserContextOptions,
  { path, content, times, network }: { path: string; content: string; times: number; network: Network },
): Promise<{ cold: PageLoad[]; warm: PageLoad[] }> {
  const loads = { cold: [] as PageLoad[], warm: [] as PageLoad[] };
  for (let round = 0; round < times; round++) {
    await using browser = await launchChromium();
    const context = await browser.newContext(look);
    await context.addCookies([{ name: 'simcha_session', value: session.token, url, httpOnly: true }]);
    for (const kind of ['cold', 'warm'] as const) {
      const page = await context.newPage();
      await page.addInitScript(watch(content));
      const { done, blockingMs } = await measureBlocking(browser, () =>
        loadSlowly(page, url + path, network),
      );
      loads[kind].push({ ...done, blockingMs });
      await page.close();
    }
  }
  return loads;
}

/** Event of Chromium's trace; `ts` is in microseconds, and `tdur` its duration in processor time of the thread. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
}

/** Runs the loading of a page, and adds up what its tasks take beyond LONG_TASK_MS until the awaited content is drawn. */
async function measureBlocking<T>(
  browser: Browser,
  load: () => Promise<T>,
): Promise<{ done: T; blockingMs: number }> {
  const devTools = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  devTools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const isComplete = new Promise((resolve) => devTools.once('Tracing.tracingComplete', resolve));
  const includedCategories = [
    'devtools.timeline',
    'disabled-by-default-devtools.timeline',
    'blink.user_timing',
  ];
  await devTools.send('Tracing.start', { traceConfig: { includedCategories } });
  const done = await load();
  await devTools.send('Tracing.end');
  await isComplete;
  const ready = events.find(({ name }) => name === READY);
  const isBefore = ({ name, pid, tid, ts }: TraceEvent) =>
    name === 'RunTask' && pid === ready?.pid && tid === ready.tid && ts < ready.ts;
  const beyond = events.filter(isBefore).map(({ tdur = 0 }) => Math.max(0, tdur / 1_000 - LONG_TASK_MS));
  return { done, blockingMs: beyond.reduce((sum, ms) => sum + ms, 0) };
}

async function loadSlowly(page: Page, url: string, network: Network): Promise<Omit<PageLoad, 'blockingMs'>> {
  const devTools: CDPSession = await page.context().newCDPSession(page);
  let requests = 0;
  let bytes = 0;
  devTools.on('Network.responseReceived', ({ response }) => {
    if (!response.fromDiskCache && !response.fromServiceWorker && !response.url.startsWith('data:'))
      requests++;
  });
  devTools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', { offline: false, ...network });
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU });
  await page.goto(url, { waitUntil: 'commit' });
  await until(async () => (await page.evaluate('window.ready')) !== undefined, 60_000);
  const atReady = { requests, kilobytes: bytes / 1_000 };
  await page.waitForTimeout(MOVES_MS);
  const [readyMs, shift] = (await page.evaluate('[window.ready, window.shift]')) as [number, number];
  return { readyMs, shift, ...atReady };
}
