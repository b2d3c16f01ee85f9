import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import {
  DATABASES,
  postgresDatabase,
  startServer,
  type TestServer,
  waitingForLock,
} from '../support/server.ts';
import { until } from '../support/until.ts';
import { startEvent } from './event.ts';

// The counts are kept by triggers; whatever is done to guests, bookings and events, they equal a fresh count.

const answer = fc.constantFrom('confirmed', 'pending', 'declined');
const booking = fc.constantFrom('confirmed', 'pending', 'cancelled');
const step = fc.oneof(
  fc.record({
    do: fc.constant('invite' as const),
    answers: fc.array(answer, { maxLength: 5 }),
    event: fc.nat(1),
  }),
  fc.record({ do: fc.constant('answer' as const), from: answer, to: answer, event: fc.nat(1) }),
  fc.record({ do: fc.constant('uninvite' as const), answer, event: fc.nat(1) }),
  fc.record({ do: fc.constant('move' as const), answer, event: fc.nat(1) }),
  fc.record({
    do: fc.constant('book' as const),
    statuses: fc.array(booking, { maxLength: 3 }),
    event: fc.nat(1),
  }),
  fc.record({ do: fc.constant('rebook' as const), from: booking, to: booking, event: fc.nat(1) }),
  fc.record({ do: fc.constant('unbook' as const), status: booking, event: fc.nat(1) }),
  fc.record({ do: fc.constant('erase' as const), event: fc.nat(1) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const STATUSES = ['draft', 'published', 'cancelled', 'completed'] as const;
const status = fc.constantFrom(...STATUSES);
const eventStep = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    statuses: fc.array(status, { maxLength: 5 }),
    organizer: fc.nat(1),
  }),
  fc.record({ do: fc.constant('change' as const), from: status, to: status, organizer: fc.nat(1) }),
  fc.record({ do: fc.constant('delete' as const), status, organizer: fc.nat(1) }),
  fc.record({ do: fc.constant('bring back' as const), organizer: fc.nat(1) }),
  fc.record({ do: fc.constant('remove' as const), status, organizer: fc.nat(1) }),
  fc.record({ do: fc.constant('hand over' as const), status, organizer: fc.nat(1) }),
);
type EventStep = typeof eventStep extends fc.Arbitrary<infer T> ? T : never;

