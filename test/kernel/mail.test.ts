import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { systemClock } from '../../server/kernel/clock.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { createEncryption } from '../../server/kernel/encryption.ts';
import { createJobs } from '../../server/kernel/jobs.ts';
import { LANGUAGES } from '../../server/kernel/languages.ts';
import { MailQueue } from '../../server/kernel/mail/mail.ts';
import type { NewMail } from '../../server/kernel/mail/message.ts';
import { type MailProblem, mailProblemText } from '../../server/kernel/mail/messages.ts';
import { openTransport } from '../../server/kernel/mail/open.ts';
import type { MailOrigin } from '../../server/kernel/mail/origin.ts';
import { createOutbox } from '../../server/kernel/mail/outbox.ts';
import { writeLetter } from '../../server/kernel/mail/template.ts';
import { migrations } from '../../server/migrations/migrations.ts';
import { createClient } from '../support/client.ts';
import { mailTo } from '../support/outbox.ts';
import { freePort } from '../support/postgres.ts';
import { spawnServer } from '../support/process.ts';
import { BOTH_DATABASES, type DatabaseKind, startServer, temporaryDatabase } from '../support/server.ts';
import { startMailServer } from '../support/smtp.ts';
import { until } from '../support/until.ts';

const log = pino({ level: process.env.SIMCHA_TEST_LOG ?? 'silent' });

