import { cpus } from 'node:os';
import pg from 'pg';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { csvFile } from '../server/planning/guests/sheets/write-csv.ts';
import { xlsxFile } from '../server/planning/guests/sheets/write-xlsx.ts';
import { processorSecondsOf } from '../test/support/processor-time.ts';
import { formatNumber, formatTable, measureHttp } from './support/measure.ts';
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

// Measures guests: the cost of a list as an event grows, the duration of an import and of messages to many guests, and
// a thousand answers at once.

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const SIZES = [1_000, 10_000, 100_000];
const IMPORTED = 10_000;
const INVITED = 2_000;
const ANSWERS = 1_000;
const PLACES = 300;

const failures: string[] = [];

console.log(`${cpus().length} cores, ${cpus()[0]?.model.trim()}; node ${process.version}`);
const postgres = await startPostgres(['shared_buffers=512MB', 'max_wal_size=4GB']);
const databaseUrl = postgres.url('postgres');
const server = await benchServer({ DATABASE_URL: databaseUrl });
const embedded = await benchServer();
try {
  // The variable BENCH_SHORT limits the benchmark: `lists` to lists and searches, `1` to answers.
  if (process.env.BENCH_SHORT !== '1') await lists();
  if (!process.env.BENCH_SHORT) {
    console.log(
      `\nAn import of ${formatNumber(IMPORTED)} rows (the slowest answer of one of the event’s guests meanwhile)`,
    );
    console.log(
      formatTable(
        [
          '',
          'dry run',
          'as new guests',
          'again, nothing new',
          'all changed',
          'XLSX, as new',
          'server memory',
        ],
        [
          ['PostgreSQL (durable)', ...(await imports(server))],
          ['embedded', ...(await imports(embedded))],
        ],
      ),
    );
    console.log(
      `\nA round of ${formatNumber(INVITED)} mails, and what one of the event’s guests notices meanwhile, who answers without a pause and asks for the page 50 times a second`,
    );
    console.log(
      formatTable(
        ['', 'all sent in', 'mails/s', 'answer p50', 'p99', 'slowest', 'page p50', 'p99', 'slowest'],
        [
          ['PostgreSQL (durable)', ...(await round(server))],
          ['embedded', ...(await round(embedded))],
        ],
      ),
    );
  }
  if (process.env.BENCH_SHORT !== 'lists') {
    console.log(
      `\n${formatNumber(ANSWERS)} guests answer at once, for ${PLACES} places; then 100 of them decline at once`,
    );
    console.log(
      formatTable(
        ['', 'all answered in', 'answers/s', 'p50', 'p99', 'declined in'],
        [
          ['PostgreSQL (durable)', ...(await answers(server))],
          ['embedded', ...(await answers(embedded))],
        ],
      ),
    );
  }
} finally {
  await server.stop();
  await embedded.stop();
  await postgres.remove();
}
console.log(
  failures.length === 0
    ? '\nNo answer was lost, every count was exact, and the waiting list was in the order of the answers.'
    : `\nWRONG: ${countFailures(failures)}`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

async function lists(): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  const ids = [];
  for (const size of SIZES) ids.push(await bigEvent(pool, size));
  await pool.query('vacuum analyze');
  await pool.end();
  const search = (text: string) => `search=${encodeURIComponent(text)}`;
  const looks: [string, (size: number) => string][] = [
    ['first page', () => ''],
    ['last page', (size) => `page=${size / 20}`],
    ['first page of those who come', () => 'status=confirmed'],
    ['last page of those who come', (size) => `status=confirmed&page=${size / 40}`],
    ['latest answers', () => 'order=answered'],
    ['search: a phone number', () => search('052-0000777')],
    ['search: a full name', () => search('אורי 17 כהן')],
    ['search: a full name, family name first', () => search('כהן אורי 17')],
    ['search: one of 50 family names', () => search('לוינשטיין')],
    ['search: the same, spelled otherwise', () => search('לווינשטין')],
    ['search: a name nobody has', () => search('משפחת יהונתן רבינוביץ')],
    ['search: two letters', () => search('זק')],
    ['by tag (a tenth of them)', () => `tag=${encodeURIComponent('שולחן 3')}`],
    ['counts', () => 'counts'],
  ];
  const rows: string[][] = [];
  for (const [name, query] of looks) {
    const row = [name];
    for (const [index, size] of SIZES.entries()) {
      const { took, processor } = await cost(ids[index] ?? '', query(size));
      row.push(`${formatNumber(took, 2)} ms`, `${formatNumber(processor, 2)} ms`);
    }
    rows.push(row);
  }
  console.log(
    '\nA page of 20 guests of one event on PostgreSQL, by how many guests it has: time over one connection, and processor time of server and database',
  );
  console.log(formatTable(['guests', ...SIZES.flatMap((size) => [formatNumber(size), 'processor'])], rows));
}