for (const kind of DATABASES) {
  describe(`tallies on ${kind}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer(kind);
    });
    after(() => server.close());
    const run = (statement: ReturnType<typeof sql>) => statement.execute(server.simcha.database.sql);

    const apply = (step: Step, events: string[], token: string) => {
      const event = events[step.event];
      const other = events[1 - step.event];
      switch (step.do) {
        case 'invite':
          return run(sql`
            insert into guests (id, event_id, name, rsvp_status, created_at, updated_at)
            select gen_random_uuid(), ${event}::uuid, 'guest', status, now(), now()
            from jsonb_array_elements_text(${JSON.stringify(step.answers)}::jsonb) status`);
        case 'answer':
          return run(
            sql`update guests set rsvp_status = ${step.to} where event_id = ${event} and rsvp_status = ${step.from}`,
          );
        case 'uninvite':
          return run(sql`delete from guests where event_id = ${event} and rsvp_status = ${step.answer}`);
        case 'move':
          return run(
            sql`update guests set event_id = ${other} where event_id = ${event} and rsvp_status = ${step.answer}`,
          );
        case 'book':
          return run(sql`
            insert into bookings (id, event_id, vendor_name, status, created_at, updated_at)
            select gen_random_uuid(), ${event}::uuid, 'vendor', status, now(), now()
            from jsonb_array_elements_text(${JSON.stringify(step.statuses)}::jsonb) status`);
        case 'rebook':
          return run(
            sql`update bookings set status = ${step.to} where event_id = ${event} and status = ${step.from}`,
          );
        case 'unbook':
          return run(
            sql`update bookings set deleted_at = now() where event_id = ${event} and status = ${step.status}`,
          );
        case 'erase':
          return server.call('POST', `/api/events/${event}/guests/erase`, { token });
      }
    };

    test('any sequence of changes leaves them equal to a fresh count', async () => {
      const token = await server.token('me');
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const events: string[] = [];
          for (let i = 0; i < 2; i++) {
            const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
            events.push((await server.call('POST', '/api/events', { token, body })).body.event.id);
          }
          for (const one of steps) await apply(one, events, token);
          for (const id of events) {
            const { rows } = await run(sql`
              select
                (select count(distinct id)::int from guests where event_id = ${id} and rsvp_status = 'confirmed') as rsvp_confirmed,
                (select count(distinct id)::int from guests where event_id = ${id} and rsvp_status = 'pending') as rsvp_pending,
                (select count(distinct id)::int from guests where event_id = ${id} and rsvp_status = 'declined') as rsvp_declined,
                (select count(distinct id)::int from guests where event_id = ${id}) as rsvp_total,
                (select count(distinct id)::int from bookings
                 where event_id = ${id} and status = 'confirmed' and deleted_at is null) as vendors_confirmed`);
            const { body } = await server.call('GET', `/api/events/${id}`, { token });
            assert.partialDeepStrictEqual(body.event, rows[0] as object);
          }
        }),
        { numRuns: 40 },
      );
    });

    const applyToEvents = (step: EventStep, organizers: string[]) => {
      const mine = organizers[step.organizer];
      const other = organizers[1 - step.organizer];
      switch (step.do) {
        case 'add':
          return run(sql`
            insert into events (id, organizer_id, title, event_date, venue_name, status, created_at, updated_at)
            select gen_random_uuid(), ${mine}, 'event', case when nth % 3 > 0 then now() + nth * interval '1 day' end,
              'venue', status, now(), now()
            from jsonb_array_elements_text(${JSON.stringify(step.statuses)}::jsonb) with ordinality as given (status, nth)`);
        case 'change':
          return run(sql`
            update events set status = ${step.to}
            where organizer_id = ${mine} and status = ${step.from} and deleted_at is null`);
        case 'delete':
          return run(sql`
            update events set status = 'cancelled', deleted_at = now()
            where organizer_id = ${mine} and status = ${step.status} and deleted_at is null`);
        case 'bring back':
          return run(sql`update events set deleted_at = null where organizer_id = ${mine}`);
        case 'remove':
          return run(sql`delete from events where organizer_id = ${mine} and status = ${step.status}`);
        case 'hand over':
          return run(
            sql`update events set organizer_id = ${other} where organizer_id = ${mine} and status = ${step.status}`,
          );
      }
    };

    /** The ids of an organizer's events as the list must give them, counted and ordered afresh. */
    const freshList = async (organizer: string, status?: string): Promise<string[]> => {
      const { rows } = await run(sql`
        select id from events
        where organizer_id = ${organizer} and deleted_at is null ${status ? sql`and status = ${status}` : sql``}
        order by event_date nulls last, id`);
      return rows.map((row) => (row as { id: string }).id);
    };

    const listedIds = (body: { events: { id: string }[] }) => body.events.map(({ id }) => id);

    test('any sequence of changes of events leaves each list with its pages and an exact total', async () => {
      let turn = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(eventStep, { maxLength: 12 }), async (steps) => {
          turn += 1;
          const organizers = [`one ${turn}`, `other ${turn}`];
          await applyToEvents({ do: 'add', statuses: [...STATUSES, ...STATUSES], organizer: 0 }, organizers);
          for (const step of steps) await applyToEvents(step, organizers);
          for (const organizer of organizers) {
            const token = await server.token(organizer);
            for (const status of [undefined, ...STATUSES]) {
              const fresh = await freshList(organizer, status);
              const pages: string[] = [];
              for (let page = 1; page <= fresh.length / 2 + 1; page++) {
                const query = `page=${page}&limit=2${status ? `&status=${status}` : ''}`;
                const { body } = await server.call('GET', `/api/events?${query}`, { token });
                assert.equal(body.total, fresh.length, `${organizer} ${query}`);
                pages.push(...listedIds(body));
              }
              assert.deepEqual(pages, fresh);
            }
          }
        }),
        { numRuns: 25 },
      );
    });
  });
}

test('who changes events of an organizer waits for nobody else who does, and every one is counted', async () => {
  await using server = await startServer('postgres');
  const token = await server.token('me');
  const call = (method: string, path: string, body?: object) =>
    server.call(method, `/api/events${path}`, { token, ...(body && { body }) });
  const add = async () => {
    const created = await call('POST', '', {
      title: 'חתונה',
      event_date: '2099-06-15T19:30',
      venue_name: 'עדן',
    });
    assert.equal(created.status, 201, created.text);
    return created.body.event.id as string;
  };
  const totals = () =>
    Promise.all(['', '?status=draft', '?status=published', '?status=cancelled'].map(totalOf));
  const totalOf = async (query: string) => (await call('GET', query)).body.total;
  const [first, second, third] = [await add(), await add(), await add()];

  await server.simcha.database.sql.transaction().execute(async (transaction) => {
    await sql`
      insert into events (id, organizer_id, title, venue_name, created_at, updated_at)
      select gen_random_uuid(), 'me', 'event', 'venue', now(), now() from generate_series(1, 2)`.execute(
      transaction,
    );
    await sql`update events set status = 'published' where id = ${first}`.execute(transaction);

    await Promise.all([add(), add()]);
    assert.equal((await call('PUT', `/${second}`, { status: 'published' })).status, 200);
    assert.equal((await call('DELETE', `/${third}`)).status, 204);
    assert.deepEqual(await totals(), [4, 3, 1, 0]);
  });
  assert.deepEqual(await totals(), [6, 4, 2, 0]);
});

test('who adds guests without the lock of their event gets it before the counts, so nobody deadlocks', async () => {
  const { url, drop } = await postgresDatabase('simcha_template');
  {
    await using event = await startEvent('postgres', {}, { env: { DATABASE_URL: url } });
    const { sql: db } = event.server.simcha.database;
    const add = (transaction: Kysely<unknown>) =>
      sql`
        insert into guests (id, event_id, name, created_at, updated_at)
        values (gen_random_uuid(), ${event.id}, 'guest', now(), now())`.execute(transaction);
    let other: Promise<unknown> | undefined;
    await db.transaction().execute(async (transaction) => {
      await sql`select from events where id = ${event.id} for no key update`.execute(transaction);
      other = db.transaction().execute(add);
      await until(async () => (await waitingForLock(url)) === 1);
      await add(transaction);
    });
    await other;
    assert.equal((await event.counts()).rsvp_total, 2);
  }
  await drop();
});
