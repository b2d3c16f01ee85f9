/** Selects the extent of a test: `usual` in `npm test`, `long` in `npm run test:long`. */
export function campaign<T>(usual: T, long: T): T {
  return process.env.SIMCHA_TESTS === 'long' ? long : usual;
}

/**
 * Number of servers. With SIMCHA_SERVERS=3 a test's server on PostgreSQL consists of three, asked in turn; the one that
 * runs the sites is killed midway.
 */
export const SERVERS = Number(process.env.SIMCHA_SERVERS ?? 1);

/**
 * Settings for sites in containers or in a cluster that test/run.ts starts: with SIMCHA_RUNTIME=docker or swarm, and
 * once more in the long run.
 */
export const RUNTIME_SETTINGS: Readonly<Record<string, string>> = JSON.parse(
  process.env.SIMCHA_RUNTIME_SETTINGS ?? '{}',
);

export const IN_CLUSTER = RUNTIME_SETTINGS.APPS_RUNTIME === 'swarm';
