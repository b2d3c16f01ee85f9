/** How much of something a run does: `usual` in `npm test`, `long` in `npm run test:long`. */
export function campaign<T>(usual: T, long: T): T {
  return process.env.SIMCHA_TESTS === 'long' ? long : usual;
}

/** With SIMCHA_SERVERS=3 a test's server on PostgreSQL is three of them, asked in turns; the one that runs the sites is killed in the middle. */
export const SERVERS = Number(process.env.SIMCHA_SERVERS ?? 1);

/**
 * With SIMCHA_RUNTIME=docker or swarm, and in the long run once more, the tests' servers run sites as containers of an engine, or in
 * a cluster, that test/run.ts starts: the settings for it.
 */
export const RUNTIME_SETTINGS: Readonly<Record<string, string>> = JSON.parse(
  process.env.SIMCHA_RUNTIME_SETTINGS ?? '{}',
);

export const IN_CLUSTER = RUNTIME_SETTINGS.APPS_RUNTIME === 'swarm';
