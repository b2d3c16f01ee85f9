import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Postgres, startPostgres } from '../commands/cluster/postgres.ts';
import { queryDatabase } from '../test/support/server.ts';
import { until } from '../test/support/until.ts';
import type { Piece, Progress, TrialSettings } from './support/job-groups-process.ts';
import { formatNumber, formatTable } from './support/measure.ts';

// Tests whether pg-boss's groups make each application's deployments run one at a time, in order, also after a crash
// (docs/decisions/0012-turns.md).

const GROUPS = ['groupConcurrency', 'localGroupConcurrency'] as const;
const APPLICATIONS = 10;
const REQUESTS = 8;
const ROUNDS = 3;
const PAIRS = 60;
const DATABASE_AWAY_MS = 20_000;

interface Work {
  application: string;
  n: number;
  begin: number;
  end: number;
}

interface Trial {
  database: 'embedded' | 'postgres';
  groups: TrialSettings['groups'];
  postgres: Postgres;
}

let worlds = 0;

/** Starts several servers on one database; returns them, and the jobs that they have executed. */
async function world({ database, groups, postgres }: Trial, { timeLimit = 900 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-turns-'));
  const env: Record<string, string> = { DATA_DIR: folder };
  if (database === 'postgres') {
    worlds += 1;
    await queryDatabase(postgres.url('postgres'), `create database turns_${worlds}`);
    env.DATABASE_URL = postgres.url(`turns_${worlds}`);
  }
  const settings: TrialSettings = { env, groups, slots: 2, timeLimit };
  const worked: Work[] = [];
  const children: ChildProcess[] = [];
  const record = (progress: Progress) => {
    if ('ready' in progress) return;
    const { what, application, n, at } = progress;
    if (what === 'begin') worked.push({ application, n, begin: at, end: Number.POSITIVE_INFINITY });
    const open = worked.find(
      (one) => one.application === application && one.n === n && one.end === Number.POSITIVE_INFINITY,
    );
    if (what === 'end' && open) open.end = at;
  };
  return {
    worked,
    async server() {
      const child = fork(new URL('support/job-groups-process.ts', import.meta.url), [
        JSON.stringify(settings),
      ]);
      children.push(child);
      child.on('message', record);
      await once(child, 'message');
      return {
        send: (...pieces: Piece[]) => void child.send({ pieces, together: false }),
        sendTogether: (...pieces: Piece[]) => void child.send({ pieces, together: true }),
        async kill() {
          child.kill('SIGKILL');
          if (child.signalCode === null) await once(child, 'exit');
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) {
        child.kill('SIGKILL');
        if (child.signalCode === null && child.exitCode === null) await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Number of jobs that began while another job of the same application was running. */
function overlaps(worked: readonly Work[]): number {
  return worked.filter((one) =>
    worked.some(
      (other) =>
        other !== one &&
        other.application === one.application &&
        other.begin <= one.begin &&
        one.begin < other.end,
    ),
  ).length;
}

/** Number of jobs that began after a job of the same application that was sent later. */
function outOfOrder(worked: readonly Work[]): number {
  return worked.filter((one, at) =>
    worked.slice(0, at).some((before) => before.application === one.application && before.n > one.n),
  ).length;
}

/** Sends many jobs for each of several applications, and then one for another application. */
async function crowd(trial: Trial, servers: number) {
  let together = 0;
  let disordered = 0;
  let slowest = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await using at = await world(trial);
    const all = await Promise.all(Array.from({ length: servers }, () => at.server()));
    const applications = Array.from({ length: APPLICATIONS }, (_, i) => `${round}-${i}`);
    for (const [i, application] of applications.entries()) {
      const pieces = Array.from({ length: REQUESTS }, (_, n) => ({ application, n, ms: 20 }));
      all[i % servers]?.send(...pieces);
    }
    const long: Piece[] = [0, 1, 2].map((n) => ({ application: `${round}-long`, n, ms: 1_500 }));
    const expected = APPLICATIONS * REQUESTS;
    await until(() => at.worked.filter(({ end }) => Number.isFinite(end)).length === expected, 120_000);
    together += overlaps(at.worked);
    disordered += outOfOrder(at.worked);

    // Starts a long job, with more jobs of its application waiting behind it, and then sends a job of another
    // application.
    all[0]?.send(...long);
    await until(() => at.worked.some(({ application }) => application === `${round}-long`));
    const asked = Date.now();
    all[0]?.send({ application: `${round}-other`, n: 0, ms: 1 });
    await until(() => at.worked.some(({ application }) => application === `${round}-other`), 60_000);
    const other = at.worked.find(({ application }) => application === `${round}-other`);
    slowest = Math.max(slowest, (other?.begin ?? 0) - asked);
    together += overlaps(at.worked.filter(({ application }) => application === `${round}-long`));
  }
  return { together, disordered, slowest };
}

/** Sends two jobs at once for an application that has no running job, again and again. */
async function pairs(trial: Trial, servers: number): Promise<number> {
  await using at = await world(trial);
  const all = await Promise.all(Array.from({ length: servers }, () => at.server()));
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const application = `pair-${pair}`;
    all[0]?.sendTogether({ application, n: 0, ms: 30 }, { application, n: 1, ms: 30 });
    await until(() => at.worked.filter(({ end }) => Number.isFinite(end)).length === 2 * (pair + 1), 60_000);
  }
  return overlaps(at.worked);
}

/**
 * Kills a server that is working on a job; after the server's restart the job is sent again, as `deployments.start()`
 * does.
 */
async function kill(trial: Trial): Promise<number> {
  await using at = await world(trial);
  const first = await at.server();
  first.send({ application: 'killed', n: 1, ms: 600_000 });
  await until(() => at.worked.length === 1, 30_000);
  await first.kill();
  const second = await at.server();
  const ready = Date.now();
  second.send({ application: 'killed', n: 2, ms: 1 });
  await until(() => at.worked.length > 1, 120_000);
  return (at.worked[1]?.begin ?? 0) - ready;
}

/** Stops the database for longer than a heartbeat while a server is working. */
async function databaseAway(trial: Trial): Promise<number> {
  await using at = await world(trial);
  const server = await at.server();
  const ms = DATABASE_AWAY_MS + 40_000;
  server.send({ application: 'kept', n: 1, ms });
  await until(() => at.worked.length === 1, 30_000);
  server.send({ application: 'kept', n: 2, ms: 1 });
  await sleep(1_000);
  await trial.postgres.stop();
  await sleep(DATABASE_AWAY_MS);
  await trial.postgres.start();
  await until(() => at.worked.some(({ end }) => Number.isFinite(end)) || at.worked.length > 1, ms * 2);
  return overlaps(at.worked);
}

/** Runs a job whose work continues after its time limit, like a build that takes its time to end. */
async function overtime(trial: Trial): Promise<number> {
  await using at = await world(trial, { timeLimit: 2 });
  const server = await at.server();
  server.send({ application: 'late', n: 1, ms: 8_000 });
  await until(() => at.worked.length === 1, 30_000);
  server.send({ application: 'late', n: 2, ms: 1 });
  await until(() => at.worked.some(({ end }) => Number.isFinite(end)), 60_000);
  return overlaps(at.worked);
}

const rows: string[][] = [];
const addRow = (
  label: string,
  columns: Partial<Record<'together' | 'disordered' | 'slowest' | 'after', string>>,
) => {
  const { together = '', disordered = '', slowest = '', after = '' } = columns;
  rows.push([label, together, disordered, slowest, after]);
  console.error(rows.at(-1)?.join(' | '));
};

for (const groups of GROUPS) {
  for (const [database, servers] of [
    ['embedded', 1],
    ['postgres', 1],
    ['postgres', 2],
  ] as const) {
    const postgres = await startPostgres();
    const trial = { database, groups, postgres };
    const label = (what: string) =>
      `${groups}, ${database}, ${servers} server${servers > 1 ? 's' : ''}: ${what}`;
    try {
      const { together, disordered, slowest } = await crowd(trial, servers);
      const pieces = formatNumber((APPLICATIONS * REQUESTS + 1) * ROUNDS);
      addRow(label(`${pieces} requests`), {
        together: formatNumber(together),
        disordered: formatNumber(disordered),
        slowest: `${formatNumber(slowest)} ms`,
      });
      addRow(label(`${PAIRS} pairs of requests`), { together: formatNumber(await pairs(trial, servers)) });
      if (servers > 1) continue;
      addRow(label('killed at work'), { after: `${formatNumber((await kill(trial)) / 1_000, 1)} s` });
      addRow(label('past its time limit'), { together: formatNumber(await overtime(trial)) });
      if (database === 'postgres')
        addRow(label('database away for 20 s'), { together: formatNumber(await databaseAway(trial)) });
    } finally {
      await postgres.remove();
    }
  }
}
console.log(
  formatTable(['', 'two of one at work', 'out of order', 'another one waited', 'went on after'], rows),
);
