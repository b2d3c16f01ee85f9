/**
 * Extent of a test run, set by test/run.ts: `short` is `npm test`, `whole` is a lane (`npm run test:web`) or files that
 * are named, and `long` is `npm run test:long`.
 */
type Extent = 'short' | 'whole' | 'long';
const EXTENT = (process.env.SIMCHA_TESTS ?? 'whole') as Extent;

/** Returns the value `long` in `npm run test:long`, and the value `usual` in all other test runs. */
export function campaign<T>(usual: T, long: T): T {
  return EXTENT === 'long' ? long : usual;
}

/** Returns the value `short` in `npm test`, and the value `whole` in all other test runs. */
export function inShortRun<T>(short: T, whole: T): T {
  return EXTENT === 'short' ? short : whole;
}

/**
 * Number of servers that tests use. With SIMCHA_SERVERS=3, a test's server on PostgreSQL consists of three servers,
 * which get the requests in turn; the one that runs the sites is killed midway.
 */
export const SERVERS = Number(process.env.SIMCHA_SERVERS ?? 1);

/**
 * Settings for tests whose sites run in containers or in a cluster. test/run.ts starts these tests with
 * SIMCHA_RUNTIME=docker or swarm, and once more in the long run.
 */
export const RUNTIME_SETTINGS: Readonly<Record<string, string>> = JSON.parse(
  process.env.SIMCHA_RUNTIME_SETTINGS ?? '{}',
);

export const IN_CLUSTER = RUNTIME_SETTINGS.APPS_RUNTIME === 'swarm';
