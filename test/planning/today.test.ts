import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { DATABASES_OF_SLOW_TESTS, SECRET } from '../support/server.ts';
import { until } from '../support/until.ts';
import { form, linkOf, tokenOf } from './answers/links.ts';
import { startClocked } from './clocked.ts';

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`an organizer reads what needs them today on ${kind}`, async () => {
    const refuse = (address: string) => (address.startsWith('gone') ? 550 : undefined);
    await using clocked = await startClocked(kind, { max_guests: 300 }, '2027-06-01T10:00', { refuse });
    const { event, moveTo } = clocked;
    const { server, call } = event;
    const token = await server.token('me', 'organizer', '100y');
    const read = async () => (await server.call('GET', '/api/today', { token })).body.today;
    const seen = () => server.call('POST', '/api/today/seen', { token });
    const mine = async () => (await read()).events[0];

    const empty = await mine();
    assert.deepEqual(
      [empty.event.id, empty.access, empty.days_to_go, empty.requests, empty.payments, empty.missed],
      [event.id, 'owner', 19, 0, [], []],
    );
    assert.deepEqual(empty.answers, {
      guests: 0,
      confirmed: 0,
      people: 0,
      maybe: 0,
      waiting: 0,
      declined: 0,
    });

    // What guests answer themselves is news, what an organizer notes is none.
    const answer = async (name: string, body: object) => {
      const guest = await event.guest({ name, party_size: 3 });
      const token = tokenOf((await linkOf(event, guest.id)).url);
      const answered = await server.call('POST', `/api/rsvp/${token}`, { body });
      assert.equal(answered.status, 200, answered.text);
    };
    await event.guest({ name: 'רות', rsvp_status: 'confirmed' });
    await answer('דנה', { rsvp_status: 'confirmed', coming: 3 });
    await answer('יוסי', { rsvp_status: 'maybe' });
    await answer('לאה', { rsvp_status: 'declined' });
    const news = { guests: 3, confirmed: 1, people: 3, maybe: 1, waiting: 0, declined: 1 };
    assert.deepEqual((await mine()).answers, news);

    // Looks near each other are one visit; the next one tells what came after it.
    assert.equal((await seen()).status, 204);
    moveTo('2027-06-01T10:20');
    await seen();
    assert.deepEqual((await mine()).answers, news);
    moveTo('2027-06-01T11:00');
    await answer('נועם', { rsvp_status: 'confirmed', coming: 2 });
    assert.equal((await read()).since, '2027-06-01T07:19:50.000Z');
    assert.deepEqual((await mine()).answers, { ...news, guests: 1, people: 2, maybe: 0, declined: 0 });
    await seen();
    assert.equal((await mine()).answers.guests, 1);

    await call('PUT', '/rsvp', { body: { open: true } });
    const { open_url } = (await call('GET', '/rsvp')).body.settings;
    const asked = await form(event, new URL(open_url).pathname, {
      name: 'אבי',
      phone: '050-123-4567',
      coming: '1',
    });
    assert.equal(asked.status, 303, asked.text);
    assert.equal((await mine()).requests, 1);

    const vendor = { name: 'DJ אבי', kind: 'dj' };
    const { id: vendor_id } = (await server.call('POST', '/api/vendors', { token, body: vendor })).body
      .vendor;
    const payments = [
      { amount: 100, due_date: '2027-05-30' },
      { amount: 200, due_date: '2027-06-15' },
      { amount: 300, due_date: '2027-06-16' },
      { amount: 400, due_date: '2027-06-10', paid_date: '2027-06-01' },
    ];
    await call('POST', '/bookings', { body: { vendor_id, payments } });
    assert.deepEqual(
      (await mine()).payments.map(({ vendor_name, amount, due_date, overdue }: Record<string, unknown>) => [
        vendor_name,
        amount,
        due_date,
        overdue,
      ]),
      [
        ['DJ אבי', 100, '2027-05-30', true],
        ['DJ אבי', 200, '2027-06-15', false],
      ],
    );

    const approvals = (await mine()).approvals;
    assert.deepEqual(
      approvals.map(({ item, overdue }: Record<string, unknown>) => [item, overdue]),
      (await call('GET', '/checklist')).body.checklist.items
        .filter(({ due_date }: { due_date: string }) => due_date <= '2027-06-15')
        .map(({ item, overdue }: Record<string, unknown>) => [item, overdue]),
    );
    const [first] = approvals;
    await call('PUT', `/checklist/${first.item}`, { body: { state: 'done' } });
    assert.equal((await mine()).approvals.length, approvals.length - 1);

    // A message that did not arrive is told of until its guest answers, or another one has gone.
    const gone = await event.guest({ name: 'עבר', email: 'gone@example.com' });
    await call('PUT', '/invitation', { body: { contact_email: 'noa@example.com' } });
    const round = await call('POST', '/rounds', { body: { kind: 'invitation', filter: {} } });
    assert.equal(round.status, 202, round.text);
    const { id: round_id } = round.body.round;
    await until(async () => (await mine()).missed.length > 0);
    assert.deepEqual((await mine()).missed, [{ round_id, kind: 'invitation', guests: 1 }]);
    moveTo('2027-06-02T11:00');
    await call('PUT', `/guests/${gone.id}`, { body: { rsvp_status: 'declined' } });
    assert.deepEqual((await mine()).missed, []);

    await event.guest({ name: 'בלי דואר', phone: '050-765-4321' });
    const byHand = await call('POST', '/rounds', {
      body: { kind: 'invitation', channel: 'by_hand', filter: {} },
    });
    const [to_tell] = (await mine()).to_tell;
    assert.deepEqual(
      [to_tell.round_id, to_tell.channel, to_tell.guests],
      [byHand.body.round.id, 'by_hand', byHand.body.round.chosen],
    );

    // Who it is shared with reads the same; who it is not, nothing.
    await call('POST', '/co-organizers', { body: { email: 'noa@example.com', access: 'view' } });
    const shared = await server.call('GET', '/api/today', {
      token: await signToken(SECRET, { id: 'noa', role: 'organizer', email: 'noa@example.com' }, '100y'),
    });
    assert.deepEqual(
      shared.body.today.events.map(({ event, access, answers }: never) => [event, access, answers]).length,
      1,
    );
    assert.equal(shared.body.today.events[0].access, 'view');
    const other = await server.token('other', 'organizer', '100y');
    assert.deepEqual((await server.call('GET', '/api/today', { token: other })).body.today.events, []);

    moveTo('2027-06-25T10:00');
    assert.deepEqual([(await mine()).days_to_go, (await mine()).approvals], [-5, []]);
    moveTo('2027-07-10T10:00');
    assert.deepEqual((await read()).events, []);
  });
}
