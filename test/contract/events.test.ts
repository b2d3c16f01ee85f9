import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Answer } from '../support/client.ts';
import { BOTH_DATABASES, startServer, type TestServer } from '../support/server.ts';

// The contract of /api/events, rule by rule, over HTTP.

const STATUSES = ['draft', 'published', 'cancelled', 'completed'] as const;
const BODY = {
  title: 'החתונה של נועה ואיתי',
  event_date: '2099-06-15T19:30:00+03:00',
  venue_name: 'גן האירועים עדן',
};
const HEBREW = /[֐-׿]/;

for (const kind of BOTH_DATABASES) {
  describe(`events on ${kind}`, () => {
    let server: TestServer;
    let mine: string;
    let foreign: string;
    before(async () => {
      server = await startServer(kind);
      mine = await server.token('mine');
      foreign = await server.token('foreign');
    });
    after(() => server.close());

    const create = async (fields: object = {}, token = mine) => {
      const answer = await server.call('POST', '/api/events', { token, body: { ...BODY, ...fields } });
      assert.equal(answer.status, 201, answer.text);
      return answer.body.event;
    };
    const put = (id: string, body: unknown, token = mine) =>
      server.call('PUT', `/api/events/${id}`, { token, body });
    const read = (id: string, token = mine) => server.call('GET', `/api/events/${id}`, { token });
    const list = (query = '', token = mine) => server.call('GET', `/api/events${query}`, { token });
    const refused = (answer: Answer, status: number) => {
      assert.equal(answer.status, status, answer.text);
      assert.deepEqual(Object.keys(answer.body), ['error']);
      assert.match(answer.body.error, HEBREW);
    };
    const inStatus = async (status: (typeof STATUSES)[number]) => {
      const { id } = await create();
      const path = {
        draft: [],
        published: ['published'],
        cancelled: ['cancelled'],
        completed: ['published', 'completed'],
      };
      for (const next of path[status]) assert.equal((await put(id, { status: next })).status, 200);
      return id as string;
    };
    const execute = (statement: ReturnType<typeof sql>) => statement.execute(server.simcha.database.sql);

    describe('creating', () => {
      test('answers with the stored row: trimmed, with its defaults, without counts', async () => {
        const answer = await server.call('POST', '/api/events', {
          token: mine,
          body: {
            ...BODY,
            title: '  חתונה  ',
            venue_name: ' עדן\n',
            description: '  ',
            venue_address: ' דרך השרון 12 ',
          },
        });
        assert.equal(answer.status, 201);
        assert.deepEqual(Object.keys(answer.body), ['event']);
        const { id, created_at, updated_at, ...event } = answer.body.event;
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
        assert.equal(created_at, updated_at);
        assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        assert.deepEqual(event, {
          organizer_id: 'mine',
          title: 'חתונה',
          event_date: '2099-06-15T16:30:00.000Z',
          venue_name: 'עדן',
          venue_address: 'דרך השרון 12',
          description: null,
          max_guests: null,
          venue_capacity: null,
          max_plus_ones_buffer: 30,
          kashrut_level: 'none',
          noise_curfew_time: '23:00',
          language_pref: 'hebrew',
          budget: null,
          retention_policy_days: 365,
          status: 'draft',
          compliance_dismissed: false,
          deleted_at: null,
        });
        assert.equal(answer.headers.get('location'), `/api/events/${id}`);
      });

      test('keeps every field as it was given', async () => {
        const given = {
          venue_address: 'רחוב הירקון 1, תל אביב',
          description: 'חופה בשקיעה 🎉',
          max_guests: 99,
          venue_capacity: 400,
          max_plus_ones_buffer: 0,
          kashrut_level: 'chalav_yisrael',
          noise_curfew_time: '01:30',
          language_pref: 'arabic',
          budget: 185_000.55,
          retention_policy_days: 0,
        };
        const event = await create(given);
        assert.partialDeepStrictEqual(event, given);
        assert.partialDeepStrictEqual((await read(event.id)).body.event, given);
      });

      test('shows the checklist from 100 requested guests, unless dismissed', async () => {
        const flag = async (fields: object) => {
          const { status, body } = await server.call('POST', '/api/events', {
            token: mine,
            body: { ...BODY, ...fields },
          });
          assert.equal(status, 201);
          return [
            'compliance_checklist' in body ? body.compliance_checklist : 'absent',
            body.event.compliance_dismissed,
          ];
        };
        assert.deepEqual(await flag({}), ['absent', false]);
        assert.deepEqual(await flag({ max_guests: 99 }), ['absent', false]);
        assert.deepEqual(await flag({ max_guests: 100 }), [true, false]);
        assert.deepEqual(await flag({ max_guests: 100, compliance_dismissed: 0 }), [true, false]);
        assert.deepEqual(await flag({ max_guests: 100, compliance_dismissed: true }), ['absent', true]);
        assert.deepEqual(await flag({ max_guests: 99, compliance_dismissed: true }), ['absent', false]);
        assert.deepEqual(await flag({ venue_capacity: 500 }), ['absent', false]);
      });

      test('refuses what is missing, unparsable, past or unknown, and stores nothing', async () => {
        const token = await server.token('refused');
        const wrong = [
          {},
          [],
          null,
          'text',
          { ...BODY, title: undefined },
          { ...BODY, title: '   ' },
          { ...BODY, event_date: undefined },
          { ...BODY, venue_name: '' },
          { ...BODY, event_date: '2099-02-31T10:00' },
          { ...BODY, event_date: 'not a date' },
          { ...BODY, event_date: new Date(Date.now() - 60_000).toISOString() },
          { ...BODY, kashrut_level: 'glatt' },
          { ...BODY, language_pref: 'french' },
          { ...BODY, max_guests: 'many' },
          { ...BODY, max_guests: 2 ** 31 },
          { ...BODY, title: 'a\0b' },
          { ...BODY, noise_curfew_time: '25:99' },
        ];
        for (const body of wrong) refused(await server.call('POST', '/api/events', { token, body }), 400);
        assert.equal((await list('', token)).body.total, 0);
      });

      test('takes wall time in Israel, and a moment still ahead', async () => {
        assert.equal(
          (await create({ event_date: '2099-01-15T19:30' })).event_date,
          '2099-01-15T17:30:00.000Z',
        );
        await create({ event_date: new Date(Date.now() + 60_000).toISOString() });
      });

      test('is for organizers: 403 comes before any look at the body', async () => {
        const guest = await server.token('mine', 'guest');
        refused(await server.call('POST', '/api/events', { token: guest, body: BODY }), 403);
        refused(await server.call('POST', '/api/events', { token: guest, body: '{' }), 403);
        refused(await server.call('POST', '/api/events', { token: guest }), 403);
        refused(
          await server.call('POST', '/api/events', {
            token: await server.token('mine', 'Organizer'),
            body: BODY,
          }),
          403,
        );
      });
    });

    describe('listing', () => {
      test('is by date, those without one last, ties by id, with counts but not the declined', async () => {
        const token = await server.token('lister');
        const [late, early, none, tie] = [
          await create({ event_date: '2099-03-01T10:00' }, token),
          await create({ event_date: '2098-03-01T10:00' }, token),
          await create({}, token),
          await create({ event_date: '2099-03-01T10:00' }, token),
        ];
        await execute(sql`update events set event_date = null where id = ${none.id}`);
        const { status, body } = await list('', token);
        assert.equal(status, 200);
        assert.deepEqual(
          body.events.map((event: { id: string }) => event.id),
          [early.id, ...[late.id, tie.id].sort(), none.id],
        );
        assert.deepEqual(
          { total: body.total, page: body.page, limit: body.limit },
          { total: 4, page: 1, limit: 20 },
        );
        const [first] = body.events;
        assert.deepEqual(
          [
            first.rsvp_confirmed,
            first.rsvp_pending,
            first.rsvp_total,
            first.vendors_confirmed,
            'rsvp_declined' in first,
          ],
          [0, 0, 0, 0, false],
        );
        assert.equal(body.events.at(-1).event_date, null);
      });

      test('pages, and past the last page still tells the total', async () => {
        const token = await server.token('pager');
        for (const day of [4, 1, 5, 3, 2]) await create({ event_date: `2099-05-0${day}T10:00` }, token);
        const days = async (query: string) => {
          const { body } = await list(query, token);
          assert.equal(body.total, 5);
          return body.events.map((event: { event_date: string }) => Number(event.event_date.slice(8, 10)));
        };
        assert.deepEqual(await days('?limit=2'), [1, 2]);
        assert.deepEqual(await days('?limit=2&page=2'), [3, 4]);
        assert.deepEqual(await days('?limit=2&page=3'), [5]);
        assert.deepEqual(await days('?limit=2&page=4'), []);
        assert.deepEqual(await days('?page=9007199254740991&limit=1000'), []);
        assert.deepEqual(await days('?page=0&limit=-1'), [1, 2, 3, 4, 5]);
        const { body } = await list('?page=abc&limit=99999', token);
        assert.deepEqual([body.page, body.limit], [1, 1000]);
      });

      test('filters by a known status and ignores another', async () => {
        const token = await server.token('filterer');
        const published = await create({}, token);
        await create({}, token);
        await put(published.id, { status: 'published' }, token);
        const total = async (query: string) => (await list(query, token)).body.total;
        assert.equal(await total('?status=published'), 1);
        assert.equal(await total('?status=draft'), 1);
        assert.equal(await total('?status=completed'), 0);
        assert.equal(await total('?status=nonsense'), 2);
        assert.equal(await total('?status='), 2);
      });

      test('has neither others’ events nor deleted ones', async () => {
        const token = await server.token('owner');
        const event = await create({}, token);
        assert.equal((await list('', await server.token('someone'))).body.total, 0);
        await server.call('DELETE', `/api/events/${event.id}`, { token });
        assert.deepEqual((await list('', token)).body, { events: [], total: 0, page: 1, limit: 20 });
      });
    });

    describe('reading', () => {
      test('counts guests by answer and confirmed bookings that are not deleted', async () => {
        const { id } = await create();
        const guests = ['confirmed', 'confirmed', 'confirmed', 'pending', 'pending', 'declined'];
        for (const [index, status] of guests.entries()) {
          await execute(sql`
            insert into guests (id, event_id, name, rsvp_status, created_at, updated_at)
            values (${crypto.randomUUID()}, ${id}, ${`guest ${index}`}, ${status}, now(), now())`);
        }
        const bookings = [
          ['confirmed', null],
          ['confirmed', null],
          ['confirmed', new Date()],
          ['pending', null],
          ['cancelled', null],
        ];
        for (const [status, deleted] of bookings) {
          await execute(sql`
            insert into bookings (id, event_id, vendor_name, status, created_at, updated_at, deleted_at)
            values (${crypto.randomUUID()}, ${id}, 'צלם', ${status}, now(), now(), ${deleted})`);
        }
        const counts = {
          rsvp_confirmed: 3,
          rsvp_pending: 2,
          rsvp_declined: 1,
          rsvp_total: 6,
          vendors_confirmed: 2,
        };
        assert.partialDeepStrictEqual((await read(id)).body.event, counts);
        assert.partialDeepStrictEqual((await put(id, { description: 'חדש' })).body.event, counts);
        const { rsvp_declined: _, ...listed } = counts;
        const found = (await list('?limit=1000')).body.events.find(
          (event: { id: string }) => event.id === id,
        );
        assert.partialDeepStrictEqual(found, listed);
      });

      test('tells foreign (403) from absent, deleted and malformed (404)', async () => {
        const { id } = await create();
        refused(await read(id, foreign), 403);
        refused(await read(crypto.randomUUID()), 404);
        for (const odd of [
          '1',
          'null',
          `{${id}}`,
          id.replaceAll('-', ''),
          '%00',
          '..%2f..',
          'a'.repeat(3000),
          '%E0%A4%A',
        ]) {
          refused(await read(odd), 404);
        }
        assert.equal((await read(id.toUpperCase())).status, 200);
        await server.call('DELETE', `/api/events/${id}`, { token: mine });
        refused(await read(id), 404);
        refused(await read(id, foreign), 404);
      });

      test('is not bound to a role', async () => {
        const { id } = await create();
        assert.equal((await read(id, await server.token('mine', 'guest'))).status, 200);
      });
    });

    describe('changing', () => {
      test('every pair of statuses answers as the table says', async () => {
        const allowed = ['draft>published', 'draft>cancelled', 'published>cancelled', 'published>completed'];
        for (const from of STATUSES) {
          for (const to of [...STATUSES, 'nonsense', 5, ['published'], 'DRAFT']) {
            const id = await inStatus(from);
            const answer = await put(id, { status: to });
            if (typeof to === 'string' && allowed.includes(`${from}>${to}`)) {
              assert.equal(answer.status, 200, `${from} to ${to}: ${answer.text}`);
              assert.equal(answer.body.event.status, to);
            } else {
              refused(answer, 400);
              assert.equal((await read(id)).body.event.status, from);
            }
          }
        }
      });

      test('is partial: what is absent, falsy or blank keeps its stored value', async () => {
        const stored = {
          venue_address: 'א',
          description: 'ב',
          max_guests: 50,
          venue_capacity: 60,
          max_plus_ones_buffer: 7,
          kashrut_level: 'regular',
          noise_curfew_time: '22:15',
          language_pref: 'english',
          budget: 12.34,
          retention_policy_days: 9,
        };
        const event = await create(stored);
        for (const none of [null, 0, '', '  ', false]) {
          const fields = Object.fromEntries(
            [...Object.keys(BODY), ...Object.keys(stored), 'status']
              .filter((field) => !(field === 'max_plus_ones_buffer' && none === 0))
              .map((field) => [field, none]),
          );
          const { status, body } = await put(event.id, fields);
          assert.equal(status, 200);
          assert.partialDeepStrictEqual(body.event, {
            ...stored,
            title: event.title,
            event_date: event.event_date,
          });
        }
        const changed = await put(event.id, { max_plus_ones_buffer: 0, title: ' חדש ', budget: 99 });
        assert.partialDeepStrictEqual(changed.body.event, {
          ...stored,
          max_plus_ones_buffer: 0,
          title: 'חדש',
          budget: 99,
        });
        assert.equal(
          (await put(event.id, { max_plus_ones_buffer: '12' })).body.event.max_plus_ones_buffer,
          12,
        );
      });

      test('sets updated_at, and leaves retention, owner and dates of its own alone', async () => {
        const event = await create({ retention_policy_days: 9 });
        const { body } = await put(event.id, {
          retention_policy_days: 1,
          organizer_id: 'x',
          created_at: '2020-01-01',
        });
        assert.partialDeepStrictEqual(body.event, {
          retention_policy_days: 9,
          organizer_id: 'mine',
          created_at: event.created_at,
        });
        assert.ok(body.event.updated_at > event.updated_at);
      });

      test('of a cancelled event is a 400 whatever the body', async () => {
        const id = await inStatus('cancelled');
        for (const body of [
          {},
          { title: 'חדש' },
          { status: 'nonsense' },
          [],
          'x',
          { kashrut_level: 'glatt' },
        ]) {
          refused(await put(id, body), 400);
        }
      });

      test('judges the date unless the same body ends the event', async () => {
        const past = '2020-01-01T10:00:00Z';
        const id = await inStatus('published');
        refused(await put(id, { event_date: past }), 400);
        refused(await put(id, { event_date: 'soon' }), 400);
        refused(await put(id, { event_date: 'soon', status: 'completed' }), 400);
        const { status, body } = await put(id, { event_date: past, status: 'completed' });
        assert.deepEqual([status, body.event.event_date], [200, '2020-01-01T10:00:00.000Z']);
        assert.equal((await put(id, { title: 'אחרי' })).status, 200);
      });

      test('answers 500 to an unknown kashrut or language, and writes nothing', async () => {
        const { id } = await create();
        const before = (await read(id)).body;
        for (const fields of [
          { kashrut_level: 'glatt' },
          { language_pref: 'french' },
          { kashrut_level: 5 },
          { language_pref: {} },
          { kashrut_level: ['mehadrin'] },
          { language_pref: { toString: 1 } },
        ]) {
          refused(await put(id, { title: 'חדש', status: 'published', ...fields }), 500);
          assert.deepEqual((await read(id)).body, before);
        }
      });

      test('shows the checklist by the stored guests and both dismissals, and stores no dismissal', async () => {
        const shown = async (id: string, fields: object) => {
          const { status, body } = await put(id, fields);
          assert.equal(status, 200);
          assert.notEqual(body.compliance_checklist, false);
          return 'compliance_checklist' in body;
        };
        const { id } = await create({ max_guests: 100 });
        assert.equal(await shown(id, {}), true);
        assert.equal(await shown(id, { compliance_dismissed: true }), false);
        assert.equal(await shown(id, {}), true);
        assert.equal((await read(id)).body.event.compliance_dismissed, false);
        assert.equal(await shown(id, { max_guests: 99 }), false);
        assert.equal(await shown(id, { max_guests: 500 }), true);
        const dismissed = await create({ max_guests: 100, compliance_dismissed: true });
        assert.equal(await shown(dismissed.id, { max_guests: 500 }), false);
        assert.equal(await shown((await create()).id, { max_guests: 100 }), true);
      });

      test('does not tell a foreign event from an absent one', async () => {
        const { id } = await create();
        for (const answer of [
          await put(id, { title: 'x' }, foreign),
          await put(crypto.randomUUID(), { title: 'x' }),
          await put('nonsense', { title: 'x' }),
          await put(id, { status: 'nonsense' }, foreign),
        ]) {
          refused(answer, 404);
        }
        assert.equal((await read(id)).body.event.title, BODY.title);
      });

      test('of twenty that publish at once one succeeds', async () => {
        // Several rounds: in the first the connections are still being made, and the twenty come one by one.
        for (let round = 0; round < 5; round++) {
          const { id } = await create();
          const answers = await Promise.all(
            Array.from({ length: 20 }, () => put(id, { status: 'published' })),
          );
          const statuses = answers.map((answer) => answer.status).sort();
          assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 400)]);
        }
      });
    });

    describe('deleting', () => {
      test('works from every status, once, and hides the event from every route', async () => {
        for (const status of STATUSES) {
          const id = await inStatus(status);
          const answer = await server.call('DELETE', `/api/events/${id}`, { token: mine });
          assert.deepEqual([answer.status, answer.text], [204, '']);
          refused(await server.call('DELETE', `/api/events/${id}`, { token: mine }), 404);
          refused(await put(id, { title: 'x' }), 404);
          refused(await read(id), 404);
          const { rows } = await execute(sql`select status, deleted_at from events where id = ${id}`);
          assert.partialDeepStrictEqual(rows[0], { status: 'cancelled' });
          assert.ok((rows[0] as { deleted_at: Date }).deleted_at);
        }
      });

      test('takes a client that announces JSON and sends none', async () => {
        const { id } = await create();
        const headers = { 'content-type': 'application/json' };
        assert.equal(
          (await server.call('DELETE', `/api/events/${id}`, { token: mine, headers })).status,
          204,
        );
        refused(await server.call('PUT', `/api/events/${id}`, { token: mine, headers }), 404);
        refused(await server.call('POST', '/api/events', { token: mine, headers }), 400);
      });

      test('does not tell a foreign event from an absent one', async () => {
        const { id } = await create();
        refused(await server.call('DELETE', `/api/events/${id}`, { token: foreign }), 404);
        refused(await server.call('DELETE', '/api/events/nonsense', { token: mine }), 404);
        assert.equal((await read(id)).status, 200);
      });
    });

    test('every route asks for a token first', async () => {
      const { id } = await create();
      const routes = [
        ['POST', '/api/events'],
        ['GET', '/api/events'],
        ['GET', `/api/events/${id}`],
        ['PUT', `/api/events/${id}`],
        ['DELETE', `/api/events/${id}`],
        ['GET', '/api/events/nonsense'],
        ['PUT', '/api/events/nonsense'],
      ] as const;
      for (const [method, path] of routes) {
        const body = method === 'POST' || method === 'PUT' ? { body: '{ broken' } : {};
        const answer = await server.call(method, path, body);
        refused(answer, 401);
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      }
    });
  });
}
