import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresDatabase, queryDatabase, startServer, waitingForLock } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { form, linkOf, tokenOf } from '../answers/links.ts';
import { startEvent, type TestEvent } from '../event.ts';
import { send } from './files.ts';

// An import beside other changes of its event. A trigger holds the import where it has written its guests but does not
// have the event's lock yet.

interface HeldImports extends AsyncDisposable {
  databaseUrl: string;
  /** Holds imports that write guests from now on. */
  hold(): Promise<unknown>;
  /** Waits until so many imports are held. */
  areHeld(count?: number): Promise<void>;
  release(): Promise<unknown>;
}

async function holdImports(): Promise<HeldImports> {
  const { url: databaseUrl, drop } = await postgresDatabase('simcha_template');
  const run = (statement: string) => queryDatabase(databaseUrl, statement);
  await run(`
    create table holds ();
    create function hold() returns trigger language plpgsql as $$
    begin
      while current_query() like '%staged_guests%' and exists (select from holds) loop
        perform pg_sleep(0.01);
      end loop;
      return null;
    end $$;
    create trigger before_others_hold_insert after insert on guests for each statement execute function hold();
    create trigger before_others_hold_update after update on guests for each statement execute function hold();`);
  return {
    databaseUrl,
    hold: () => run('insert into holds default values'),
    areHeld: (count = 1) =>
      until(async () => {
        const [{ held }] = await run(`
          select count(*)::integer as held from pg_stat_activity
          where datname = current_database() and query like '%staged_guests%' and wait_event = 'PgSleep'`);
        return held === count;
      }),
    release: () => run('delete from holds'),
    async [Symbol.asyncDispose]() {
      await drop();
    },
  };
}

async function names(event: TestEvent): Promise<string[]> {
  const { body } = await event.call('GET', '/guests?limit=1000');
  return body.guests.map((guest: { name: string }) => guest.name).sort();
}

async function answerOf(event: TestEvent, guest: { id: string }, answer: object) {
  const token = tokenOf((await linkOf(event, guest.id)).url);
  return () => event.server.call('POST', `/api/rsvp/${token}`, { body: answer });
}

test('other changes of an event go on while an import writes its guests', async () => {
  await using imports = await holdImports();
  await using event = await startEvent('postgres', {}, { env: { DATABASE_URL: imports.databaseUrl } });
  const guest = await event.guest({ name: 'עונה', email: 'guest@example.com' });
  const answer = await answerOf(event, guest, { rsvp_status: 'confirmed' });
  assert.equal((await event.call('PUT', '/rsvp', { body: { open: true, slug: 'party' } })).status, 200);
  await imports.hold();
  const imported = send(event, 'שם,טלפון,תשובה\nדנה,0501111111,מגיעה\nנועה,0502222222,');
  await imports.areHeld();
  const changes: Record<string, () => ReturnType<TestEvent['call']>> = {
    answer,
    'a change of a guest': () => event.call('PUT', `/guests/${guest.id}`, { body: { note: 'חברה' } }),
    'a new guest': () => event.call('POST', '/guests', { body: { name: 'תמר' } }),
    'a change of the event': () => event.call('PUT', '', { body: { max_guests: 100 } }),
    'an item of the agenda': () =>
      event.call('POST', '/agenda', { body: { title: 'חופה', starts_at: '2099-06-15T20:00' } }),
    'a request by the open link': () =>
      form(event, '/e/party', { name: 'רות', phone: '0501234567', coming: '1' }),
    'a round': () => event.call('POST', '/rounds', { body: { filter: {} } }),
  };
  for (const [what, change] of Object.entries(changes)) {
    const { status, text } = await change();
    assert.ok(status < 400, `${what}: ${status} ${text}`);
  }
  assert.deepEqual(await names(event), ['עונה', 'תמר']);
  await imports.release();
  assert.equal((await imported).body.import.created, 2);
  assert.deepEqual(await names(event), ['דנה', 'נועה', 'עונה', 'תמר']);
  const { rsvp_confirmed, rsvp_total } = await event.counts();
  assert.deepEqual([rsvp_confirmed, rsvp_total], [2, 4]);
});

