import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { pathOf } from './answers/links.ts';
import { newEvent } from './event.ts';

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a field that nobody reads is refused by its name, and nothing is made, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const path = await pathOf(event, { name: 'רון' });
    const answering = `/api${path.replace('/r/', '/rsvp/')}`;
    for (const [place, body] of [
      ['/guests', { name: 'דנה', party: 3 }],
      ['/co-organizers', { email: 'dana@example.com', acess: 'edit' }],
      ['/questions', { kind: 'text', text: 'שיר?', optoins: [] }],
    ] as const) {
      const [wrong] = Object.keys(body).slice(-1);
      const answer = await event.call('POST', place, { body });
      assert.deepEqual([answer.status, answer.body.field], [400, wrong], answer.text);
      assert.ok(answer.body.error.includes(Object.keys(body)[0]), answer.text);
    }
    assert.equal((await event.call('GET', '/guests')).body.total, 1);

    for (const [language, words] of [
      ['en', /^tagg: is not a known name here\. Known names: .*\btag\b.*\.$/],
      ['he', /^tagg: השם הזה אינו מוכר כאן\. השמות המוכרים: .*\btag\b/],
      ['ar', /^tagg: هذا الاسم غير معروف هنا\. الأسماء المعروفة: .*\btag\b/],
    ] as const) {
      const refused = await event.call('GET', '/guests?tagg=x', { headers: { 'accept-language': language } });
      assert.match(refused.body.message ?? refused.body.error, words);
    }

    const answer = { rsvp_status: 'confirmed', comming: 3 };
    const wrong = await event.server.call('POST', answering, { body: answer });
    assert.deepEqual([wrong.status, wrong.body.field], [400, 'comming'], wrong.text);
    const { guest } = (await event.server.call('GET', answering)).body;
    const right = await event.server.call('POST', answering, { body: { ...guest, rsvp_status: 'declined' } });
    assert.deepEqual([right.status, right.body.guest.rsvp_status], [200, 'declined'], right.text);
  });
}
