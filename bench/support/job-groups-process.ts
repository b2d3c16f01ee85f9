import { setTimeout as sleep } from 'node:timers/promises';
import { fromPglite, PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { readConfig } from '../../server/kernel/config.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { recoverJobs } from '../../server/kernel/jobs-recovery.ts';
import { migrations } from '../../server/migrations/migrations.ts';

// Server process for `npm run bench -- job-groups`: pg-boss with the settings of kernel/jobs.ts and with groups; its
// jobs only sleep. The process receives the jobs to send as messages, and reports the beginning and the end of each.

/** Settings of one server process of the bench, passed in its first argument. */
export interface TrialSettings {
  env: Record<string, string>;
  groups: 'groupConcurrency' | 'localGroupConcurrency';
  slots: number;
  timeLimit: number;
}

export interface Piece {
  application: string;
  n: number;
  ms: number;
}

export interface SendRequest {
  pieces: Piece[];
  together: boolean;
}

export type Progress =
  | { ready: true }
  | { what: 'begin' | 'end'; application: string; n: number; at: number };

const settings: TrialSettings = JSON.parse(process.argv[2] ?? '');
const QUEUE = 'turns';
const log = pino({ level: 'silent' });
const config = readConfig(settings.env);
const database = openDatabase(config, migrations, log);
await database.prepare();

const report = (progress: Progress) => process.send?.(progress);
const boss = new PgBoss({
  ...(database.engine
    ? { db: fromPglite(database.engine()), backend: 'pglite' as const }
    : { connectionString: config.databaseUrl ?? '', max: 5, connectionTimeoutMillis: 5_000 }),
  useListenNotify: true,
  superviseIntervalSeconds: 10,
  monitorIntervalSeconds: 10,
  monitorVacuum: false,
});
boss.on('error', () => {});
await boss.start();
await recoverJobs(boss, database);
await boss.createQueue(QUEUE, {
  policy: 'standard',
  retryLimit: 10,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 30,
  expireInSeconds: settings.timeLimit,
  heartbeatSeconds: database.kind === 'embedded' ? 120 : 15,
  notify: true,
});

for (let slot = 0; slot < settings.slots; slot += 1) {
  const options = { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5, [settings.groups]: 1 };
  const worker: string = await boss.work<Piece>(QUEUE, options, async ([job]) => {
    try {
      if (!job) return;
      const { application, n, ms } = job.data;
      report({ what: 'begin', application, n, at: Date.now() });
      await sleep(ms);
      report({ what: 'end', application, n, at: Date.now() });
    } finally {
      boss.notifyWorker(worker);
    }
  });
}
/** Sends jobs one after another: the next one when the previous one is stored. */
const sendAll = async (pieces: Piece[]) => {
  for (const piece of pieces) await boss.send(QUEUE, piece, { group: { id: piece.application } });
};
/** Sends all jobs in one SQL statement, as if they were requested simultaneously. */
const sendTogether = (pieces: Piece[]) =>
  boss.insert(
    QUEUE,
    pieces.map((data) => ({ data, group: { id: data.application } })),
  );
process.on('message', ({ pieces, together }: SendRequest) => {
  (together ? sendTogether(pieces) : sendAll(pieces)).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
report({ ready: true });
