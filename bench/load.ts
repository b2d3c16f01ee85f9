import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../commands/cluster/postgres.ts';
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

// Measures how one organizer's heavy work slows everybody else: imports, invitations to many guests, a raised limit.
// Meanwhile a guest of the same event answers without a pause, and every 20 ms /healthz and a guest's page are
// requested.

const SIZES = process.env.BENCH_SHORT ? [10_000] : [10_000, 50_000];
const EXPORTED = 10_000;
const INVITED = 400;
const RAISED = 5_000;

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
// The variable BENCH_DATABASE (postgres or embedded) limits the measurements to that database.
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
      'a guest’s slowest answer',
      '/healthz p50',
      'p99',
      'slowest',
      'guest’s page p50',
      'p99',
      'slowest',
      'memory',
    ],
    rows,
  )}`,
);
console.log(
  failures.length === 0
    ? '\nEvery request was answered as it should be.'
    : `\nWRONG: ${countFailures(failures)}`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

async function loads(name: string, env: Record<string, string>): Promise<void> {
  const server = await benchServer(env);
  try {
    const event = await newEventWithGuest(server, {});
    await measureOthers(server, event, `${name}: nothing else`, () => sleep(5_000));
    for (const size of SIZES) {
      const own = await newEventWithGuest(server, {});
      const steps = [
        ['dry run of', 'אורח', '?dry_run=true', 'created'],
        ['import of', 'אורח', '', 'created'],
        ['the same as updates,', 'אחר', '', 'updated'],
        ['the same, nothing new,', 'אחר', '', 'unchanged'],
      ] as const;
      for (const [what, names, query, count] of steps) {
        const file = sheet(size, names);
        const report = await measureOthers(server, own, `${name}: ${what} ${formatNumber(size)}`, () =>
          importFile(server, own.id, query, file),
        );
        if (report.import?.[count] !== size) failures.push(`${what} ${size}: ${report.error}`);
      }
    }
    await exports(server, name);
    await invitations(server, name);
    await raisedLimit(server, name);
  } finally {
    await server.stop();
  }
}

async function exports(server: BenchServer, name: string): Promise<void> {
  const event = await newEventWithGuest(server, {});
  await importFile(server, event.id, '', sheet(EXPORTED, 'אורח'));
  for (const format of ['csv', 'xlsx']) {
    await measureOthers(
      server,
      event,
      `${name}: export of ${formatNumber(EXPORTED)} as ${format}`,
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

async function invitations(server: BenchServer, name: string): Promise<void> {
  const event = await newEventWithGuest(server, {});
  await importFile(server, event.id, '', sheet(INVITED, 'אורח', 'ממתינים'));
  const sent = await measureOthers(server, event, `${name}: ${INVITED} invitations mailed`, () =>
    inviteAll(server, event.id),
  );
  if (sent !== INVITED) failures.push(`${sent} of ${INVITED} invitations went`);
}

async function raisedLimit(server: BenchServer, name: string): Promise<void> {
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
  server: BenchServer,
  { token }: Event,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const { done, tookMs, answers, health, page, failures: wrong } = await runBesideOthers(server, token, work);
  failures.push(...wrong);
  const ms = (value: number) => `${formatNumber(value)} ms`;
  const shares = (times: number[]) => [0.5, 0.99, 1].map((share) => ms(percentileOf(times, share)));
  const row = [
    what,
    `${formatNumber(tookMs / 1000, 2)} s`,
    ms(percentileOf(answers, 1)),
    ...shares(health),
    ...shares(page),
  ];
  rows.push([...row, `${formatNumber(await server.memory())} MiB`]);
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
