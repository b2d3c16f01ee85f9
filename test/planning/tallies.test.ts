import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { DATABASES, startServer, type TestServer } from '../support/server.ts';

// The counts are kept by triggers; whatever is done to guests and bookings, they equal a fresh count.

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
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

for (const kind of DATABASES) {
  describe(`tallies on ${kind}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer(kind);
    });
    after(() => server.close());
    const run = (statement: ReturnType<typeof sql>) => statement.execute(server.simcha.database.sql);

    const apply = (step: Step, events: string[]) => {
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
          for (const one of steps) await apply(one, events);
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
  });
}
