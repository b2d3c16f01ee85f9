import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { DATABASES_OF_SLOW_TESTS, SECRET, startServer } from '../support/server.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function openEvent(server: SharedServer, token: string, fields: object = {}): Promise<string> {
  const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן', ...fields };
  const created = await server.call('POST', '/api/events', { token, body });
  assert.equal(created.status, 201, created.text);
  return `/api/events/${created.body.event.id}`;
}

async function openVendor(server: SharedServer, token: string, fields: object = {}): Promise<string> {
  const body = { name: 'הגפן', kind: 'catering', ...fields };
  const created = await server.call('POST', '/api/vendors', { token, body });
  assert.equal(created.status, 201, created.text);
  return created.body.vendor.id;
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`vendors are their organizer’s own on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('keeper');
    const stranger = await server.token('stranger');
    const body = {
      name: '  קייטרינג הגפן ',
      kind: 'catering',
      email: 'Ruth@Example.com',
      phone: '03-1234567',
      kashrut_level: 'mehadrin',
      kashrut_expiry_date: '2099-09-10',
    };
    const created = await server.call('POST', '/api/vendors', { token, body });
    assert.equal(created.status, 201, created.text);
    const { vendor } = created.body;
    assert.equal(vendor.name, 'קייטרינג הגפן');
    assert.equal(vendor.email, 'ruth@example.com');
    assert.equal(vendor.kashrut_expiry_date, '2099-09-10');
    assert.equal(vendor.note, null);
    const path = `/api/vendors/${vendor.id}`;
    assert.equal(created.headers.get('location'), path);
    assert.deepEqual((await server.call('GET', path, { token })).body.vendor, vendor);

    const tag = { 'if-match': created.headers.get('etag') ?? '' };
    const changed = await server.call('PUT', path, {
      token,
      body: { phone: null, name: 'הגפן' },
      headers: tag,
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual([changed.body.vendor.phone, changed.body.vendor.name], [null, 'הגפן']);
    assert.equal(changed.body.vendor.kashrut_level, 'mehadrin', 'what is absent stays');
    assert.equal(
      (await server.call('PUT', path, { token, body: { name: 'אחר' }, headers: tag })).status,
      412,
    );

    assert.equal((await server.call('GET', path, { token: stranger })).status, 403);
    assert.equal((await server.call('PUT', path, { token: stranger, body: {} })).status, 404);
    assert.equal((await server.call('DELETE', path, { token: stranger })).status, 404);
    assert.equal((await server.call('GET', '/api/vendors/x', { token })).status, 404);
    assert.equal((await server.call('GET', '/api/vendors')).status, 401);

    await openVendor(server, token, { name: 'אבי תקליטים', kind: 'dj' });
    const names = async (query: string, as = token) =>
      (await server.call('GET', `/api/vendors${query}`, { token: as })).body.vendors.map(
        ({ name }: { name: string }) => name,
      );
    assert.deepEqual(await names(''), ['אבי תקליטים', 'הגפן']);
    assert.deepEqual(await names('?kind=dj'), ['אבי תקליטים']);
    assert.deepEqual(await names('?limit=1&page=2'), ['הגפן']);
    assert.deepEqual(await names('', stranger), []);

    assert.equal((await server.call('DELETE', path, { token, headers: tag })).status, 412);
    assert.equal((await server.call('DELETE', path, { token })).status, 204);
    assert.equal((await server.call('GET', path, { token })).status, 404);
    assert.deepEqual(await names(''), ['אבי תקליטים']);
  });

  test(`a vendor that does not fit is refused by field on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('careless');
    const right = { name: 'הגפן', kind: 'catering' };
    for (const [wrong, field] of [
      [{ kind: 'dj' }, 'name'],
      [{ name: 'הגפן' }, 'kind'],
      [{ ...right, name: ' ' }, 'name'],
      [{ ...right, name: 7 }, 'name'],
      [{ ...right, kind: 'magician' }, 'kind'],
      [{ ...right, email: 'nobody' }, 'email'],
      [{ ...right, phone: '1'.repeat(41) }, 'phone'],
      [{ ...right, kashrut_level: 'glatt' }, 'kashrut_level'],
      [{ ...right, kashrut_expiry_date: '2027-02-30' }, 'kashrut_expiry_date'],
      [{ ...right, kashrut_expiry_date: '0000-01-01' }, 'kashrut_expiry_date'],
      [{ ...right, note: 'a\0b' }, 'note'],
      [[], 'body'],
    ] as const) {
      const answer = await server.call('POST', '/api/vendors', { token, body: wrong });
      assert.equal(answer.status, 400, JSON.stringify(wrong));
      assert.match(answer.body.error, new RegExp(`\\(${field}\\).*[א-ת]`), JSON.stringify(wrong));
    }
    assert.equal((await server.call('GET', '/api/vendors', { token })).body.total, 0);
  });

  test(`bookings count, cost and are owned as their event is on ${kind}`, async () => {
    await using server = await startServer(kind, { clock: () => Temporal.Instant.from('2099-01-10T10:00Z') });
    const token = await server.token('me', 'organizer', '100y');
    const stranger = await server.token('stranger', 'organizer', '100y');
    const path = await openEvent(server, token, { budget: 1000 });
    const vendor = await openVendor(server, token);
    const confirmed = async () => (await server.call('GET', path, { token })).body.event.vendors_confirmed;

    const body = {
      vendor_id: vendor,
      status: 'confirmed',
      price: 1000.1,
      deposit: 200.2,
      ends_at: '2099-06-15T23:30',
      payments: [
        { amount: 200.2, paid_date: '2099-01-02' },
        { amount: 799.9, due_date: '2099-01-09' },
      ],
    };
    const created = await server.call('POST', `${path}/bookings`, { token, body });
    assert.equal(created.status, 201, created.text);
    const { booking } = created.body;
    assert.deepEqual(
      [booking.vendor_name, booking.vendor_kind, booking.ends_at, booking.payments.length],
      ['הגפן', 'catering', '2099-06-15T20:30:00.000Z', 2],
    );
    assert.match(booking.payments[1].id, UUID);
    assert.deepEqual(booking.payments[1], {
      id: booking.payments[1].id,
      amount: 799.9,
      due_date: '2099-01-09',
      paid_date: null,
      note: null,
    });
    assert.equal(await confirmed(), 1);
    const one = `${path}/bookings/${booking.id}`;
    assert.deepEqual((await server.call('GET', one, { token })).body.booking, booking);

    const budget = (await server.call('GET', `${path}/budget`, { token })).body.budget;
    assert.deepEqual(budget, {
      budget: 1000,
      planned: 1000.1,
      booked: 1000.1,
      paid: 200.2,
      left: -0.1,
      over_budget: true,
      owed: 799.9,
      overdue: 799.9,
      due_next: {
        booking_id: booking.id,
        payment_id: booking.payments[1].id,
        vendor_name: 'הגפן',
        amount: 799.9,
        due_date: '2099-01-09',
        overdue: true,
      },
      by_kind: [{ kind: 'catering', planned: 1000.1, booked: 1000.1, paid: 200.2 }],
    });

    const tag = { 'if-match': created.headers.get('etag') ?? '' };
    const put = (sent: object, headers = {}) => server.call('PUT', one, { token, body: sent, headers });
    const paid = await put(
      { payments: [{ amount: 1000.1, paid_date: '2099-01-10' }], note: 'שולם', ends_at: null },
      tag,
    );
    assert.equal(paid.status, 200, paid.text);
    assert.equal(paid.body.booking.price, 1000.1, 'what is absent stays');
    assert.equal(paid.body.booking.ends_at, null);
    assert.equal((await put({ status: 'pending' }, tag)).status, 412);
    assert.equal((await put({ price: 100 })).status, 400, 'the deposit would be above the price');
    assert.equal((await put({ status: 'pending' })).status, 200);
    assert.equal(await confirmed(), 0);
    const list = (query = '') => server.call('GET', `${path}/bookings${query}`, { token });
    assert.deepEqual([(await list()).body.total, (await list('?status=confirmed')).body.total], [1, 0]);

    const history = await server.call('GET', `${path}/history?subject=booking`, { token });
    assert.deepEqual(
      history.body.history.map(({ action }: { action: string }) => action),
      ['changed', 'changed', 'created'],
    );
    assert.deepEqual(history.body.history[0].changes, { status: { from: 'confirmed', to: 'pending' } });

    const call = async (method: string, at: string, as: string, sent?: object) =>
      (await server.call(method, at, { token: as, ...(sent && { body: sent }) })).status;
    for (const at of [`${path}/bookings`, one, `${path}/budget`, `${path}/warnings`]) {
      assert.equal(await call('GET', at, stranger), 403, at);
    }
    assert.equal(await call('POST', `${path}/bookings`, stranger, body), 404);
    assert.equal(await call('PUT', one, stranger, {}), 404);
    assert.equal(await call('DELETE', one, stranger), 404);
    const other = await openEvent(server, token);
    assert.equal(await call('GET', `${other}/bookings/${booking.id}`, token), 404);
    assert.equal(await call('DELETE', `${other}/bookings/${booking.id}`, token), 404);

    assert.equal(await call('DELETE', `/api/vendors/${vendor}`, token), 204);
    assert.equal((await server.call('GET', one, { token })).body.booking.vendor_name, 'הגפן');
    await put({ status: 'confirmed' });
    assert.equal(await confirmed(), 1);
    assert.equal(await call('DELETE', one, token), 204);
    assert.equal(await confirmed(), 0);
    assert.equal(await call('GET', one, token), 404);
    assert.equal((await list()).body.total, 0);

    const { bookings, total } = (await server.call('GET', `${path}/bookings/deleted`, { token })).body;
    assert.deepEqual([total, bookings[0].id, bookings[0].until], [1, booking.id, '2099-02-09T10:00:00.000Z']);
    assert.equal(await call('GET', `${path}/bookings/deleted`, stranger), 403);
    assert.equal(await call('POST', `${one}/restore`, stranger), 404);
    const restored = await server.call('POST', `${one}/restore`, { token });
    assert.equal(restored.status, 200, restored.text);
    assert.equal(restored.body.booking.payments.length, 1);
    assert.equal(await confirmed(), 1);
    assert.equal(await call('POST', `${one}/restore`, token), 404, 'it is there');
    assert.equal((await server.call('GET', `${path}/bookings/deleted`, { token })).body.total, 0);
  });

  test(`a cancelled event’s bookings are to read only on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const path = await openEvent(server, token);
    const vendor_id = await openVendor(server, token);
    const { booking } = (await server.call('POST', `${path}/bookings`, { token, body: { vendor_id } })).body;
    assert.equal(booking.status, 'pending');
    await server.call('PUT', path, { token, body: { status: 'cancelled' } });
    const call = async (method: string, at: string, body?: object) =>
      (await server.call(method, `${path}${at}`, { token, ...(body && { body }) })).status;
    assert.equal(await call('GET', '/bookings'), 200);
    assert.equal(await call('GET', '/budget'), 200);
    assert.equal(await call('POST', '/bookings', { vendor_id }), 400);
    assert.equal(await call('PUT', `/bookings/${booking.id}`, { note: 'א' }), 400);
    assert.equal(await call('DELETE', `/bookings/${booking.id}`), 400);
    await server.call('DELETE', path, { token });
    assert.equal(await call('GET', '/bookings'), 404);
  });

  test(`a booking that does not fit is refused on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const path = await openEvent(server, token);
    const vendor_id = await openVendor(server, token);
    const foreign = await openVendor(server, await server.token('stranger'));
    for (const wrong of [
      {},
      { vendor_id: foreign },
      { vendor_id: 'x' },
      { vendor_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47' },
      { vendor_id, status: 'maybe' },
      { vendor_id, price: -1 },
      { vendor_id, price: 1.005 },
      { vendor_id, price: '12' },
      { vendor_id, price: 10, deposit: 11 },
      { vendor_id, price: 10, payments: [{ amount: 6 }, { amount: 5 }] },
      { vendor_id, price: 10, payments: [{ amount: 6, paid_date: '2098-01-01' }] },
      { vendor_id, payments: [{ amount: 1, id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47' }] },
      { vendor_id, plates: 100 },
      { vendor_id, price: 10, price_per_child: 100 },
      { vendor_id, price: 10, minimum_plates: 100 },
      { vendor_id, price_per_plate: 100_001 },
      { vendor_id, price_per_plate: 10, plates: 0 },
      { vendor_id, price_per_plate: 10, plates: 100, deposit: 1001 },
      { vendor_id, price_per_plate: 10, plates: 100, payments: [{ amount: 1001 }] },
      { vendor_id, starts_at: '2099-06-15T20:00', ends_at: '2099-06-15T20:00' },
      { vendor_id, ends_at: 'tonight' },
      { vendor_id, ends_at: '0001-01-01T00:00+14:00' },
      { vendor_id, payments: {} },
      { vendor_id, payments: [1] },
      { vendor_id, payments: [{}] },
      { vendor_id, payments: [{ amount: 5, due_date: '2099-13-01' }] },
      { vendor_id, payments: Array.from({ length: 51 }, () => ({ amount: 1 })) },
    ]) {
      const answer = await server.call('POST', `${path}/bookings`, { token, body: wrong });
      assert.equal(answer.status, 400, JSON.stringify(wrong));
      assert.match(answer.body.error, /[א-ת]/);
    }
    assert.equal((await server.call('GET', `${path}/bookings`, { token })).body.total, 0);
  });

  test(`payments are added, changed and removed one by one on ${kind}`, async () => {
    await using server = await startServer(kind, { clock: () => Temporal.Instant.from('2099-01-10T10:00Z') });
    const token = await server.token('me', 'organizer', '100y');
    const path = await openEvent(server, token);
    const vendor_id = await openVendor(server, token);
    const payments = [
      { amount: 200, due_date: '2099-01-09' },
      { amount: 300, due_date: '2099-06-01', note: 'צ׳ק' },
    ];
    const body = { vendor_id, price: 1000, payments };
    const { booking } = (await server.call('POST', `${path}/bookings`, { token, body })).body;
    const one = `${path}/bookings/${booking.id}`;
    const [first, second] = booking.payments.map(({ id }: { id: string }) => id);
    const call = (method: string, at: string, sent?: object, headers = {}) =>
      server.call(method, `${one}${at}`, { token, headers, ...(sent && { body: sent }) });

    const paid = await call('PUT', `/payments/${first}`, { paid_date: '2099-01-10' });
    assert.equal(paid.status, 200, paid.text);
    assert.deepEqual(paid.body.payment, { ...booking.payments[0], paid_date: '2099-01-10' });
    const tag = { 'if-match': paid.headers.get('etag') ?? '' };
    const { body: read, headers } = await call('GET', '');
    assert.equal(headers.get('etag'), tag['if-match'], 'the tag is the booking’s');
    assert.deepEqual(read.booking.payments, [paid.body.payment, booking.payments[1]]);
    const { budget } = (await server.call('GET', `${path}/budget`, { token })).body;
    assert.deepEqual([budget.paid, budget.overdue, budget.due_next.payment_id], [200, 0, second]);

    const added = await call('POST', '/payments', { amount: 500 }, { 'idempotency-key': 'rest' });
    assert.equal(added.status, 201, added.text);
    assert.equal((await call('PUT', `/payments/${second}`, { amount: 301 }, tag)).status, 400, 'above 1000');
    assert.equal((await call('PUT', `/payments/${second}`, { note: null }, tag)).status, 412);
    assert.equal((await call('POST', '/payments', { amount: 0.01 })).body.field, 'payments');
    const early = await call('PUT', `/payments/${second}`, { paid_date: '2099-01-11' });
    assert.equal(early.body.field, 'paid_date', early.text);
    assert.equal((await call('PUT', `/payments/${second}`, { paid: true })).body.field, 'paid');
    assert.equal((await call('PUT', '', { price: 999 })).body.field, 'payments');

    const again = await call('PUT', '', (await call('GET', '')).body.booking);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.body.booking.payments, [
      paid.body.payment,
      booking.payments[1],
      added.body.payment,
    ]);
    const kept = await call('PUT', '', { payments: [{ id: second, amount: 250 }, { amount: 1 }] });
    assert.equal(kept.body.booking.payments[0].id, second);
    assert.equal((await call('PUT', `/payments/${first}`, {})).status, 404);
    assert.equal((await call('DELETE', '/payments/x')).status, 404);
    const twice = [1, 2].map((amount) => ({ id: second, amount }));
    assert.equal((await call('PUT', '', { payments: twice })).body.field, 'payments[1].id');
    assert.equal((await call('DELETE', `/payments/${second}`)).status, 204);
    assert.deepEqual(
      (await call('GET', '')).body.booking.payments.map(({ amount }: { amount: number }) => amount),
      [1],
    );
    const stranger = await server.token('stranger', 'organizer', '100y');
    const foreign = await server.call('POST', `${one}/payments`, { token: stranger, body: { amount: 1 } });
    assert.equal(foreign.status, 404);
  });

  test(`plates cost as many as come, and at least the minimum on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const path = await openEvent(server, token, { budget: 1000 });
    const vendor_id = await openVendor(server, token);
    const plates = { price_per_plate: 250.1, minimum_plates: 3, price: 100, status: 'confirmed' };
    const created = await server.call('POST', `${path}/bookings`, { token, body: { vendor_id, ...plates } });
    assert.equal(created.status, 201, created.text);
    const one = `${path}/bookings/${created.body.booking.id}`;
    const charged = async () => {
      const { booking } = (await server.call('GET', one, { token })).body;
      const { budget } = (await server.call('GET', `${path}/budget`, { token })).body;
      return [booking.plates_charged, booking.total, budget.booked, budget.left];
    };
    assert.deepEqual(await charged(), [3, 850.3, 850.3, 149.7], 'nobody has answered yet');
    const family = { name: 'משפחת כהן', party_size: 5, rsvp_status: 'confirmed', coming: 5 };
    const guest = await server.call('POST', `${path}/guests`, { token, body: family });
    assert.equal(guest.status, 201, guest.text);
    assert.deepEqual(await charged(), [5, 1350.5, 1350.5, -350.5]);
    const put = (body: object) => server.call('PUT', one, { token, body });
    await put({ plates: 4, payments: [{ amount: 1100.4, paid_date: '2020-01-01' }] });
    assert.deepEqual((await charged()).slice(0, 2), [4, 1100.4]);
    assert.equal((await put({ payments: [{ amount: 1100.41 }] })).status, 400);
    assert.equal((await put({ plates: null, minimum_plates: null })).status, 200);
    // Children who come have their own price.
    await server.call('PUT', `${path}/guests/${guest.body.guest.id}`, {
      token,
      body: { coming_children: 2 },
    });
    const withChildren = await put({ price_per_child: 100 });
    assert.deepEqual(
      [withChildren.body.booking.children_charged, withChildren.body.booking.total],
      [2, 1050.3],
    );
    assert.deepEqual((await charged()).slice(0, 3), [5, 1050.3, 1050.3]);
    await put({ plates: 1 });
    assert.deepEqual((await charged()).slice(0, 2), [1, 200]);
    await put({ plates: null, minimum_plates: 7 });
    assert.deepEqual((await charged()).slice(0, 2), [7, 1550.5]);
    await put({ minimum_plates: null, price_per_child: null });
    const declined = { rsvp_status: 'declined' };
    await server.call('PUT', `${path}/guests/${guest.body.guest.id}`, { token, body: declined });
    assert.deepEqual((await charged()).slice(0, 2), [0, 100]);
    const { warnings } = (await server.call('GET', `${path}/warnings`, { token })).body;
    assert.deepEqual(
      warnings.map(({ code }: { code: string }) => code),
      ['paid_above_price'],
    );
  });

  test(`a vendor booked twice at the same hours is told, by name to whoever may know on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('busy');
    const vendor_id = await openVendor(server, token, { name: 'DJ אבי', kind: 'dj' });
    const path = await openEvent(server, token);
    const other = await openEvent(server, token, { title: 'בר מצווה', event_date: '2099-06-15T22:00' });
    const book = async (at: string, fields: object = {}) =>
      (await server.call('POST', `${at}/bookings`, { token, body: { vendor_id, ...fields } })).body.booking
        .id;
    await book(path);
    const away = await book(other, { ends_at: '2099-06-15T22:59' });
    await server.call('POST', `${path}/co-organizers`, { token, body: { email: 'itai@example.com' } });
    const itai = { id: 'itai', role: 'organizer', email: 'itai@example.com' } as const;
    const told = async (as = token) =>
      (await server.call('GET', `${path}/warnings`, { token: as })).body.warnings.map(
        ({ message }: { message: string }) => message,
      );
    assert.deepEqual(await told(), ['ל־DJ אבי רשומה באותן שעות הזמנה גם לאירוע בר מצווה.']);
    assert.deepEqual(await told(await signToken(SECRET, itai, '1h')), [
      'ל־DJ אבי רשומה באותן שעות הזמנה גם לאירוע אחר.',
    ]);
    const move = { starts_at: '2099-06-16T00:30', ends_at: '2099-06-16T02:00' };
    assert.equal((await server.call('PUT', `${other}/bookings/${away}`, { token, body: move })).status, 200);
    assert.deepEqual(await told(), [], 'five hours from the start, where nobody said how long');
    await server.call('PUT', `${path}/invitation`, { token, body: { event_end: '2099-06-16T01:00' } });
    assert.equal((await told()).length, 1);
    await server.call('PUT', other, { token, body: { status: 'cancelled' } });
    assert.deepEqual(await told(), []);
    await book(path);
    assert.deepEqual(await told(), ['ל־DJ אבי רשומות באירוע הזה שתי הזמנות לאותן שעות.']);
  });

  test(`whoever may edit an event reads its vendors, and no others on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const noa = await server.token('noa');
    const as = (id: string) => signToken(SECRET, { id, role: 'organizer', email: `${id}@example.com` }, '1h');
    const [itai, dana] = [await as('itai'), await as('dana')];
    const path = await openEvent(server, noa);
    for (const [email, access] of [
      ['itai@example.com', 'edit'],
      ['dana@example.com', 'view'],
    ]) {
      await server.call('POST', `${path}/co-organizers`, { token: noa, body: { email, access } });
    }
    const booked = await openVendor(server, noa, { name: 'DJ אבי', kind: 'dj', phone: '050-1234567' });
    const other = await openVendor(server, noa, { name: 'אחר' });
    const itais = await openVendor(server, itai, { name: 'הגפן' });
    for (const vendor_id of [booked, itais]) {
      const answer = await server.call('POST', `${path}/bookings`, { token: itai, body: { vendor_id } });
      assert.equal(answer.status, 201, answer.text);
    }
    const read = (token: string, at: string) => server.call('GET', at, { token });
    assert.equal((await read(itai, `/api/vendors/${booked}`)).body.vendor.phone, '050-1234567');
    assert.equal((await read(noa, `/api/vendors/${itais}`)).status, 200);
    assert.equal((await read(itai, `/api/vendors/${other}`)).status, 403);
    assert.equal((await read(dana, `/api/vendors/${booked}`)).status, 403);
    const change = { token: itai, body: { phone: null } };
    assert.equal((await server.call('PUT', `/api/vendors/${booked}`, change)).status, 404);
    for (const token of [noa, itai]) {
      const { body } = await read(token, `${path}/vendors`);
      assert.deepEqual(
        [body.total, ...body.vendors.map(({ name }: { name: string }) => name)],
        [2, 'DJ אבי', 'הגפן'],
      );
    }
    assert.equal((await read(dana, `${path}/vendors`)).status, 403);
    assert.equal((await read(await server.token('stranger'), `${path}/vendors`)).status, 403);
  });

  test(`an editor books their own vendors or the organizer’s on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const editor = await signToken(
      SECRET,
      { id: 'itai', role: 'organizer', email: 'itai@example.com' },
      '1h',
    );
    const path = await openEvent(server, token);
    await server.call('POST', `${path}/co-organizers`, {
      token,
      body: { email: 'itai@example.com', access: 'edit' },
    });
    for (const owner of [token, editor]) {
      const vendor_id = await openVendor(server, owner);
      const answer = await server.call('POST', `${path}/bookings`, { token: editor, body: { vendor_id } });
      assert.equal(answer.status, 201, answer.text);
    }
  });

  test(`warnings tell what does not fit on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const path = await openEvent(server, token, { kashrut_level: 'mehadrin' });
    const codes = async () => {
      const { body, status, text } = await server.call('GET', `${path}/warnings`, { token });
      assert.equal(status, 200, text);
      return body.warnings.map(({ code, message }: { code: string; message: string }) => {
        assert.match(message, /[א-ת]/);
        return code;
      });
    };
    assert.deepEqual(await codes(), []);
    const caterer = await openVendor(server, token, {
      kashrut_level: 'regular',
      kashrut_expiry_date: '2099-06-14',
    });
    const dj = await openVendor(server, token, { name: 'אבי', kind: 'dj' });
    const book = (body: object) => server.call('POST', `${path}/bookings`, { token, body });
    await book({ vendor_id: caterer });
    await book({
      vendor_id: dj,
      ends_at: '2099-06-16T00:30',
      price: 50,
      payments: [{ amount: 50, due_date: '2020-01-01' }],
    });
    assert.deepEqual(await codes(), ['kashrut_too_low', 'kashrut_expires', 'past_curfew', 'payment_overdue']);
    for (const [language, said] of [
      ['he', /תפוג ב־14 ביוני 2099,/],
      ['ar', /في 14 حزيران 2099،/],
      ['en', /expires on 14 June 2099,/],
    ] as const) {
      const headers = { 'accept-language': language };
      const { body } = await server.call('GET', `${path}/warnings`, { token, headers });
      assert.match(body.warnings[1].message, said);
    }

    const renewed = { kashrut_level: 'mehadrin', kashrut_expiry_date: '2099-06-15' };
    await server.call('PUT', `/api/vendors/${caterer}`, { token, body: renewed });
    await server.call('PUT', path, { token, body: { noise_curfew_time: '01:00' } });
    assert.deepEqual(await codes(), ['payment_overdue']);
  });

  test(`a payment that is due when banks are closed is told, with the last working day on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const path = await openEvent(server, token);
    const vendor_id = await openVendor(server, token);
    const payments = [
      { amount: 1, due_date: '2098-10-06' },
      { amount: 1, due_date: '2098-10-06', paid_date: '2020-09-01' },
      { amount: 1, due_date: '2098-10-08' },
    ];
    const booked = await server.call('POST', `${path}/bookings`, { token, body: { vendor_id, payments } });
    assert.equal(booked.status, 201, booked.text);
    const warnings = async (language: string) => {
      const headers = { 'accept-language': language };
      return (await server.call('GET', `${path}/warnings`, { token, headers })).body.warnings;
    };
    const message =
      'תשלום להגפן חל ב־6 באוקטובר 2098 (יום כיפור), כשהבנקים סגורים; יום העבודה האחרון לפניו הוא 2 באוקטובר 2098.';
    assert.deepEqual(await warnings('he'), [
      { code: 'payment_on_closed_day', message, booking_id: booked.body.booking.id, vendor_id },
    ]);
    assert.match((await warnings('ar'))[0].message, /يوم الغفران/);
    assert.match((await warnings('en'))[0].message, /6 October 2098 \(Yom Kippur\)/);

    const one = `${path}/bookings/${booked.body.booking.id}`;
    await server.call('PUT', one, { token, body: { status: 'cancelled' } });
    assert.deepEqual(await warnings('he'), []);
  });
}
