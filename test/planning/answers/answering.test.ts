import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES } from '../../support/server.ts';
import { newEvent, startEvent } from '../event.ts';
import { form, linkOf, tokenOf } from './links.ts';

for (const kind of DATABASES) {
  test(`a guest answers through the personal link, which shows nobody else, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 3 });
    const guest = await event.guest({ name: 'דנה לוי', phone: '0501234567', party_size: 2, note: 'סודי' });
    await event.guest({ name: 'אורח אחר' });
    const link = await linkOf(event, guest.id);
    assert.deepEqual(await linkOf(event, guest.id), link);
    assert.match(link.whatsapp_url, /^https:\/\/wa\.me\/972501234567\?text=/);
    assert.ok(link.message.includes(link.url) && link.message.includes('דנה לוי'));
    const path = `/api/rsvp/${tokenOf(link.url)}`;

    const read = await event.server.call('GET', path);
    assert.equal(read.status, 200, read.text);
    assert.equal(read.headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(read.body.guest, {
      name: 'דנה לוי',
      language: 'hebrew',
      party_size: 2,
      coming: 0,
      kashrut_level: null,
      vegetarian: false,
      vegan: false,
      allergies: null,
      message: null,
      rsvp_status: 'pending',
      waiting: false,
    });
    assert.equal(read.body.event.event_date, '2099-06-15T16:30:00.000Z');
    for (const hidden of ['אורח אחר', 'סודי', event.id, guest.id, '+972']) {
      assert.ok(!read.text.includes(hidden), hidden);
    }

    const body = { rsvp_status: 'confirmed', coming: 3, vegan: true, message: 'מזל טוב!' };
    const answered = await event.server.call('POST', path, { body, headers: { 'idempotency-key': 'k1' } });
    assert.equal(answered.status, 200, answered.text);
    assert.deepEqual(
      [answered.body.guest.rsvp_status, answered.body.guest.coming, answered.body.guest.vegan],
      ['confirmed', 3, true],
    );
    const again = await event.server.call('POST', path, { body, headers: { 'idempotency-key': 'k1' } });
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const stored = await event.read(guest.id);
    assert.deepEqual([stored.answered_via, stored.message, stored.note], ['link', 'מזל טוב!', 'סודי']);
    const more = await event.server.call('POST', path, { body: { rsvp_status: 'confirmed', coming: 4 } });
    assert.equal(more.status, 409, more.text);
    for (const wrong of [
      {},
      { rsvp_status: 'pending' },
      { rsvp_status: 'confirmed', coming: 101 },
      { rsvp_status: 'declined', allergies: 7 },
    ]) {
      assert.equal(
        (await event.server.call('POST', path, { body: wrong })).status,
        400,
        JSON.stringify(wrong),
      );
    }
    const no = await event.server.call('POST', path, { body: { rsvp_status: 'declined' } });
    assert.deepEqual([no.body.guest.rsvp_status, no.body.guest.coming], ['declined', 0]);
    const history = await event.call('GET', `/history?subject_id=${guest.id}`);
    assert.deepEqual(history.body.history[0].by, { kind: 'guest', id: guest.id, email: null });
  });

  test(`a link that was revoked, made up or of a deleted event opens nothing, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const guest = await event.guest({ name: 'דנה' });
    const { url } = await linkOf(event, guest.id);
    const old = tokenOf(url);
    assert.equal((await event.call('DELETE', `/guests/${guest.id}/link`)).status, 204);
    const next = tokenOf((await linkOf(event, guest.id)).url);
    assert.notEqual(next, old);
    for (const token of [old, 'x', 'A'.repeat(43), `${next}x`, '%00', encodeURIComponent('א'.repeat(43))]) {
      assert.equal((await event.server.call('GET', `/api/rsvp/${token}`)).status, 404, token);
      const page = await event.server.call('GET', `/r/${token}`);
      assert.equal(page.status, 404, token);
      assert.match(page.headers.get('content-type') ?? '', /html/);
    }
    assert.equal((await event.server.call('GET', `/r/${next}`)).status, 200);
    const viewer = await event.server.token('stranger');
    assert.equal((await event.call('GET', `/guests/${guest.id}/link`, { token: viewer })).status, 403);
    await event.call('DELETE', '');
    assert.equal((await event.server.call('GET', `/r/${next}`)).status, 404);
  });

  test(`the page takes the answer of a form without a script, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 2, description: 'חופה <b>בשקיעה</b>' });
    const guest = await event.guest({ name: 'Dana <script>', language: 'english' });
    const other = await event.guest({ name: 'רון' });
    const path = `/r/${tokenOf((await linkOf(event, guest.id)).url)}`;
    const page = await event.server.call('GET', path);
    assert.equal(page.status, 200);
    assert.match(page.text, /<html lang="en" dir="ltr">/);
    assert.ok(page.text.includes('Monday, 15 June 2099'), 'the date in English');
    assert.ok(!/<script|<b>/.test(page.text));
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-/,
    );
    assert.match((await event.server.call('GET', `${path}?lang=arabic`)).text, /<html lang="ar" dir="rtl">/);

    const sent = await form(event, path, {
      rsvp_status: 'confirmed',
      coming: '2',
      vegan: 'on',
      message: 'Mazal tov',
    });
    assert.equal(sent.status, 303, sent.text);
    const after = await event.server.call('GET', sent.headers.get('location') ?? '');
    assert.ok(after.text.includes('Your answer is saved'));
    assert.ok(after.text.includes('for 2 people'));
    assert.match(after.text, /name="vegan" checked/);
    assert.equal((await event.read(guest.id)).vegan, true);

    const second = `/r/${tokenOf((await linkOf(event, other.id)).url)}`;
    await form(event, second, { rsvp_status: 'confirmed', coming: '1' });
    assert.ok((await event.server.call('GET', second)).text.includes('ברשימת ההמתנה'));
    const problem = await form(event, path, { rsvp_status: 'confirmed', coming: '3', message: 'keep <me>' });
    assert.equal(problem.status, 409);
    assert.ok(problem.text.includes('no room for more') && problem.text.includes('keep &lt;me&gt;'));
    assert.equal((await form(event, path, { coming: '1' })).status, 400);
    assert.equal((await event.server.call('POST', path, { body: {} })).status, 415);
    await form(event, path, { rsvp_status: 'declined' });
    assert.equal((await event.read(other.id)).rsvp_status, 'confirmed');

    const calendar = await event.server.call('GET', `${path}/event.ics`);
    assert.match(calendar.headers.get('content-type') ?? '', /^text\/calendar/);
    assert.match(calendar.text, /DTSTART;TZID=Asia\/Jerusalem:20990615T193000\r\n/);

    assert.equal((await event.server.call('GET', `${path}/unsubscribe`)).status, 200);
    assert.equal((await form(event, `${path}/unsubscribe`, { 'List-Unsubscribe': 'One-Click' })).status, 200);
    assert.ok((await event.server.call('GET', `${path}/unsubscribe`)).text.includes('any more emails'));
  });

  test(`answers are taken until the organizer's date, on ${kind}`, async () => {
    let now = Temporal.Instant.from('2099-01-01T00:00:00Z');
    await using event = await startEvent(kind, {}, { clock: () => now, lifetime: '1000000h' });
    const guest = await event.guest({ name: 'דנה' });
    const path = `/api/rsvp/${tokenOf((await linkOf(event, guest.id)).url)}`;
    const first = await event.call('GET', '/rsvp');
    assert.deepEqual(first.body.settings, {
      answer_until: null,
      open: false,
      registration: false,
      accept_by_itself: false,
      most_each: 10,
      slug: null,
      open_url: null,
    });
    const put = await event.call('PUT', '/rsvp', {
      body: { answer_until: '2099-06-01T23:59' },
      headers: { 'if-match': first.headers.get('etag') ?? '' },
    });
    assert.equal(put.body.settings.answer_until, '2099-06-01T20:59:00.000Z', put.text);
    const stale = await event.call('PUT', '/rsvp', {
      body: { answer_until: null },
      headers: { 'if-match': first.headers.get('etag') ?? '' },
    });
    assert.equal(stale.status, 412);
    assert.equal((await event.call('PUT', '/rsvp', { body: { answer_until: '2099-06-16' } })).status, 400);
    assert.equal(
      (await event.call('PUT', '/rsvp', { body: { answer_until: '2099-06-16T10:00' } })).status,
      400,
    );
    const yes = () => event.server.call('POST', path, { body: { rsvp_status: 'confirmed' } });
    assert.equal((await yes()).status, 200);
    now = Temporal.Instant.from('2099-06-02T00:00:00Z');
    assert.equal((await yes()).status, 409);
    assert.equal((await event.server.call('GET', path)).body.closed, 'late');
    await event.call('PUT', '/rsvp', { body: { answer_until: null } });
    assert.equal((await yes()).status, 200);
    await event.call('PUT', '', { body: { status: 'cancelled' } });
    assert.equal((await event.server.call('GET', path)).body.closed, 'cancelled');
    assert.equal((await yes()).status, 409);
  });

  test(`people not on the list ask through the open link, and the organizer decides, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 3 });
    const opened = await event.call('PUT', '/rsvp', { body: { open: true } });
    const slug = opened.body.settings.slug;
    assert.match(slug, /^[a-z0-9]{10}$/);
    const named = await event.call('PUT', '/rsvp', { body: { slug: 'noa-and-itay' } });
    assert.equal(
      named.body.settings.open_url,
      `http://localhost:3000/e/noa-and-itay`.replace('3000', new URL(named.body.settings.open_url).port),
    );
    assert.equal((await event.call('PUT', '/rsvp', { body: { slug: 'No Spaces' } })).status, 400);
    assert.equal((await event.server.call('GET', `/e/${slug}`)).status, 404);
    assert.equal((await event.server.call('GET', '/e/noa-and-itay')).status, 200);

    const ask = (fields: Record<string, string>) => form(event, '/e/noa-and-itay', fields);
    assert.equal((await ask({ name: 'שכן' })).status, 400);
    assert.equal((await ask({ name: '', phone: '0521112233' })).status, 400);
    assert.equal((await ask({ name: 'שכן', phone: '0521112233', coming: '2' })).status, 303);
    assert.equal((await ask({ name: 'שכן מלמעלה', phone: '052-111-2233', coming: '2' })).status, 303);
    assert.equal((await ask({ name: 'דודה', email: 'aunt@example.com', coming: '2' })).status, 303);
    assert.equal((await ask({ name: 'robot', phone: '0529999999', website: 'http://x' })).status, 303);
    assert.equal((await event.counts()).rsvp_total, 0);
    const list = await event.call('GET', '/guest-requests?status=waiting');
    assert.deepEqual(
      list.body.requests.map((one: { name: string }) => one.name),
      ['שכן מלמעלה', 'דודה'],
    );
    const [neighbour, aunt] = list.body.requests;
    const accepted = await event.call('POST', `/guest-requests/${neighbour.id}/accept`);
    assert.equal(accepted.status, 200, accepted.text);
    assert.deepEqual(
      [accepted.body.guest.rsvp_status, accepted.body.guest.coming, accepted.body.guest.answered_via],
      ['confirmed', 2, 'open_link'],
    );
    assert.equal((await event.call('POST', `/guest-requests/${neighbour.id}/decline`)).status, 409);
    const waits = await event.call('POST', `/guest-requests/${aunt.id}/accept`);
    assert.ok(waits.body.guest.waiting_since);
    // Asking once more is an answer of a guest who is on the list.
    await ask({ name: 'שכן', phone: '0521112233', coming: '1' });
    const [again] = (await event.call('GET', '/guest-requests?status=waiting')).body.requests;
    const fewer = await event.call('POST', `/guest-requests/${again.id}/accept`);
    assert.deepEqual([fewer.body.guest.id, fewer.body.guest.coming], [accepted.body.guest.id, 1]);
    assert.equal((await event.read(waits.body.guest.id)).rsvp_status, 'confirmed');
    await event.call('PUT', '/rsvp', { body: { open: false } });
    assert.equal((await event.server.call('GET', '/e/noa-and-itay')).status, 404);
  });

  test(`ready messages are there for guests with a phone number alone, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({ name: 'א', phone: '0501111111' });
    await event.guest({ name: 'ב', phone: '0502222222', email: 'b@example.com' });
    await event.guest({ name: 'ג', email: 'c@example.com' });
    await event.guest({ name: 'ד', phone: '0503333333', language: 'arabic' });
    const names = async (query: string) => {
      const { body } = await event.call('GET', `/guests/links?${query}`);
      return [body.links.map((link: { name: string }) => link.name).join(''), body.more];
    };
    assert.deepEqual(await names(''), ['אד', false]);
    assert.deepEqual(await names('limit=1'), ['א', true]);
    assert.deepEqual(await names('all=true'), ['אבד', false]);
  });
}
