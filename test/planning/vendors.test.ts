import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { DATABASES, SECRET, startServer } from '../support/server.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';

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

for (const kind of DATABASES) {
  test(`vendors are their organizer’s own on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
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
    assert.deepEqual(booking.payments[1], {
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
      ['he', /תפוג ב־14\.6\.2099,/],
      ['ar', /في 14\u200f\/6\u200f\/2099،/],
      ['en', /ends on 14\/06\/2099,/],
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
      { amount: 1, due_date: '2098-10-06', paid_date: '2098-09-01' },
      { amount: 1, due_date: '2098-10-08' },
    ];
    const booked = await server.call('POST', `${path}/bookings`, { token, body: { vendor_id, payments } });
    assert.equal(booked.status, 201, booked.text);
    const warnings = async (language: string) => {
      const headers = { 'accept-language': language };
      return (await server.call('GET', `${path}/warnings`, { token, headers })).body.warnings;
    };
    const message =
      'תשלום ל־הגפן חל ב־6.10.2098 (יום כיפור), כשהבנקים סגורים; יום העבודה האחרון לפניו הוא 2.10.2098.';
    assert.deepEqual(await warnings('he'), [
      { code: 'payment_on_closed_day', message, booking_id: booked.body.booking.id, vendor_id },
    ]);
    assert.match((await warnings('ar'))[0].message, /يوم الغفران/);
    assert.match((await warnings('en'))[0].message, /06\/10\/2098 \(Yom Kippur\)/);

    const one = `${path}/bookings/${booked.body.booking.id}`;
    await server.call('PUT', one, { token, body: { status: 'cancelled' } });
    assert.deepEqual(await warnings('he'), []);
  });
}