test('an answer that takes the last place while an import writes keeps it', async () => {
  await using imports = await holdImports();
  const env = { DATABASE_URL: imports.databaseUrl };
  await using event = await startEvent('postgres', { max_guests: 1 }, { env });
  const guest = await event.guest({ name: 'עונה', email: 'guest@example.com' });
  const answer = await answerOf(event, guest, { rsvp_status: 'confirmed' });
  await imports.hold();
  const imported = send(event, 'שם,טלפון,תשובה\nדנה,0501111111,מגיעה');
  await imports.areHeld();
  assert.equal((await answer()).body.guest.rsvp_status, 'confirmed');
  await imports.release();
  const { status, body } = await imported;
  assert.deepEqual([status, body.import.created, body.import.rows[0].warning?.code], [200, 1, 'waits']);
  const { rsvp_confirmed, waiting, rsvp_total } = await event.counts();
  assert.deepEqual([rsvp_confirmed, waiting, rsvp_total], [1, 1, 2]);
});

test('places that an import frees and takes count the same after an answer beside it', async () => {
  await using imports = await holdImports();
  const env = { DATABASE_URL: imports.databaseUrl };
  await using event = await startEvent('postgres', { max_guests: 2 }, { env });
  const guest = await event.guest({ name: 'עונה', email: 'guest@example.com' });
  await event.guest({ name: 'דנה', phone: '0501111111', rsvp_status: 'confirmed' });
  const answer = await answerOf(event, guest, { rsvp_status: 'confirmed' });
  await imports.hold();
  // נועה needs a second place until דנה gives up hers, so the answer beside it leaves too few.
  const imported = send(event, 'שם,טלפון,תשובה\nנועה,0502222222,מגיעה\nדנה,0501111111,לא מגיעה');
  await imports.areHeld();
  assert.equal((await answer()).status, 200);
  await imports.release();
  assert.equal((await imported).status, 200);
  const { rsvp_confirmed, rsvp_declined, waiting } = await event.counts();
  assert.deepEqual([rsvp_confirmed, rsvp_declined, waiting], [2, 1, 0]);
  const { history } = (await event.call('GET', '/history')).body;
  const movedUp = history.filter(({ action }: { action: string }) => action === 'moved_up');
  assert.equal(movedUp.length, 1, 'נועה waited for the place of the row below');
});

test('a place that a guest gives up while an import has too few goes to a guest of the import', async () => {
  await using imports = await holdImports();
  const env = { DATABASE_URL: imports.databaseUrl };
  await using event = await startEvent('postgres', { max_guests: 1 }, { env });
  await using other = await startServer('postgres', { env });
  const guest = await event.guest({ name: 'עונה', phone: '0509999999', rsvp_status: 'confirmed' });
  const answer = await answerOf({ ...event, server: other } as TestEvent, guest, { rsvp_status: 'declined' });
  await imports.hold();
  const imported = send(event, 'שם,טלפון,תשובה\nדנה,0501111111,מגיעה');
  await imports.areHeld();
  let isAnswered = false;
  const answered = answer().finally(() => {
    isAnswered = true;
  });
  await until(async () => isAnswered || (await waitingForLock(imports.databaseUrl)) === 1);
  await imports.release();
  assert.deepEqual([(await imported).status, (await answered).status], [200, 200]);
  const { rsvp_confirmed, rsvp_declined, waiting } = await event.counts();
  assert.deepEqual([rsvp_confirmed, rsvp_declined, waiting], [1, 1, 0]);
});

test('a guest whom an import changes may answer while it writes, and both are stored', async () => {
  await using imports = await holdImports();
  await using event = await startEvent('postgres', {}, { env: { DATABASE_URL: imports.databaseUrl } });
  const guest = await event.guest({ name: 'דנה', phone: '0501111111' });
  const answer = await answerOf(event, guest, { rsvp_status: 'declined', message: 'מזל טוב' });
  await imports.hold();
  const imported = send(event, 'שם,טלפון,הערה\nדנה,0501111111,בת דודה');
  await imports.areHeld();
  // The answer has the event's lock and waits for the guest's row, which the import has.
  const answered = answer();
  await until(async () => (await waitingForLock(imports.databaseUrl)) === 1);
  await imports.release();
  assert.equal((await answered).status, 200);
  const { status, body } = await imported;
  assert.deepEqual([status, body.import.updated], [200, 1]);
  const { rsvp_status, message, note } = await event.read(guest.id);
  assert.deepEqual([rsvp_status, message, note], ['declined', 'מזל טוב', 'בת דודה']);
});

