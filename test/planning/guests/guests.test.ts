import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES } from '../../support/server.ts';
import { newEvent } from '../event.ts';

for (const kind of DATABASES) {
  test(`a guest is added, read, changed and removed on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const created = await event.call('POST', '/guests', {
      body: {
        name: '  משפחת כהן ',
        phone: '050-123-4567',
        email: 'Cohen@Example.com',
        tags: ['צד הכלה', 'עבודה', 'עבודה'],
        party_size: 2,
        vegan: 1,
        allergies: 'אגוזים',
      },
    });
    assert.equal(created.status, 201, created.text);
    const { guest } = created.body;
    assert.deepEqual(
      { ...guest, id: '', event_id: '', created_at: '', updated_at: '' },
      {
        id: '',
        event_id: '',
        name: 'משפחת כהן',
        phone: '+972501234567',
        other_phones: [],
        email: 'cohen@example.com',
        other_emails: [],
        tags: ['צד הכלה', 'עבודה'],
        language: null,
        company: null,
        role: null,
        party_size: 2,
        party_children: 0,
        max_plus_ones: null,
        coming: 0,
        maybe: false,
        coming_children: 0,
        vegetarian: 0,
        vegan: 1,
        kosher: 0,
        mehadrin: 0,
        chalav_yisrael: 0,
        childrens_meals: 0,
        allergies: 'אגוזים',
        members: [],
        note: null,
        answers: {},
        message: null,
        rsvp_status: 'pending',
        waiting_since: null,
        answered_at: null,
        answered_via: null,
        created_at: '',
        updated_at: '',
      },
    );
    const path = `/guests/${guest.id}`;
    assert.equal(created.headers.get('location'), `/api/events/${event.id}${path}`);
    const read = await event.call('GET', path);
    assert.deepEqual(read.body.guest, guest);

    const put = await event.call('PUT', path, {
      body: { rsvp_status: 'confirmed', allergies: null, vegan: null },
      headers: { 'if-match': read.headers.get('etag') ?? '' },
    });
    assert.equal(put.status, 200, put.text);
    const { rsvp_status, coming, answered_via, allergies, vegan, name } = put.body.guest;
    assert.deepEqual(
      { rsvp_status, coming, answered_via, allergies, vegan, name },
      {
        rsvp_status: 'confirmed',
        coming: 2,
        answered_via: 'organizer',
        allergies: null,
        vegan: 0,
        name: guest.name,
      },
    );
    const late = await event.call('PUT', path, {
      body: { name: 'אחר' },
      headers: { 'if-match': read.headers.get('etag') ?? '' },
    });
    assert.equal(late.status, 412, late.text);
    assert.deepEqual((await event.counts()).rsvp_confirmed, 1);
    const shown = await event.call('GET', '');
    assert.deepEqual([shown.body.event.rsvp_confirmed, shown.body.event.rsvp_total], [1, 1]);

    assert.equal((await event.call('DELETE', path)).status, 204);
    assert.equal((await event.call('GET', path)).status, 404);
    assert.equal((await event.call('DELETE', path)).status, 404);
    assert.deepEqual((await event.counts()).rsvp_total, 0);
    const history = await event.call('GET', '/history?subject=guest');
    assert.deepEqual(
      history.body.history.map((entry: { action: string }) => entry.action),
      ['deleted', 'changed', 'created'],
    );
  });

  test(`a party is adults and children, who come when its adults do unless somebody says otherwise, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const family = await event.guest({ name: 'משפחה', party_size: 5, party_children: 3 });
    const put = async (body: object) => {
      const { status, body: answer, text } = await event.call('PUT', `/guests/${family.id}`, { body });
      assert.equal(status, 200, text);
      return [answer.guest.party_children, answer.guest.coming, answer.guest.coming_children];
    };
    assert.deepEqual(await put({ rsvp_status: 'confirmed' }), [3, 5, 3]);
    assert.deepEqual(await put({ coming: 4 }), [3, 4, 2]);
    assert.deepEqual(await put({ coming: 6 }), [3, 6, 3]);
    assert.deepEqual(await put({ coming_children: 1 }), [3, 6, 1]);
    assert.deepEqual(await put({ note: 'נשאר' }), [3, 6, 1]);
    const { invited, people, children } = await event.counts();
    assert.deepEqual([invited, people, children], [5, 6, 1]);
    assert.deepEqual(await put({ rsvp_status: 'declined' }), [3, 0, 0]);
    assert.deepEqual(await put({ party_size: 2 }), [2, 0, 0]);
    const { invited: fewer, children: none } = await event.counts();
    assert.deepEqual([fewer, none], [2, 0]);
  });

  test(`a wrong field is a 400 that names it, and a taken phone or address a 409, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const wrong: [object, string][] = [
      [{}, 'name'],
      [{ name: '  ' }, 'name'],
      [{ name: 7 }, 'name'],
      [{ name: 'א\0' }, 'name'],
      [{ name: '\u200f\u2060' }, 'name'],
      [{ name: 'א'.repeat(201) }, 'name'],
      [{ name: 'א', phone: '123' }, 'phone'],
      [{ name: 'א', email: 'no' }, 'email'],
      [{ name: 'א', tags: 'צד' }, 'tags'],
      [{ name: 'א', tags: [1] }, 'tags'],
      [{ name: 'א', language: 'french' }, 'language'],
      [{ name: 'א', party_size: 0 }, 'party_size'],
      [{ name: 'א', party_size: 1.5 }, 'party_size'],
      [{ name: 'א', mehadrin: -1 }, 'mehadrin'],
      [{ name: 'א', vegan: true }, 'vegan'],
      [{ name: 'א', party_size: 3, party_children: 4 }, 'party_children'],
      [{ name: 'א', rsvp_status: 'confirmed', coming: 2, coming_children: 3 }, 'coming_children'],
      [{ name: 'א', coming_children: 1 }, 'coming_children'],
      [{ name: 'א', rsvp_status: 'perhaps' }, 'rsvp_status'],
      [{ name: 'א', rsvp_status: 'confirmed', maybe: true }, 'maybe'],
      [{ name: 'א', rsvp_status: 'maybe', coming: 2 }, 'coming'],
      [{ name: 'א', rsvp_status: 'confirmed', coming: 0 }, 'coming'],
      [{ name: 'א', rsvp_status: 'confirmed', coming: '2' }, 'coming'],
      [{ name: 'א', rsvp_status: 'declined', coming: 2 }, 'coming'],
      [{ name: 'א', max_plus_ones: -1 }, 'max_plus_ones'],
      [{ name: 'א', over_limit: true }, 'over_limit'],
      [{ name: 'א', rsvp_status: 'confirmed', over_limit: 'yes' }, 'over_limit'],
    ];
    for (const [body, field] of wrong) {
      const answer = await event.call('POST', '/guests', { body });
      assert.equal(answer.status, 400, `${JSON.stringify(body)} ${answer.text}`);
      assert.ok(answer.body.error.includes(`(${field}`), answer.body.error);
    }
    const guest = await event.guest({ name: 'דנה', phone: '0501234567', email: 'dana@example.com' });
    for (const body of [
      { name: 'x', phone: '+972-50-1234567' },
      { name: 'x', email: 'DANA@example.com' },
    ]) {
      assert.equal((await event.call('POST', '/guests', { body })).status, 409);
    }
    const other = await event.guest({ name: 'רון' });
    const taken = await event.call('PUT', `/guests/${other.id}`, { body: { phone: guest.phone } });
    assert.equal(taken.status, 409, taken.text);
    assert.equal((await event.counts()).rsvp_total, 2);
  });

  test(`a name is one line that turns nothing around, however it was copied, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const body = {
      name: '\u202aנועה\u202c\nכהן \u202e',
      tags: ['\u2067כלה\u2069', 'כלה', '\u200f'],
      company: 'a\u2028b',
      message: 'מזל טוב!\nנועה',
    };
    const { name, tags, company, message } = await event.guest(body);
    assert.deepEqual(
      { name, tags, company, message },
      { name: 'נועה כהן', tags: ['כלה'], company: 'a b', message: 'מזל טוב!\nנועה' },
    );
  });

  test(`a foreign event's guests are a 403 to read and a 404 to write, a cancelled event's are for reading, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const guest = await event.guest({ name: 'דנה' });
    const token = await event.server.token('somebody else');
    const path = `/guests/${guest.id}`;
    for (const [method, at, status] of [
      ['GET', '/guests', 403],
      ['GET', '/guests/counts', 403],
      ['GET', path, 403],
      ['POST', '/guests', 404],
      ['PUT', path, 404],
      ['DELETE', path, 404],
    ] as const) {
      const sent = method === 'POST' || method === 'PUT' ? { body: { name: 'x' } } : {};
      assert.equal((await event.call(method, at, { token, ...sent })).status, status, `${method} ${at}`);
      assert.equal((await event.server.call(method, `/api/events/${event.id}${at}`, sent)).status, 401);
    }
    assert.equal((await event.call('GET', '/guests/not-a-uuid')).status, 404);
    assert.equal((await event.call('PUT', '', { body: { status: 'cancelled' } })).status, 200);
    assert.equal((await event.call('GET', path)).status, 200);
    assert.equal((await event.call('PUT', path, { body: { name: 'x' } })).status, 400);
    assert.equal((await event.call('POST', '/guests', { body: { name: 'x' } })).status, 400);
    assert.equal((await event.call('DELETE', path)).status, 400);
    assert.equal((await event.call('DELETE', '')).status, 204);
    assert.equal((await event.call('GET', path)).status, 404);
  });

  test(`guests are listed by page, found by a part of a name or phone and filtered, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({ name: 'אבי לוי', phone: '052-111-2222', tags: ['צד החתן'] });
    await event.guest({ name: 'בַּתְיָה כהן', vegan: 1, tags: ['צד הכלה'] });
    await event.guest({ name: 'Grace Hopper', kosher: 1, email: 'grace@example.com' });
    await event.guest({ name: 'أحمد 100%_\\', allergies: 'سمسم' });
    await event.guest({ name: 'דוד כהן', rsvp_status: 'confirmed', tags: ['צד הכלה'] });
    const names = async (query: string) => {
      const answer = await event.call('GET', `/guests?${query}`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.total, answer.body.guests.length);
      return answer.body.guests.map((guest: { name: string }) => guest.name.split(' ')[0]);
    };
    const search = (text: string) => names(`search=${encodeURIComponent(text)}`);
    assert.deepEqual(await names(''), ['Grace', 'אבי', 'בַּתְיָה', 'דוד', 'أحمد']);
    assert.deepEqual(await search('כהן'), ['בַּתְיָה', 'דוד']);
    assert.deepEqual(await search('בתיה'), ['בַּתְיָה']);
    assert.deepEqual(await search('כהן בתיה'), ['בַּתְיָה']);
    assert.deepEqual(await search('כה'), ['בַּתְיָה', 'דוד']);
    assert.deepEqual(await search('ל'), ['אבי']);
    assert.deepEqual(await search('hopp'), ['Grace']);
    assert.deepEqual(await search('احم'), ['أحمد']);
    assert.deepEqual(await search('0%_'), ['أحمد']);
    assert.deepEqual(await search('%'), ['أحمد']);
    assert.deepEqual(await search('_\\'), ['أحمد']);
    assert.deepEqual(await search('052-11'), ['אבי']);
    assert.deepEqual(await search('1112222'), ['אבי']);
    assert.deepEqual(await search('+972 52'), ['אבי']);
    assert.deepEqual(await search('אין כזה'), []);
    assert.deepEqual(await names('diet=vegan'), ['בַּתְיָה']);
    assert.deepEqual(await names('diet=allergies'), ['أحمد']);
    assert.deepEqual(await names('diet=kosher'), ['Grace']);
    assert.deepEqual(await names(`tag=${encodeURIComponent('צד הכלה')}`), ['בַּתְיָה', 'דוד']);
    assert.deepEqual(await names(`status=confirmed&tag=${encodeURIComponent('צד הכלה')}`), ['דוד']);
    assert.deepEqual(await names('status=declined'), []);
    assert.deepEqual((await names('order=answered'))[0], 'דוד');

    // Several values: whoever has one of them.
    const tags = ['צד הכלה', 'צד החתן'].map(encodeURIComponent);
    assert.deepEqual(await names(`tag=${tags.join('&tag=')}`), ['אבי', 'בַּתְיָה', 'דוד']);
    assert.deepEqual(await names('diet=vegan,kosher'), ['Grace', 'בַּתְיָה']);
    assert.deepEqual(await names('diet=vegan&diet=kosher'), ['Grace', 'בַּתְיָה']);
    assert.deepEqual(await names('status=confirmed,declined'), ['דוד']);
    assert.deepEqual((await names('status=pending,waiting,confirmed')).length, 5);
    // Nothing that is misspelt chooses everybody.
    for (const [query, field] of [
      ['tagg=x', 'tagg'],
      ['status=zzz', 'status'],
      ['status=confirmed,zzz', 'status'],
      ['tag=', 'tag'],
      ['diet=vegan&diet=', 'diet'],
      ['order=foo', 'order'],
      ['page=0', 'page'],
      ['limit=abc', 'limit'],
    ] as const) {
      for (const path of ['/guests', '/guests/export', '/guests/links']) {
        const isOfList = !['order', 'page', 'limit'].includes(field);
        if (path !== '/guests' && !isOfList) continue;
        const { status, body } = await event.call('GET', `${path}?${query}`);
        assert.deepEqual([status, body.code, body.field], [400, 'invalid_field', field], `${path}?${query}`);
      }
    }
    for (const query of ['format=pdf', 'language=french']) {
      assert.equal((await event.call('GET', `/guests/export?${query}`)).status, 400);
    }

    const pages = [];
    for (const page of [1, 2, 3, 4]) {
      const { body } = await event.call('GET', `/guests?limit=2&page=${page}`);
      assert.deepEqual([body.total, body.page, body.limit], [5, page, 2]);
      pages.push(...body.guests.map((guest: { name: string }) => guest.name.split(' ')[0]));
    }
    assert.deepEqual(pages, await names(''));
    const far = await event.call('GET', '/guests?page=99999999999999&limit=5000');
    assert.deepEqual([far.status, far.body.guests.length, far.body.limit], [200, 0, 1000]);
  });
}