/** Measures a request: its duration, and the processor time of server and database for it, in milliseconds. */
async function cost(event: string, query: string): Promise<{ took: number; processor: number }> {
  const path = query === 'counts' ? '/guests/counts' : `/guests?${query}`;
  const request = {
    method: 'GET' as const,
    path: `/api/events/${event}${path}`,
    headers: { authorization: organizerAuthorization },
  };
  const load = { url: server.url, connections: 1, requests: [request] };
  await measureHttp({ ...load, seconds: 1 });
  const before = processorSeconds();
  const { perSecond } = await measureHttp({ ...load, seconds: SECONDS });
  const seconds = processorSeconds() - before;
  return { took: 1000 / perSecond, processor: (1000 * seconds) / (perSecond * SECONDS) };
}

function processorSeconds(): number {
  return processorSecondsOf(server.pid) + processorSecondsOf(postgres.pid() ?? 0);
}

async function bigEvent(pool: pg.Pool, size: number): Promise<string> {
  const id = await newEvent(server, {});
  await pool.query(
    `insert into guests (id, event_id, name, phone, tags, rsvp_status, coming, answered_at, created_at, updated_at)
     select gen_random_uuid(), $1,
       (array['אורי','נועה','דנה','יוסי','מיכל','אבי','רות','איתי','תמר','דוד'])[1 + n % 10] || ' ' || n || ' ' ||
       case n % 50 when 7 then 'כהן' when 8 then 'לוינשטיין' when 9 then 'זקהיים' else 'משפחה' || n % 50 end,
       '+97252' || lpad(n::text, 7, '0'), array['שולחן ' || n % 10],
       case when n % 2 = 0 then 'confirmed' else 'pending' end, (n + 1) % 2,
       case when n % 2 = 0 then now() - n * interval '1 second' end, now(), now()
     from generate_series(1, $2::int) n`,
    [id, size],
  );
  return id;
}

async function imports(on: BenchServer): Promise<string[]> {
  const rows = (name: string) =>
    Array.from({ length: IMPORTED }, (_, n) => [
      `${name} ${n}`,
      `052${String(1_000_000 + n)}`,
      `guest${n}@example.com`,
      'צד הכלה',
      '2',
      n % 3 === 0 ? 'מגיעים' : '',
      n % 3 === 0 ? '2' : '',
    ]);
  const sheet = async function* (name: string) {
    yield ['שם', 'טלפון', 'דוא״ל', 'תגיות', 'מספר מוזמנים', 'תשובה', 'מספר מגיעים'];
    yield* rows(name);
  };
  const csv = async (name: string) => Buffer.from((await Array.fromAsync(csvFile(sheet(name)))).join(''));
  const xlsx = Buffer.concat(await xlsxFile(sheet('אורח'), { name: 'x', rightToLeft: true }).toArray());
  const id = await newEvent(on, {});
  const other = await newEvent(on, {});
  const steps = [
    [id, await csv('אורח'), '?dry_run=true', 'created'],
    [id, await csv('אורח'), '', 'created'],
    [id, await csv('אורח'), '', 'unchanged'],
    [id, await csv('אחר'), '', 'updated'],
    [other, xlsx, '', 'created'],
  ] as const;
  const times: string[] = [];
  for (const [event, file, query, count] of steps) {
    const token = await invitedGuest(on, event);
    const work = () => importFile(on, event, query, file);
    const { done, tookMs, answers, failures: wrong } = await runBesideOthers(on, token, work);
    failures.push(...wrong);
    times.push(`${formatNumber(tookMs / 1000, 2)} s (${formatNumber(percentileOf(answers, 1))} ms)`);
    if (done.import?.[count] !== IMPORTED) failures.push(`an import: ${done.error}`);
  }
  return [...times, `${formatNumber(await on.memory())} MiB`];
}

