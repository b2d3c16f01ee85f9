import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES } from '../../support/server.ts';
import { newEvent } from '../event.ts';
import { form, pathOf } from './links.ts';

// What the pages of an event say besides the form: in its state, in its words, to whoever opens them.

for (const kind of DATABASES) {
  test(`a cancelled event says so first and invites to nothing, on ${kind}`, async () => {
    await using event = await newEvent(kind, { description: 'חופה בשקיעה' });
    const path = await pathOf(event, { name: 'דנה', language: 'english' });
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `cancelled-${kind}` } });
    await event.call('PUT', '', { body: { status: 'cancelled' } });
    for (const [address, word] of [
      [path, 'The event has been cancelled.'],
      [`/e/cancelled-${kind}`, 'האירוע בוטל.'],
    ] as const) {
      const { status, text } = await event.server.call('GET', address);
      assert.equal(status, 200, text);
      const main = text.slice(text.indexOf('<main>'));
      assert.ok(main.indexOf(word) < main.indexOf('<h1') && main.includes(word), main);
      assert.ok(!/<form|google|waze|event\.ics|invited|להזמין|חופה/.test(main), main);
    }
    assert.equal((await form(event, path, { rsvp_status: 'confirmed' })).status, 409);
  });

  test(`an answer is thanked for in one message, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const path = await pathOf(event, { name: 'Dana', language: 'english', party_size: 2 });
    const notes = (text: string) =>
      [...text.matchAll(/<p class="note (\w+)"[^>]*>([^<]*)/g)].map(([, kind, said]) => [kind, said]);
    const sent = await form(event, path, { rsvp_status: 'confirmed', coming: '2' });
    const saved = await event.server.call('GET', sent.headers.get('location') ?? '');
    assert.deepEqual(notes(saved.text), [
      ['good', 'Your answer is saved. Thank you! We have you down for 2 people. See you there!'],
    ]);
    const later = await event.server.call('GET', path);
    assert.deepEqual(notes(later.text), [['good', 'We have you down for 2 people. See you there!']]);
  });

  test(`a mistake stands above the form, beside its field and in the title, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const path = await pathOf(event, { name: 'Dana', language: 'english' });
    const { status, text } = await form(event, path, {
      rsvp_status: 'confirmed',
      allergies: 'x'.repeat(501),
    });
    assert.equal(status, 400);
    assert.match(text, /<title>To be corrected: /);
    assert.match(text, /role="alert"[^>]*><a href="#allergies">One of the texts/);
    assert.match(text, /id="allergies"[^>]* aria-invalid="true" aria-describedby="allergies-problem"/);
    assert.match(text, /<p class="problem" id="allergies-problem">One of the texts/);
    assert.equal(text.match(/aria-invalid="/g)?.length, 1);
    const nothing = await form(event, path, { coming: '1' });
    assert.match(nothing.text, /<fieldset role="radiogroup" id="rsvp_status" aria-invalid="true"/);
    assert.match(nothing.text, /id="rsvp_status-problem"/);
  });
}
