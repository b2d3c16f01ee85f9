import { randomInt } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { signToken } from '../server/identity/tokens.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { number, table } from './support/measure.ts';
import { benchServer, SECRET } from './support/server.ts';

// What everybody else notices of one organizer's heavy work: imports, a round of invitations, a raised limit. Beside each
// a guest of the same event answers without a pause, and every 20 ms somebody asks for /healthz and for a guest's page.

const ASKED_EVERY_MS = 20;
const SIZES = process.env.BENCH_SHORT ? [10_000] : [10_000, 50_000];
const INVITED = 400;
const RAISED = 5_000;

const authorization = `Bearer ${await signToken(SECRET, { id: 'bench', role: 'organizer' }, '12h')}`;
const failures: string[] = [];

type Server = Awaited<ReturnType<typeof benchServer>>;

interface Event {
  id: string;
  /** A guest's own link. */
  token: string;
}

const busy = number(loadavg()[0] ?? 0, 1);
console.log(
  `${cpus().length} cores, ${cpus()[0]?.model.trim()}; node ${process.version}; load ${busy} before`,
);
const rows: string[][] = [];
// BENCH_DATABASE=postgres or embedded: the one alone.
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
  `\n${table(
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
  failures.length === 0 ? '\nEvery request was answered as it should be.' : `\nWRONG: ${failures.join('; ')}`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

async function loads(name: string, env: Record<string, string>): Promise<void> {
  const server = await benchServer(env);
  try {
    const event = await newEvent(server, {});
    await beside(server, event, `${name}: nothing else`, () => sleep(5_000));
    for (const size of SIZES) {
      const own = await newEvent(server, {});
      const steps = [
        ['dry run of', 'אורח', '?dry_run=true', 'created'],
        ['import of', 'אורח', '', 'created'],
        ['the same as updates,', 'אחר', '', 'updated'],
        ['the same, nothing new,', 'אחר', '', 'unchanged'],
      ] as const;
      for (const [what, names, query, count] of steps) {
        const file = sheet(size, names);
        const report = await beside(server, own, `${name}: ${what} ${number(size)}`, () =>
          send(server, own, query, file),
        );
        const counted = JSON.parse(report).import?.[count];
        if (counted !== size) failures.push(`${what} ${size}: ${counted} ${report.slice(0, 200)}`);
      }
    }
    await invitations(server, name);
    await raisedLimit(server, name);
  } finally {
    await server.stop();
  }
}

async function invitations(server: Server, name: string): Promise<void> {
  const event = await newEvent(server, {});
  await send(server, event, '', sheet(INVITED, 'אורח'));
  await beside(server, event, `${name}: ${INVITED} invitations mailed`, async () => {
    const { invitation } = await call(server, 'POST', `/api/events/${event.id}/invitations`, { filter: {} });
    const path = `/api/events/${event.id}/invitations/${invitation.id}`;
    for (;;) {
      const { invitation: now } = await call(server, 'GET', path);
      if (now.sent + now.bounced === INVITED) return;
      await sleep(100);
    }
  });
}

async function raisedLimit(server: Server, name: string): Promise<void> {
  const event = await newEvent(server, { max_guests: 2 });
  await send(server, event, '', sheet(RAISED, 'אורח', 'מגיעים'));
  await beside(server, event, `${name}: ${number(RAISED)} move up at once`, () =>
    call(server, 'PUT', `/api/events/${event.id}`, { max_guests: RAISED + 2 }),
  );
  const { counts } = await call(server, 'GET', `/api/events/${event.id}/guests/counts`);
  if (counts.waiting > 1) failures.push(`${counts.waiting} still wait`);
}

/** Runs `work` while the others ask; adds their times to the table. */
async function beside<T>(server: Server, event: Event, what: string, work: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const others = Promise.all([
    answering(server, event, stop.signal),
    asking(server, '/healthz', stop.signal),
    asking(server, `/r/${event.token}`, stop.signal),
  ]);
  await sleep(500);
  const began = performance.now();
  const done = await work();
  const took = (performance.now() - began) / 1000;
  await sleep(300);
  stop.abort();
  const [answers, health, page] = await others;
  const ms = (value: number | undefined) => `${number(value ?? 0)} ms`;
  const shares = (times: number[]) => [0.5, 0.99, 1].map((share) => ms(at(times, share)));
  const row = [what, `${number(took, 2)} s`, ms(answers.at(-1)), ...shares(health), ...shares(page)];
  rows.push([...row, `${number(await server.memory())} MiB`]);
  return done;
}

function at(sorted: number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** A guest who answers again as soon as the last answer is taken. */
async function answering(server: Server, event: Event, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; !signal.aborted; turn += 1) {
    times.push(
      await timed(
        server,
        `/api/rsvp/${event.token}`,
        { rsvp_status: 'confirmed', message: `${turn}` },
        performance.now(),
      ),
    );
  }
  return times.sort((a, b) => a - b);
}

/** Asks at fixed times, whether the last one was answered or not: a wait is then seen by all who would have waited. */
async function asking(server: Server, path: string, signal: AbortSignal): Promise<number[]> {
  const asked: Promise<number>[] = [];
  const began = performance.now();
  for (let turn = 0; !signal.aborted; turn += 1) {
    const due = began + turn * ASKED_EVERY_MS;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    asked.push(timed(server, path, undefined, Math.max(due, performance.now())));
  }
  return (await Promise.all(asked)).sort((a, b) => a - b);
}

async function timed(server: Server, path: string, body: object | undefined, from: number): Promise<number> {
  const response = await fetch(server.url + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(body && { 'content-type': 'application/json' }) },
  });
  await response.arrayBuffer();
  if (response.status !== 200) failures.push(`${path.slice(0, 12)} answered ${response.status}`);
  return performance.now() - from;
}

/** One guest a row, each with a phone and an address, as CSV. */
function sheet(size: number, names: string, answer = ''): Buffer {
  const lines = Array.from(
    { length: size },
    (_, n) =>
      `${names} ${n},052${1_000_000 + n},guest${n}@example.com,צד הכלה,1,${answer || (n % 3 ? '' : 'מגיעים')}`,
  );
  return Buffer.from(['שם,טלפון,דוא"ל,צד,מספר מוזמנים,תשובה', ...lines].join('\n'));
}

async function send(server: Server, event: Event, query: string, file: Buffer): Promise<string> {
  const response = await fetch(`${server.url}/api/events/${event.id}/guests/import${query}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'text/csv' },
    body: file as never,
  });
  return response.text();
}

async function newEvent(server: Server, fields: object): Promise<Event> {
  const about = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן', ...fields };
  const { event } = await call(server, 'POST', '/api/events', about);
  const { guest } = await call(server, 'POST', `/api/events/${event.id}/guests`, {
    name: 'עונה',
    phone: `05${randomInt(30_000_000, 40_000_000)}`,
  });
  const { link } = await call(server, 'GET', `/api/events/${event.id}/guests/${guest.id}/link`);
  return { id: event.id, token: link.url.split('/r/')[1] };
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it knows is there
async function call(server: Server, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