test('two imports of the same list at once make each guest once', async () => {
  await using imports = await holdImports();
  const env = { DATABASE_URL: imports.databaseUrl };
  await using event = await startEvent('postgres', {}, { env });
  await using other = await startServer('postgres', { env });
  const file = 'שם,טלפון,תשובה\nדנה,0501111111,מגיעה\nנועה,0502222222,\nיעל,,מגיעה';
  await imports.hold();
  const both = [send(event, file), send({ ...event, server: other } as TestEvent, file)];
  await imports.areHeld();
  await until(async () => (await waitingForLock(imports.databaseUrl)) === 1);
  await imports.release();
  const reports = (await Promise.all(both)).map(({ status, body }) => {
    assert.equal(status, 200, JSON.stringify(body));
    return [body.import.created, body.import.unchanged];
  });
  assert.deepEqual(reports.sort(), [
    [0, 3],
    [3, 0],
  ]);
  const { rsvp_confirmed, rsvp_total } = await event.counts();
  assert.deepEqual([rsvp_confirmed, rsvp_total], [2, 3]);
});

test('an import takes account of what became of the event while it wrote', async () => {
  await using imports = await holdImports();
  const env = { DATABASE_URL: imports.databaseUrl };
  await using event = await startEvent('postgres', {}, { env });
  await using other = await startServer('postgres', { env });
  const token = await other.token('me');
  const path = `/api/events/${event.id}`;

  /** Sends a file, and a change by another server while the import of the file is held. */
  const importBeside = async (change: Parameters<typeof other.call>, file: string, query = '') => {
    await imports.hold();
    const imported = send(event, file, { query });
    await imports.areHeld();
    const [method, to, options] = change;
    let isDone = false;
    const changed = other.call(method, to, { ...options, token }).finally(() => {
      isDone = true;
    });
    await until(async () => isDone || (await waitingForLock(imports.databaseUrl)) === 1);
    await imports.release();
    const { status, body } = await imported;
    assert.equal(status, 200, JSON.stringify(body));
    return { changed: await changed, report: body.import };
  };

  const dana = { name: 'דנה', phone: '0501111111' };
  const { changed, report } = await importBeside(
    ['POST', `${path}/guests`, { body: dana }],
    'שם,טלפון,הערה\nדנה,0501111111,בת דודה\nנועה,0502222222,',
  );
  assert.equal(changed.status, 201);
  assert.deepEqual([report.created, report.updated], [1, 1]);
  assert.deepEqual((await names(event)).sort(), ['דנה', 'נועה']);
  assert.equal((await event.read(changed.body.guest.id)).note, 'בת דודה');

  const lowered = await importBeside(
    ['PUT', path, { body: { max_guests: 1 } }],
    'שם,טלפון,תשובה\nיעל,0503333333,מגיעה\nרות,0504444444,מגיעה',
  );
  assert.equal(lowered.changed.status, 200);
  assert.equal(lowered.report.created, 2);
  const counts = await event.counts();
  assert.deepEqual([counts.rsvp_confirmed, counts.waiting], [1, 1]);

  // What is about others changes nothing in it.
  const beside = await importBeside(
    ['POST', `${path}/guests`, { body: { name: 'תמר', phone: '0505555555' } }],
    'שם,טלפון,הערה\nיעל,0503333333,מהעבודה\nאדם,0506666666,',
  );
  assert.deepEqual([beside.report.created, beside.report.updated], [1, 1]);
  assert.equal((await names(event)).length, 6);

  // Who is asked about only since comes back as well.
  const asked = await importBeside(
    ['POST', `${path}/guests`, { body: { name: 'גיל' } }],
    'שם,טלפון,הערה\nנוי,12,א\nגיל,,ב\nאור,,ג',
    '?on_problem=skip',
  );
  assert.deepEqual([asked.report.created, asked.report.refused, asked.report.asked], [1, 1, 1]);
  assert.match(asked.report.to_mend.content, /\nנוי,12,א,.*\r\nגיל,,ב,/);
});
