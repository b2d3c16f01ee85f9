import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { freePort } from '../test/support/postgres.ts';
import { processorSecondsOf } from '../test/support/processor-time.ts';
import { chosenPart } from './support/chosen-part.ts';
import { formatNumber, formatTable } from './support/measure.ts';
import {
  callApi,
  importFile,
  inviteAll,
  invitedGuest,
  newEvent,
  organizerAuthorization,
} from './support/organizer.ts';
import { countFailures, percentileOf, runBesideOthers } from './support/other-users.ts';
import { type BenchServer, benchServer } from './support/server.ts';

// Measures how one organizer's heavy work slows everybody else: imports, exports, invitations to many guests, a raised
// limit. Meanwhile a guest of the same event answers without a pause, and every 20 ms /healthz and a guest's page are
// requested. `npm run bench -- load import` (or another name in WORKS) measures one kind of work, the variable
// BENCH_DATABASE (postgres or embedded) one database.

const SIZES = process.env.BENCH_SHORT ? [10_000] : [10_000, 50_000];
const INVITED = process.env.BENCH_SHORT ? 2_000 : 10_000;
const RAISED = 5_000;
const WORKS = { import: imports, export: exports, invitations, limit: raisedLimit };
const TASK_WATCH = new URL('./support/task-watch.ts', import.meta.url).pathname;

const failures: string[] = [];

interface Event {
  id: string;
  /** Token of the personal link of the event's guest. */
  token: string;
}

const busy = formatNumber(loadavg()[0] ?? 0, 1);
console.log(
  `${cpus().length} cores, ${cpus()[0]?.model.trim()}; node ${process.version}; load ${busy} before`,
);
const rows: string[][] = [];
const wantedWork = chosenPart(Object.keys(WORKS));
const wanted = process.env.BENCH_DATABASE;
if (wanted !== 'embedded') {
  const postgres = await startPostgres(['shared_buffers=512MB', 'max_wal_size=4GB']);
  try {
    await loads('PostgreSQL', { DATABASE_URL: postgres.url('postgres') });
  } finally {
    await postgres.remove();
  }
}
if (wanted !== 'postgres') await loads('embedded', {});