async function round(on: BenchServer): Promise<string[]> {
  const id = await newEvent(on, {});
  const token = await invitedGuest(on, id);
  const list = Array.from({ length: INVITED }, (_, n) => `אורח ${n},guest${n}@example.com`);
  await importFile(on, id, '', Buffer.from(['שם,דוא"ל', ...list].join('\n')));
  const asked = await runBesideOthers(on, token, () => inviteAll(on, id));
  failures.push(...asked.failures);
  if (asked.done !== INVITED) failures.push(`${asked.done} of ${INVITED} mails went`);
  const shares = (times: number[]) =>
    [0.5, 0.99, 1].map((share) => `${formatNumber(percentileOf(times, share))} ms`);
  return [
    `${formatNumber(asked.tookMs / 1000, 1)} s`,
    formatNumber(INVITED / (asked.tookMs / 1000)),
    ...shares(asked.answers),
    ...shares(asked.page),
  ];
}

async function answers(on: BenchServer): Promise<string[]> {
  const id = await newEvent(on, { max_guests: PLACES });
  const list = ['שם,טלפון', ...Array.from({ length: ANSWERS }, (_, n) => `אורח ${n},052${2_000_000 + n}`)];
  await importFile(on, id, '', Buffer.from(list.join('\n')));
  const { links } = await callApi(on, 'GET', `/api/events/${id}/guests/links?limit=1000`);
  const send = async (url: string, body: object): Promise<{ ms: number; status: number }> => {
    const began = performance.now();
    const response = await fetch(`${on.url}/api/rsvp/${url.split('/r/')[1]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return { ms: performance.now() - began, status: response.status };
  };
  const atOnce = async (urls: string[], body: object) => {
    const began = performance.now();
    const done = await Promise.all(urls.map((url) => send(url, body)));
    const ms = performance.now() - began;
    const wrong = done.filter(({ status }) => status !== 200);
    if (wrong.length > 0) failures.push(`${wrong.length} answers failed with ${wrong[0]?.status}`);
    return { ms, times: done.map((one) => one.ms).sort((a, b) => a - b) };
  };

  const { ms, times } = await atOnce(
    links.map((link: { url: string }) => link.url),
    { rsvp_status: 'confirmed' },
  );
  const { counts } = await callApi(on, 'GET', `/api/events/${id}/guests/counts`);
  const exact =
    counts.rsvp_confirmed === PLACES && counts.waiting === ANSWERS - PLACES && counts.people === PLACES;
  if (!exact) failures.push(`counts ${JSON.stringify(counts)}`);

  const line = await waitingLine(on, id);
  const { history } = await callApi(on, 'GET', `/api/events/${id}/history?subject=guest&limit=1000`);
  const waited = new Set(line);
  const order = history
    .filter(
      (one: { action: string; subject_id: string }) =>
        one.action === 'answered' && waited.has(one.subject_id),
    )
    .map((one: { subject_id: string }) => one.subject_id)
    .reverse();
  if (JSON.stringify(order) !== JSON.stringify(line)) failures.push('the waiting list is out of order');

  const seated = (await callApi(on, 'GET', `/api/events/${id}/guests?status=confirmed&limit=100`)).guests;
  const urlOf = new Map(links.map((link: { guest_id: string; url: string }) => [link.guest_id, link.url]));
  const declined = await atOnce(
    seated.map((guest: { id: string }) => urlOf.get(guest.id) as string),
    { rsvp_status: 'declined' },
  );
  if (JSON.stringify(await waitingLine(on, id)) !== JSON.stringify(line.slice(100))) {
    failures.push('others than the first in line moved up');
  }
  return [
    `${formatNumber(ms / 1000, 2)} s`,
    formatNumber(ANSWERS / (ms / 1000)),
    `${formatNumber(times[times.length >> 1] ?? 0)} ms`,
    `${formatNumber(times[Math.floor(times.length * 0.99)] ?? 0)} ms`,
    `${formatNumber(declined.ms / 1000, 2)} s`,
  ];
}

async function waitingLine(on: BenchServer, id: string): Promise<string[]> {
  const { guests } = await callApi(
    on,
    'GET',
    `/api/events/${id}/guests?status=waiting&order=waiting&limit=1000`,
  );
  return guests.map((guest: { id: string }) => guest.id);
}