/** The database, the jobs and the mail of a server, without the server. */
async function openMail(kind: DatabaseKind, env: Record<string, string> = {}) {
  const place = await temporaryDatabase(kind);
  const later = { seconds: 0 };
  const config = readConfig({ ...place.env, MAIL_FROM: 'שמחה <simcha@example.com>', ...env });
  const database = openDatabase(config, migrations, log);
  const jobs = createJobs(config, database, log);
  const transport = openTransport(config, createOutbox(config.dataDir));
  const encryption = createEncryption(['a key for tests that is long enough']);
  const db = database.sql;
  const mail = new MailQueue({
    db,
    jobs,
    encryption,
    transport,
    log,
    clock: () => systemClock().add({ seconds: later.seconds }),
    perDay: config.mailsPerDay,
    pauseMs: config.mailPauseMinutes * 60_000,
  });
  await database.prepare();
  await jobs.start();
  const statusOf = async (id: string | undefined) => (await mail.reports(db, [id ?? '']))[0];
  const waiting = async (ids: (string | undefined)[]) =>
    (
      await mail.reports(
        db,
        ids.filter((id) => id !== undefined),
      )
    ).filter((report) => report.waits_until);
  const waits = async (id: string | undefined) => /queued|asked/.test((await statusOf(id))?.status ?? '');
  return {
    mail,
    db,
    /** How far its clock is ahead. */
    later,
    dataDir: config.dataDir,
    statusOf,
    waiting,
    waits,
    settled: (id: string | undefined, seconds = 30) => until(async () => !(await waits(id)), seconds * 1_000),
    async [Symbol.asyncDispose]() {
      await jobs.drain(2_000);
      await jobs.close();
      mail.close();
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

const letter = writeLetter({
  language: 'he',
  title: 'הזמנה',
  paragraphs: ['נועה ואיתי <מתחתנים> & שמחים'],
  code: 'ABCD-EFGH',
  footer: 'שמחה',
});
const newMail = (changes: Partial<NewMail> = {}): NewMail => ({
  to: 'guest@example.com',
  language: 'he',
  subject: 'הזמנה לחתונה',
  ...letter,
  ...changes,
});

const SERVICE = { urgency: 'service' } as const;
const TOPIC = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44';
const OTHER_TOPIC = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a45';
const LONG_AGO = Temporal.Instant.from('2020-01-01T00:00Z');
const dana = { id: 'dana', since: LONG_AGO };
const ordinary = (id: string, topic = TOPIC) =>
  ({ urgency: 'ordinary', sender: { id, since: LONG_AGO }, topic }) as const;

/** An address header with its encoded words (RFC 2047, B) read. */
function addressed(header = ''): string {
  return header
    .replace(/\?=\s+=\?UTF-8\?B\?/gi, '')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_all, word) => Buffer.from(word, 'base64').toString('utf8'));
}

for (const kind of BOTH_DATABASES) {
  test(`mail goes out by SMTP with STARTTLS and a login, as text and as HTML, on ${kind}`, async () => {
    await using server = await startMailServer({ login: { user: 'simcha', pass: 'p@ss word' } });
    const url = `smtp://simcha:${encodeURIComponent('p@ss word')}@127.0.0.1:${server.port}?tls.rejectUnauthorized=false`;
    await using open = await openMail(kind, { SMTP_URL: url });
    const id = await open.mail.enqueue(
      undefined,
      newMail({
        onBehalfOf: 'נועה, איתי\r\nBcc: x@example.com',
        replyTo: 'noa@example.com',
        calendar: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' },
        headers: { 'List-Unsubscribe': '<https://example.com/u>' },
      }),
      SERVICE,
    );
    const mail = await server.mailTo('guest@example.com');
    assert.equal(mail.secure, true);
    assert.equal(mail.user, 'simcha');
    assert.equal(mail.headers.get('message-id'), `<${id}@example.com>`);
    assert.equal(mail.headers.get('list-unsubscribe'), '<https://example.com/u>');
    assert.equal(mail.headers.get('to'), 'guest@example.com');
    assert.equal(
      addressed(mail.headers.get('from')),
      'שמחה · נועה, איתי Bcc: x@example.com <simcha@example.com>',
    );
    assert.equal(mail.headers.get('reply-to'), 'noa@example.com');
    assert.equal(mail.headers.get('bcc'), undefined);
    assert.match(mail.raw, /Content-Type: text\/calendar; charset=utf-8; method=REQUEST/);
    assert.match(mail.part('text/calendar'), /^BEGIN:VCALENDAR\r\nEND:VCALENDAR/);
    assert.equal(mail.headers.get('content-language'), 'he');
    assert.equal(mail.part('text/plain').replaceAll('\r\n', '\n').trim(), letter.text.trim());
    assert.match(mail.part('text/html'), /<html lang="he" dir="rtl">/);
    assert.match(mail.part('text/html'), /&lt;מתחתנים&gt; &amp; שמחים/);
    await open.settled(id);
    assert.equal((await open.statusOf(id))?.status, 'sent');
    assert.ok(!open.mail.destination.includes('p@ss') && !open.mail.destination.includes('p%40ss'));
  });

  test(`a mail server that is down delays a mail, and what waits is unreadable, on ${kind}`, async () => {
    const port = await freePort();
    await using open = await openMail(kind, {
      SMTP_URL: `smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    });
    const id = await open.mail.enqueue(undefined, newMail(), SERVICE);
    await until(async () => {
      const { rows } = await sql<{ retry_count: number; state: string }>`
        select retry_count, state::text from pgboss.job where name = 'mail'`.execute(open.db);
      return rows[0]?.state === 'retry';
    });
    const { rows } = await sql<{ content: string }>`select content from mails`.execute(open.db);
    assert.doesNotMatch(rows[0]?.content ?? '', /ABCD-EFGH|guest@example|נועה/);
    const { rows: waiting } = await sql<{ data: string }>`select data::text from pgboss.job`.execute(open.db);
    assert.doesNotMatch(JSON.stringify(waiting), /ABCD-EFGH|guest@example|נועה/);
    assert.ok(await open.waits(id));

    await using server = await startMailServer({ port });
    await server.mailTo('guest@example.com');
    await open.settled(id);
    assert.equal(server.mails.length, 1);
    const { rows: after } = await sql<{ content: string | null }>`select content from mails`.execute(open.db);
    assert.equal(after[0]?.content, null);
  });

  test(`a mail is one commit with its row, and one of a kind by its key, on ${kind}`, async () => {
    await using server = await startMailServer();
    await using open = await openMail(kind, { SMTP_URL: `smtp://127.0.0.1:${server.port}?ignoreTLS=true` });
    await assert.rejects(
      open.db.transaction().execute(async (transaction) => {
        await open.mail.enqueue(transaction, newMail({ key: 'invitation:1' }), SERVICE);
        throw new Error('no');
      }),
    );
    const ids = [];
    for (let i = 0; i < 5; i += 1)
      ids.push(await open.mail.enqueue(undefined, newMail({ key: 'invitation:1' }), SERVICE));
    assert.equal(ids.filter(Boolean).length, 1);
    await open.settled(ids[0]);
    await open.settled(await open.mail.enqueue(undefined, newMail({ to: 'other@example.com' }), SERVICE));
    assert.deepEqual(server.mails.flatMap(({ to }) => to).sort(), ['guest@example.com', 'other@example.com']);
  });

  test(`many mails are taken at once, each of a key once, on ${kind}`, async () => {
    await using server = await startMailServer();
    await using open = await openMail(kind, { SMTP_URL: `smtp://127.0.0.1:${server.port}?ignoreTLS=true` });
    const first = await open.mail.enqueue(
      undefined,
      newMail({ to: 'guest3@example.com', key: 'round:3' }),
      SERVICE,
    );
    const mails = Array.from({ length: 20 }, (_, n) =>
      newMail({ to: `guest${n}@example.com`, key: `round:${n}` }),
    );
    const ids = await open.db
      .transaction()
      .execute((transaction) => open.mail.enqueueAll(transaction, mails, SERVICE));
    assert.deepEqual(
      ids.map((id) => id !== undefined),
      mails.map((_, n) => n !== 3),
    );
    for (const id of [first, ...ids.filter((one) => one !== undefined)]) await open.settled(id);
    assert.equal((await open.statusOf(ids[7]))?.key, 'round:7');
    assert.deepEqual(server.mails.flatMap(({ to }) => to).sort(), mails.map(({ to }) => to).sort());
  });

  test(`more mails of a sender than a day has wait for the next day, whoever asks at once, on ${kind}`, async () => {
    await using server = await startMailServer();
    const smtp = `smtp://127.0.0.1:${server.port}?ignoreTLS=true`;
    await using open = await openMail(kind, { SMTP_URL: smtp, MAILS_PER_DAY: '8' });
    const send = (from: number, to: number, origin: MailOrigin) =>
      open.db.transaction().execute((transaction) => {
        const numbers = Array.from({ length: to - from }, (_, index) => from + index);
        const mails = numbers.map((n) => newMail({ to: `guest${n}@example.com` }));
        return open.mail.enqueueAll(transaction, mails, origin);
      });
    const sent = await Promise.all([0, 3, 6, 9].map((from) => send(from, from + 3, ordinary('dana'))));
    const waiting = await open.waiting(sent.flat());
    assert.equal(waiting.length, 4);
    for (const { waits_until } of waiting) {
      const hours = (Date.parse(waits_until ?? '') - Date.now()) / 3_600_000;
      assert.ok(hours > 23.9 && hours <= 24, waits_until ?? '');
    }
    const others = await send(20, 22, ordinary('yossi'));
    const cancelled = await send(30, 32, { ...ordinary('dana'), urgency: 'cancellation' });
    assert.equal((await open.waiting([...others, ...cancelled])).length, 0);

    const forecast = await open.mail.forecast(open.db, dana, 60);
    assert.deepEqual([forecast.now, forecast.later, forecast.beyond], [0, 52, 8]);
    open.later.seconds = 86_400;
    await open.mail.releaseDue();
    for (const id of sent.flat()) await open.settled(id);
    assert.equal((await open.waiting(sent.flat())).length, 0);
    const to = server.mails.flatMap((mail) => mail.to).filter((address) => /guest(\d|1[01])@/.test(address));
    assert.equal(new Set(to).size, 12);
  });

  test(`one mail in an hour of a topic goes to a mailbox, by whichever of its addresses, on ${kind}`, async () => {
    await using open = await openMail(kind);
    const send = async (to: string, origin: MailOrigin) => {
      const id = await open.mail.enqueue(undefined, newMail({ to }), origin);
      return (await open.waiting([id]))[0]?.waits_until ?? 'now';
    };
    const inHours = (text: string) => Math.round((Date.parse(text) - Date.now()) / 36_000) / 100;
    assert.equal(await send('target+1@x.co', ordinary('dana')), 'now');
    assert.equal(inHours(await send('target+2@x.co', ordinary('dana'))), 1);
    assert.equal(inHours(await send('Target@X.co', ordinary('dana'))), 2);
    assert.equal(await send('target@x.co', ordinary('dana', OTHER_TOPIC)), 'now');
    assert.equal(await send('other@x.co', ordinary('dana')), 'now');
    assert.equal(await send('target@x.co', { ...ordinary('dana'), urgency: 'cancellation' }), 'now');
    assert.equal(await send('target@x.co', SERVICE), 'now');
    for (const topic of [TOPIC, OTHER_TOPIC, TOPIC]) {
      assert.equal(await send('target+a@x.co', { ...ordinary('dana', topic), urgency: 'requested' }), 'now');
    }
    assert.equal(inHours(await send('target@x.co', { ...ordinary('yossi'), urgency: 'requested' })), 1);
    const asked = { ...ordinary('dana'), urgency: 'requested' } as const;
    for (const when of ['now', 'now', 'now']) assert.equal(await send('asked@x.co', asked), when);
    assert.equal(inHours(await send('asked@x.co', asked)), 1);
    assert.equal(await send('asked@x.co', ordinary('dana')), 'now', 'requested mails delay no round');
    const until = systemClock().add({ minutes: 10 });
    const late = await open.mail.enqueue(undefined, newMail({ to: 'target@x.co' }), {
      ...ordinary('dana'),
      until,
    });
    assert.equal(late, undefined, 'worth nothing by the time it would go');
    const { rows } = await sql<{ row: string }>`select mails::text as row from mails`.execute(open.db);
    assert.doesNotMatch(JSON.stringify(rows), /target|x\.co/);
  });

  test(`a mailbox that does not exist is told, a full server is tried again, on ${kind}`, async () => {
    let full = true;
    await using server = await startMailServer({
      refuse: (address) => (address.startsWith('nobody') ? 550 : full ? 452 : undefined),
    });
    await using open = await openMail(kind, { SMTP_URL: `smtp://127.0.0.1:${server.port}?ignoreTLS=true` });
    const nobody = await open.mail.enqueue(undefined, newMail({ to: 'nobody@example.com' }), SERVICE);
    const later = await open.mail.enqueue(undefined, newMail(), SERVICE);
    await open.settled(nobody);
    const report = await open.statusOf(nobody);
    assert.deepEqual(
      [report?.status, report?.problem],
      ['refused', { code: 'refused', status: 550, step: 'RCPT TO' }],
    );
    assert.equal(
      report?.problem && mailProblemText(report.problem, 'en'),
      'the mail server answered 550 to RCPT TO',
    );
    assert.ok(await open.waits(later));
    const failed = async () => {
      const { rows } = await sql<{ output: string }>`
        select output::text from pgboss.job where name = 'mail' and output is not null`.execute(open.db);
      return JSON.stringify(rows);
    };
    await until(async () => /answered 452 to RCPT TO/.test(await failed()));
    assert.doesNotMatch(await failed(), /@example\.com/);
    full = false;
    await open.settled(later);
    assert.equal((await open.statusOf(later))?.status, 'sent');
  });
}

test('what becomes of a mail is said in each language, and by its code where that is unknown', () => {
  const scripts = { he: /[\u05d0-\u05ea]/, ar: /[\u0627-\u064a]/, en: /^[\x20-\x7e]+$/ };
  const problems: MailProblem[] = [
    { code: 'refused', status: 550, step: 'RCPT TO' },
    { code: 'refused', status: 554, step: null },
    { code: 'away' },
    { code: 'withdrawn' },
    { code: 'held' },
  ];
  for (const problem of problems) {
    for (const language of LANGUAGES) {
      assert.match(mailProblemText(problem, language), scripts[language]);
      assert.doesNotMatch(mailProblemText(problem, language), /null|undefined/);
    }
  }
  const stored: MailProblem = JSON.parse('{"code":"eaten_by_mice"}');
  assert.equal(mailProblemText(stored, 'he'), 'eaten_by_mice');
});

test('TLS from the start works, and a certificate nobody vouches for is not trusted', async () => {
  await using server = await startMailServer({ secure: true });
  await using trusting = await openMail('postgres', {
    SMTP_URL: `smtps://127.0.0.1:${server.port}?tls.rejectUnauthorized=false`,
  });
  await trusting.settled(await trusting.mail.enqueue(undefined, newMail(), SERVICE));
  assert.equal(server.mails[0]?.secure, true);

  await using careful = await openMail('postgres', { SMTP_URL: `smtps://127.0.0.1:${server.port}` });
  const id = await careful.mail.enqueue(undefined, newMail(), SERVICE);
  await until(async () => {
    const { rows } = await sql<{
      state: string;
    }>`select state::text from pgboss.job where name = 'mail'`.execute(careful.db);
    return rows[0]?.state === 'retry';
  });
  assert.ok(await careful.waits(id));
  assert.equal(server.mails.length, 1);
});

test('a password is not sent where the server hides STARTTLS', async () => {
  let asked = 0;
  await using server = await startMailServer({
    hideSTARTTLS: true,
    login: {
      get user() {
        asked += 1;
        return 'simcha';
      },
      pass: 'secret',
    },
  });
  await using open = await openMail('postgres', {
    SMTP_URL: `smtp://simcha:secret@127.0.0.1:${server.port}`,
  });
  await open.mail.enqueue(undefined, newMail(), SERVICE);
  await until(async () => {
    const { rows } = await sql<{
      state: string;
    }>`select state::text from pgboss.job where name = 'mail'`.execute(open.db);
    return rows[0]?.state === 'retry';
  });
  assert.deepEqual([server.mails.length, asked], [0, 0]);
});

test('nothing in a subject becomes a header, and no header of a caller replaces ours', async () => {
  await using server = await startMailServer();
  await using open = await openMail('postgres', {
    SMTP_URL: `smtp://127.0.0.1:${server.port}?ignoreTLS=true`,
  });
  const subject = 'hello\r\nBcc: victim@example.com\r\n\r\nbody \u202e';
  await open.settled(await open.mail.enqueue(undefined, newMail({ subject }), SERVICE));
  const [mail] = server.mails;
  assert.deepEqual(mail?.to, ['guest@example.com']);
  assert.equal(mail?.headers.has('bcc'), false);
  assert.equal(mail?.headers.get('subject'), 'hello Bcc: victim@example.com body');
  const hostile: Partial<NewMail>[] = [
    { to: 'a@example.com, b@example.com' },
    { to: 'a@example.com\r\nBcc: b@example.com' },
    { headers: { Bcc: 'b@example.com' } },
    { headers: { 'X-A\r\nBcc': 'x' } },
    { headers: { 'X-A': 'x\r\nBcc: b@example.com' } },
    { headers: { 'Content-Type': 'text/html' } },
  ];
  for (const changes of hostile)
    await assert.rejects(open.mail.enqueue(undefined, newMail(changes), SERVICE));
});

test('without SMTP_URL mail is put into the outbox, for its owner alone, as a mail program opens it', async () => {
  await using open = await openMail('postgres');
  const id = await open.mail.enqueue(undefined, newMail(), SERVICE);
  await open.settled(id);
  const folder = join(open.dataDir, 'outbox');
  assert.deepEqual((await readdir(folder)).sort(), [`${id}.eml`, `${id}.json`]);
  assert.match(await readFile(join(folder, `${id}.eml`), 'utf8'), /^To: guest@example\.com\r?$/m);
  assert.equal((await stat(join(folder, `${id}.eml`))).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

test('/dev/mail is there in development alone', async () => {
  await using development = await startServer('postgres');
  const key = await readFile(join(development.dataDir, 'mail-key'), 'utf8');
  const read = (path: string) => development.call('GET', path, { token: key });
  const list = await read('/dev/mail');
  assert.equal(list.status, 200);
  assert.match(list.text, /No mail yet/);
  assert.match(list.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  for (const path of [
    '/dev/mail/x',
    '/dev/mail/..%2f..%2flock',
    '/dev/mail/01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44/html',
  ]) {
    assert.equal((await read(path)).status, 404, path);
  }
  await development.call('POST', '/api/auth/code', { body: { email: 'noa@example.com' } });
  const { id, subject } = await mailTo(development.dataDir, 'noa@example.com');
  assert.ok((await read('/dev/mail')).text.includes(`<a href="/dev/mail/${id}"><bdi dir="rtl">${subject}`));
  assert.match((await read(`/dev/mail/${id}`)).text, /<iframe [^>]*sandbox="[^"]*"/);
  const html = await read(`/dev/mail/${id}/html`);
  assert.match(
    html.headers.get('content-security-policy') ?? '',
    /^sandbox (?!.*allow-(scripts|same-origin)).*default-src 'none'/,
  );
  await using production = await startServer('postgres', { env: { NODE_ENV: 'production' } });
  assert.equal((await production.call('GET', '/dev/mail')).status, 404);
  await using mailing = await startServer('postgres', { env: { SMTP_URL: 'smtp://127.0.0.1:9' } });
  assert.equal((await mailing.call('GET', '/dev/mail')).status, 404);
});

test('/dev/mail is read with the key alone, which the address trades for a cookie', async () => {
  await using server = await startServer('postgres', {
    env: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'http://another.example' },
  });
  const { call } = server;
  await call('POST', '/api/auth/code', { body: { email: 'noa@example.com' } });
  const { id, subject } = await mailTo(server.dataDir, 'noa@example.com');
  const [, address = ''] = /read it at (\S+)$/.exec(server.simcha.notes.join('\n')) ?? [];
  const { hostname, pathname, search, searchParams } = new URL(address);
  assert.equal(hostname, 'localhost', 'where this server listens');
  const key = searchParams.get('key') ?? '';
  assert.match(key, /^[\w-]{43}$/);
  assert.equal((await stat(join(server.dataDir, 'mail-key'))).mode & 0o777, 0o600);

  const opened = await call('GET', pathname + search);
  assert.deepEqual([opened.status, opened.headers.get('location')], [303, '/dev/mail']);
  assert.equal(
    opened.headers.get('set-cookie'),
    `simcha_mail=${key}; Path=/dev/mail; HttpOnly; SameSite=Strict`,
  );
  assert.ok(!opened.text.includes(key));
  const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
  for (const path of ['/dev/mail', `/dev/mail/${id}`, `/dev/mail/${id}/html`]) {
    for (const cookie of [`simcha_mail=${key}`, `a=1; simcha_mail=planted; simcha_mail=${key}`]) {
      assert.equal((await call('GET', path, { headers: { cookie } })).status, 200);
    }
    const locked: [string, Record<string, string>][] = [
      [path, {}],
      [path, { cookie: `simcha_mail=${wrong}` }],
      [path, { cookie: `other=${key}` }],
      [path, { cookie: `Bearer ${key}` }],
      [path, { cookie: 'simcha_mail=' }],
      [path, { authorization: `Bearer ${wrong}` }],
      [path, { authorization: 'Bearer ' }],
      [`${path}?key=`, {}],
      [`${path}?key=${wrong}`, {}],
      [`${path}?key=${key}&key=${key}`, {}],
    ];
    for (const [asked, headers] of locked) {
      const refused = await call('GET', asked, { headers });
      assert.equal(refused.status, 403, `${asked} ${JSON.stringify(headers)}`);
      assert.match(refused.text, /printed when it started/);
      assert.ok(!refused.text.includes(subject) && !refused.headers.has('set-cookie'));
    }
  }
  const elsewhere = { 'x-forwarded-for': '192.0.2.1' };
  assert.equal((await call('GET', pathname + search, { headers: elsewhere })).status, 404);
  assert.equal((await call('GET', '/dev/mail', { token: key, headers: elsewhere })).status, 404);
});

test('the key of /dev/mail is printed by the start, is the same after the next, and is in no other line', async () => {
  await using place = await temporaryDatabase('postgres');
  const keys: string[] = [];
  for (let start = 1; start <= 2; start += 1) {
    const server = await spawnServer({ ...place.env, LOG_LEVEL: 'trace' });
    try {
      await until(() => /read it at http\S+\?key=/.test(server.output()));
      const [, key = ''] = /\?key=([\w-]{43})"/.exec(server.output()) ?? [];
      keys.push(key);
      const call = createClient(server.url);
      assert.equal((await call('GET', `/dev/mail?key=${key}`)).status, 303);
      // It goes the way of any other address.
      assert.equal((await call('GET', `/dev/mail/%ff?key=${key}`)).status, 303);
      assert.equal((await call('DELETE', `/dev/mail?key=${key}`)).status, 405);
      server.child.kill('SIGTERM');
      assert.equal(await server.ended, 0);
      assert.match(server.output(), /"route":"\/dev\/mail","status":303/);
      assert.equal(server.output().split(key).length, 2);
    } finally {
      server.child.kill('SIGKILL');
    }
  }
  assert.equal(keys[0], keys[1]);
});
