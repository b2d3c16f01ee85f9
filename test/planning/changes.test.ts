import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { newEvent } from './event.ts';

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`what was read and is sent back changes nothing on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 120, venue_capacity: 3 });
    const { call, server } = event;
    const token = await server.token('me');
    const family = await event.guest({ name: 'משפחת כהן', party_size: 3, rsvp_status: 'confirmed' });
    const waits = await event.guest({
      name: 'דנה',
      phone: '050-1234567',
      tags: ['צד הכלה'],
      party_size: 2,
      rsvp_status: 'confirmed',
    });
    assert.notEqual((await event.read(waits.id)).waiting_since, null);
    const vendor = { name: 'DJ אבי', kind: 'dj', kashrut_expiry_date: '2099-01-01' };
    const { id: vendor_id } = (await server.call('POST', '/api/vendors', { token, body: vendor })).body
      .vendor;
    const payments = [{ amount: 10.5, due_date: '2099-01-01' }, { amount: 1 }];
    const hours = { starts_at: '2099-06-15T19:00', ends_at: '2099-06-15T22:00' };
    const booked = await call('POST', '/bookings', { body: { vendor_id, price: 100.1, payments, ...hours } });
    const { booking } = booked.body;
    const shared = await call('POST', '/co-organizers', { body: { email: 'partner@example.com' } });
    await call('PUT', '/rsvp', { body: { open: true, answer_until: '2099-06-01T12:00' } });
    await call('PUT', '/notices', { body: { digest: false } });
    await call('PUT', '/checklist/facts', { body: { alcohol: true } });
    await call('PUT', '/checklist/insurance', { body: { state: 'done', note: 'אצל אבא' } });
    const history = async () => (await call('GET', '/history')).body.total;
    const before = await history();

    const own = `/api/events/${event.id}`;
    for (const path of [
      `${own}/guests/${family.id}`,
      `${own}/guests/${waits.id}`,
      `/api/vendors/${vendor_id}`,
      `${own}/bookings/${booking.id}`,
      `${own}/rsvp`,
      `${own}/notices`,
      `${own}/checklist/facts`,
      `${own}/checklist/insurance`,
    ]) {
      const read = await server.call('GET', path, { token });
      assert.equal(read.status, 200, `${path}: ${read.text}`);
      const put = await server.call('PUT', path, { token, body: Object.values(read.body)[0] as object });
      assert.equal(put.status, 200, `${path}: ${put.text}`);
      const again = await server.call('GET', path, { token });
      assert.deepEqual(again.body, read.body, path);
      assert.equal(put.headers.get('etag'), read.headers.get('etag'), path);
      assert.equal(again.headers.get('etag'), read.headers.get('etag'), path);
    }
    const [payment] = booking.payments;
    const paid = await call('PUT', `/bookings/${booking.id}/payments/${payment.id}`, { body: payment });
    assert.equal(paid.headers.get('etag'), booked.headers.get('etag'));
    const { co_organizer } = shared.body;
    const same = await call('PUT', `/co-organizers/${co_organizer.id}`, { body: co_organizer });
    assert.deepEqual(
      [same.body, same.headers.get('etag')],
      [shared.body, shared.headers.get('etag')],
      same.text,
    );
    assert.equal(await history(), before);

    assert.equal((await call('PUT', `/bookings/${booking.id}`, { body: { prise: 1 } })).body.field, 'prise');
    assert.equal((await call('POST', '/bookings', { body: booking })).body.field, 'id');
  });

  test(`the status that an event has is refused with what to do, and nothing is written on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { body } = await event.call('GET', '');
    const put = await event.call('PUT', '', { body: { ...body.event, title: 'אחר' } });
    assert.equal(put.status, 400);
    assert.match(put.body.error, /כבר פורסם.*בלי הסטטוס/);
    assert.deepEqual((await event.call('GET', '')).body, body);
    const { status: _, ...others } = body.event;
    assert.equal((await event.call('PUT', '', { body: { ...others, title: 'אחר' } })).status, 200);
  });

  test(`a dry run says what of the former venue another name keeps and leaves behind, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.call('PUT', '/invitation', {
      body: { coordinates: '32.15, 34.89', venue_address: { english: '12 HaSharon Road' } },
    });
    const codes = async (body: object) => {
      const { preview } = (await event.call('PUT', '?dry_run=true', { body })).body;
      return preview.warnings.map(({ code }: { code: string }) => code);
    };
    const name = { venue_name: 'אולמי הים' };
    assert.deepEqual(await codes(name), ['former_address', 'former_coordinates']);
    assert.deepEqual(await codes({ ...name, venue_address: 'הנמל 1, תל אביב' }), [
      'former_coordinates',
      'former_translation',
    ]);
    assert.deepEqual(await codes({ venue_address: 'הנמל 1, תל אביב' }), ['former_translation']);
    assert.deepEqual(await codes({ description: 'חופה בשקיעה' }), []);
  });

  test(`a dry run says what a change would do, and does nothing on ${kind}`, async () => {
    await using event = await newEvent(kind, { venue_capacity: 2 });
    const { call } = event;
    await event.guest({ name: 'נועה', email: 'noa@example.com', party_size: 2, rsvp_status: 'confirmed' });
    const waits = await event.guest({ name: 'איתי', rsvp_status: 'confirmed' });
    const round = await call('POST', '/rounds', {
      body: { filter: {}, send_at: new Date(Date.now() + 30 * 86_400_000) },
    });
    assert.ok(round.status < 300, round.text);
    const before = [(await call('GET', '')).text, (await call('GET', '/history')).text];
    const dry = async (body: object, language = 'en', asked = 'dry_run=true') => {
      const headers = { 'accept-language': language };
      return call('PUT', `?${asked}`, { body, headers });
    };
    const codes = ({ body }: Awaited<ReturnType<typeof dry>>) =>
      body.preview.warnings.map(({ code }: { code: string }) => code);

    const cancelled = await dry({ status: 'cancelled' });
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.equal(cancelled.body.event.status, 'cancelled');
    assert.deepEqual(cancelled.body.preview.changes, { status: { from: 'published', to: 'cancelled' } });
    assert.deepEqual(codes(cancelled), ['final', 'guests_not_told', 'rounds_called_off']);
    assert.match(cancelled.body.preview.warnings[1].message, /^2 guests have said yes/);
    assert.equal(cancelled.headers.get('etag'), (await call('GET', '')).headers.get('etag'));
    for (const [language, said] of [
      ['he', /שני אורחים אישרו הגעה/],
      ['ar', /: 2\./],
    ] as const) {
      const { preview } = (await dry({ status: 'cancelled' }, language)).body;
      assert.match(preview.warnings[1].message, said);
    }
    const completed = await dry({ status: 'completed' });
    assert.deepEqual(codes(completed), ['final', 'before_its_day', 'rounds_called_off']);
    const roomier = await dry({ venue_capacity: 3 });
    assert.deepEqual(codes(roomier), []);
    assert.equal(roomier.body.event.rsvp_confirmed, 2, 'who waits would get a place');
    const moved = await dry({ event_date: '2099-07-01T19:00' });
    assert.deepEqual(codes(moved), ['guests_not_told']);
    assert.match(moved.body.preview.warnings[0].message, /^2 guests have said yes.*of the change/);
    const toShabbat = await dry({ event_date: '2099-06-19T20:00' });
    assert.deepEqual(codes(toShabbat), ['guests_not_told', 'not_held']);
    assert.match(
      toShabbat.body.preview.warnings[1].message,
      /^Shabbat: From Friday 19:07 to Saturday 20:30 \(in Jerusalem\)/,
    );
    const inArabic = await dry({ event_date: '2099-06-19T20:00', language_pref: 'arabic' }, 'ar');
    assert.deepEqual(codes(inArabic), ['guests_not_told', 'good_to_know']);
    const smaller = await dry({ venue_capacity: 1 });
    assert.deepEqual(codes(smaller), ['fewer_places']);
    assert.match(smaller.body.preview.warnings[0].message, /\(2\).*\(1\)/);
    assert.equal((await dry({ status: 'draft' })).status, 400);
    assert.equal((await dry({ kashrut_level: 'x' })).status, 500);
    assert.equal((await dry({ status: 'cancelled' }, 'en', 'dry_run=yes')).body.field, 'dry_run');
    for (const misspelt of ['dryrun', 'dry-run', 'Dry_run']) {
      const refused = await dry({ status: 'cancelled' }, 'en', `${misspelt}=true`);
      assert.deepEqual([refused.status, refused.body.field], [400, misspelt], refused.text);
      assert.match(refused.body.message, /dry_run/);
    }
    const beside = await dry({ status: 'cancelled' }, 'en', 'dry_run=true&x=1');
    assert.deepEqual([beside.status, beside.body.field], [400, 'x'], 'what is tried out has no other names');
    assert.deepEqual([(await call('GET', '')).text, (await call('GET', '/history')).text], before);
    assert.notEqual((await event.read(waits.id)).waiting_since, null);
    assert.equal((await call('PUT', '?dry_run=false', { body: { status: 'cancelled' } })).status, 200);
    assert.equal((await call('GET', '')).body.event.status, 'cancelled');
  });
}