console.log(
  `\n${formatTable(
    [
      '',
      'took',
      'processor',
      'longest task',
      'a guest’s slowest answer',
      '/healthz p99',
      'slowest',
      'guest’s page p99',
      'slowest',
      'peak memory',
    ],
    rows,
  )}`,
);
console.log(
  '\nThe longest task of the event loop is the processor time of its thread, so that other processes don’t count.',
);
console.log(
  failures.length === 0 ? 'Every request was answered as it should be.' : `WRONG: ${countFailures(failures)}`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

interface LoadedServer extends BenchServer {
  /** Longest task of the server's event loop since the last call, in milliseconds. */
  longestTask(): Promise<number>;
}

async function loads(name: string, env: Record<string, string>): Promise<void> {
  const port = await freePort();
  const watched = { ...env, TASK_WATCH_PORT: String(port) };
  const started = await benchServer(watched, undefined, ['--import', TASK_WATCH]);
  const longestTask = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
  const server: LoadedServer = { ...started, longestTask };
  try {
    const event = await newEventWithGuest(server, {});
    await measureOthers(server, event, `${name}: nothing else`, () => sleep(5_000));
    for (const [work, run] of Object.entries(WORKS))
      if (!wantedWork || wantedWork === work) await run(server, name);
  } finally {
    await server.stop();
  }
}

async function imports(server: LoadedServer, name: string): Promise<void> {
  for (const size of SIZES) {
    const own = await newEventWithGuest(server, {});
    const steps = [
      ['dry run of', 'אורח', '?dry_run=true', 'created'],
      ['import of', 'אורח', '', 'created'],
      ['the same, nothing new,', 'אורח', '', 'unchanged'],
      ['the same as updates,', 'אחר', '', 'updated'],
    ] as const;
    for (const [what, names, query, count] of steps) {
      const file = sheet(size, names);
      const report = await measureOthers(server, own, `${name}: ${what} ${formatNumber(size)}`, () =>
        importFile(server, own.id, query, file),
      );
      if (report.import?.[count] !== size) failures.push(`${what} ${size}: ${report.error}`);
    }
  }
}

async function exports(server: LoadedServer, name: string): Promise<void> {
  for (const size of SIZES) {
    const event = await newEventWithGuest(server, {});
    await importFile(server, event.id, '', sheet(size, 'אורח'));
    for (const format of ['csv', 'xlsx']) {
      await measureOthers(
        server,
        event,
        `${name}: export of ${formatNumber(size)} as ${format}`,
        async () => {
          const path = `/api/events/${event.id}/guests/export?format=${format}`;
          const response = await fetch(server.url + path, {
            headers: { authorization: organizerAuthorization },
          });
          const file = await response.arrayBuffer();
          if (!response.ok || file.byteLength < 1_000) failures.push(`an export: ${response.status}`);
        },
      );
    }
  }
}

async function invitations(server: LoadedServer, name: string): Promise<void> {
  const event = await newEventWithGuest(server, {});
  await importFile(server, event.id, '', sheet(INVITED, 'אורח', 'ממתינים'));
  const sent = await measureOthers(
    server,
    event,
    `${name}: ${formatNumber(INVITED)} invitations mailed`,
    () => inviteAll(server, event.id),
  );
  if (sent !== INVITED) failures.push(`${sent} of ${INVITED} invitations went`);
}

async function raisedLimit(server: LoadedServer, name: string): Promise<void> {
  const event = await newEventWithGuest(server, { max_guests: 2 });
  await importFile(server, event.id, '', sheet(RAISED, 'אורח', 'מגיעים'));
  await measureOthers(server, event, `${name}: ${formatNumber(RAISED)} move up at once`, () =>
    callApi(server, 'PUT', `/api/events/${event.id}`, { max_guests: RAISED + 2 }),
  );
  const { counts } = await callApi(server, 'GET', `/api/events/${event.id}/guests/counts`);
  if (counts.waiting > 1) failures.push(`${counts.waiting} still wait`);
}

/** Runs `work` while the other requests are sent, and adds a row with the times of these requests to the table. */
async function measureOthers<T>(
  server: LoadedServer,
  { token }: Event,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  await server.longestTask();
  await server.resetPeakMemory();
  const before = processorSecondsOf(server.pid);
  const { done, tookMs, answers, health, page, failures: wrong } = await runBesideOthers(server, token, work);
  failures.push(...wrong);
  const ms = (value: number) => `${formatNumber(value)} ms`;
  const shares = (times: number[]) => [0.99, 1].map((share) => ms(percentileOf(times, share)));
  rows.push([
    what,
    `${formatNumber(tookMs / 1000, 2)} s`,
    `${formatNumber(processorSecondsOf(server.pid) - before, 2)} s`,
    ms(await server.longestTask()),
    ms(percentileOf(answers, 1)),
    ...shares(health),
    ...shares(page),
    `${formatNumber(await server.peakMemory())} MiB`,
  ]);
  return done;
}

/** CSV with one guest per row, each with a phone number and a mail address. */
function sheet(size: number, names: string, answer = ''): Buffer {
  const lines = Array.from(
    { length: size },
    (_, n) =>
      `${names} ${n},052${1_000_000 + n},guest${n}@example.com,צד הכלה,1,${answer || (n % 3 ? '' : 'מגיעים')}`,
  );
  return Buffer.from(['שם,טלפון,דוא"ל,צד,מספר מוזמנים,תשובה', ...lines].join('\n'));
}

async function newEventWithGuest(server: BenchServer, fields: object): Promise<Event> {
  const id = await newEvent(server, fields);
  return { id, token: await invitedGuest(server, id) };
}
