import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES } from '../../support/server.ts';
import { testInLane } from '../../support/test-in-lane.ts';
import { newEvent, type TestEvent } from '../event.ts';
import { form, linkOf, tokenOf } from './links.ts';

const LANGUAGE = { 'accept-language': 'en' };

async function limited(event: TestEvent, plus_ones_each: number | null): Promise<void> {
  const { status, text } = await event.call('PUT', '/rsvp', { body: { plus_ones_each } });
  assert.equal(status, 200, text);
}

async function apiOf(event: TestEvent, id: string): Promise<string> {
  return `/api/rsvp/${tokenOf((await linkOf(event, id)).url)}`;
}

const yes = (event: TestEvent, path: string, coming: number) =>
  event.server.call('POST', path, { body: { rsvp_status: 'confirmed', coming }, headers: LANGUAGE });

for (const kind of DATABASES) {
  test(`one guest can’t use up the plus-ones of the others, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 350 });
    const settings = async () => (await event.call('GET', '/rsvp')).body.settings;
    assert.equal((await settings()).plus_ones_each, null);
    await limited(event, 1);
    assert.equal((await settings()).plus_ones_each, 1);

    const couple = await event.guest({ name: 'Cohen', party_size: 2, language: 'english' });
    const path = await apiOf(event, couple.id);
    const { body } = await yes(event, path, 32);
    assert.deepEqual([body.guest.coming, body.guest.up_to, body.guest.may_bring], [2, 3, 1]);
    assert.equal(
      body.short.message,
      'You asked for 32 places. The invitation is for 2 people, and one more may come along.',
    );
    assert.equal((await event.counts()).plus_ones_left, 30);
    assert.equal((await yes(event, path, 3)).body.guest.coming, 3);
    const more = await yes(event, path, 4);
    assert.deepEqual([more.status, more.body.up_to, more.body.may_bring], [409, 3, 1], more.text);
    assert.match(more.body.error, /^ההזמנה לשניים, ואפשר להביא עוד אדם אחד;/);

    const alone = await event.guest({ name: 'Dana' });
    assert.equal((await yes(event, await apiOf(event, alone.id), 2)).body.guest.coming, 2);
    // A guest's own limit replaces that of the event, in both directions.
    const friends = await event.guest({ name: 'Levi', max_plus_ones: 4 });
    assert.equal((await yes(event, await apiOf(event, friends.id), 5)).body.guest.coming, 5);
    const nobody = await event.guest({ name: 'Ron', max_plus_ones: 0 });
    assert.equal((await yes(event, await apiOf(event, nobody.id), 2)).body.guest.coming, 1);
    for (const wrong of [-1, 100, 1.5, 'one'])
      assert.equal((await event.call('PUT', '/rsvp', { body: { plus_ones_each: wrong } })).status, 400);
  });

  test(`a guest’s page says how many may come along, in three languages, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await limited(event, 1);
    const { id } = await event.guest({ name: 'כהן', party_size: 2 });
    const path = `/r/${tokenOf((await linkOf(event, id)).url)}`;
    for (const [language, hint] of [
      ['hebrew', 'ההזמנה לשניים, ואפשר להביא עוד אדם אחד'],
      ['arabic', 'الدعوة لشخصين، ويمكن إحضار مرافق واحد'],
      ['english', 'The invitation is for 2 people, and one more may come along'],
    ] as const) {
      const sent = await form(event, `${path}?lang=${language}`, { rsvp_status: 'confirmed', coming: '30' });
      const page = await event.server.call('GET', sent.headers.get('location') ?? '');
      assert.ok(page.text.includes(`<p class="hint">${hint}</p>`), page.text);
      assert.ok(page.text.includes(`${hint}.`), page.text);
      assert.match(page.text, /name="coming"[^>]* max="3"/);
      await event.call('PUT', `/guests/${id}`, { body: { rsvp_status: 'pending' } });
    }
    await yes(event, path.replace('/r/', '/api/rsvp/'), 3);
    const full = await form(event, `${path}?lang=hebrew`, { rsvp_status: 'confirmed', coming: '4' });
    assert.equal(full.status, 409);
    assert.ok(full.text.includes('ההזמנה לשניים, ואפשר להביא עוד אדם אחד; המקומות'), full.text);
    await limited(event, 0);
    const single = await event.guest({ name: 'דנה' });
    const page = await event.server.call('GET', `/r/${tokenOf((await linkOf(event, single.id)).url)}`);
    assert.ok(!page.text.includes('name="coming"'), 'a guest invited alone is not asked how many come');
  });

  test(`organizers can exceed the limit, and find who brings more people than invited, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await limited(event, 1);
    const add = async (body: object) =>
      (await event.call('POST', '/guests', { body, headers: LANGUAGE })).body;
    const fewer = await add({ name: 'Cohen', party_size: 2, rsvp_status: 'confirmed', coming: 5 });
    assert.equal(fewer.guest.coming, 2);
    assert.deepEqual(fewer.warnings, [
      {
        code: 'fewer',
        message:
          'There are places for 2 people, not for 5. The invitation is for 2 people, and one more may come along. ' +
          'To give places anyway: over_limit.',
      },
    ]);
    const over = await event.call('PUT', `/guests/${fewer.guest.id}`, {
      body: { coming: 5, over_limit: true },
      headers: LANGUAGE,
    });
    assert.deepEqual(over.body.warnings, [{ code: 'plus_ones', message: 'Brings 3 more than invited (2).' }]);
    await add({ name: 'Dana', rsvp_status: 'confirmed', coming: 2 });
    await add({ name: 'Levi', party_size: 4 });

    const names = async (query: string) =>
      (await event.call('GET', `/guests?${query}`)).body.guests.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names('plus_ones=true'), ['Cohen']);
    assert.deepEqual(await names('plus_ones=false'), ['Dana', 'Levi']);
    assert.equal((await event.call('GET', '/guests?plus_ones=some')).status, 400);
    const file = await event.call('GET', '/guests/export?plus_ones=true');
    assert.ok(file.text.includes('Cohen') && !file.text.includes('Dana'), file.text);
    const today = async () => {
      const { body } = await event.server.call('GET', '/api/today', {
        token: await event.server.token('me'),
      });
      const found = body.today.events.find((one: { event: { id: string } }) => one.event.id === event.id);
      return found?.plus_ones;
    };
    assert.equal(await today(), 1);

    const bulk = { filter: { plus_ones: true }, max_plus_ones: 3 };
    assert.equal((await event.call('POST', '/guests/bulk', { body: bulk })).body.changed, 1);
    assert.equal((await event.read(fewer.guest.id)).max_plus_ones, 3);
    assert.deepEqual([await names('plus_ones=true'), await today()], [[], 0], 'what is allowed is no excess');
    const asEvent = await event.call('POST', '/guests/bulk', { body: { filter: {}, max_plus_ones: null } });
    assert.equal(asEvent.body.changed, 1);
    const { max_plus_ones, coming } = await event.read(fewer.guest.id);
    assert.deepEqual([max_plus_ones, coming], [null, 5], 'a lower limit takes nobody’s place');
    assert.deepEqual([await names('plus_ones=true'), await today()], [['Cohen'], 1]);
    // Inviting as many people as come settles it.
    await event.call('PUT', `/guests/${fewer.guest.id}`, { body: { party_size: 5 } });
    assert.deepEqual([await names('plus_ones=true'), await today()], [[], 0]);
  });

  testInLane(
    `of twenty guests at once nobody brings more than they may, nor all more than are free, on ${kind}`,
    async () => {
      await using event = await newEvent(kind, { max_plus_ones_buffer: 12 });
      await limited(event, 1);
      const guests = await Promise.all(
        Array.from({ length: 20 }, (_, n) => event.guest({ name: `Guest ${n}`, party_size: 2 })),
      );
      const paths = await Promise.all(guests.map(({ id }) => apiOf(event, id)));
      const coming = async (people: (n: number) => number) => {
        const answers = await Promise.all(paths.map((path, n) => yes(event, path, people(n))));
        return answers.map(({ status, body }) => (status === 200 ? body.guest.coming : status));
      };
      // Half of them ask for far too many: they get the two invited, and the others one more each.
      const first = await coming((n) => (n % 2 === 0 ? 8 : 3));
      assert.deepEqual(
        first,
        guests.map((_, n) => (n % 2 === 0 ? 2 : 3)),
      );
      assert.equal((await event.counts()).plus_ones, 10);
      const second = await coming(() => 3);
      assert.deepEqual(
        [second.filter((one) => one === 3).length, second.filter((one) => one === 409).length],
        [12, 8],
      );
      const { plus_ones, plus_ones_left, people } = await event.counts();
      assert.deepEqual([plus_ones, plus_ones_left, people], [12, 0, 52]);
    },
  );
}
