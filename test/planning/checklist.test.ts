import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES_OF_SLOW_TESTS, startServer } from '../support/server.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';

async function openEvent(server: SharedServer, token: string, fields: object = {}): Promise<string> {
  const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן', ...fields };
  const created = await server.call('POST', '/api/events', { token, body });
  assert.equal(created.status, 201, created.text);
  return `/api/events/${created.body.event.id}`;
}

const names = (list: { items: { item: string }[] }) => list.items.map(({ item }) => item).sort();

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`the checklist follows from the event’s facts on ${kind}`, async () => {
    await using server = await startServer(kind, { clock: () => Temporal.Instant.from('2099-05-01T10:00Z') });
    const token = await server.token('me', 'organizer', '100y');
    const path = await openEvent(server, token, {
      max_guests: 120,
      venue_capacity: 100,
      kashrut_level: 'regular',
    });
    const read = async () => (await server.call('GET', `${path}/checklist`, { token })).body.checklist;
    const list = await read();
    assert.equal(list.dismissed, false);
    assert.deepEqual(names(list), [
      'accessibility',
      'capacity',
      'insurance',
      'kashrut_certificate',
      'venue_licence',
    ]);
    const dates = list.items.map(({ due_date }: { due_date: string }) => due_date);
    assert.deepEqual(dates, dates.toSorted());
    assert.deepEqual(
      [list.items[0].item, list.items[0].due_date, list.items[0].overdue],
      ['venue_licence', '2099-03-17', true],
    );
    assert.deepEqual(
      ['venue_licence', 'accessibility', 'insurance'].map(
        (name) => list.items.find(({ item }: { item: string }) => item === name).due_earlier_for,
      ),
      [null, 'יום שישי', 'שבת'],
    );
    assert.equal(list.items.at(-1).overdue, false);
    for (const [language, letters] of [
      ['', /^[^a-z]*[א-ת][^a-z]*$/i],
      ['ar,en;q=0.5', /^[^a-zא-ת]*[\u0600-\u06ff][^a-zא-ת]*$/i],
      ['en', /^[^א-ת\u0600-\u06ff]*[a-z][^א-ת\u0600-\u06ff]*$/i],
    ] as const) {
      const headers = { 'accept-language': language };
      const { checklist } = (await server.call('GET', `${path}/checklist`, { token, headers })).body;
      for (const { title, why, granted_by_name, source } of checklist.items) {
        for (const text of [title, why, granted_by_name, source ?? checklist.advice])
          assert.match(text, letters);
      }
      const item = await server.call('GET', `${path}/checklist/insurance`, { token, headers });
      assert.match(item.body.item.title, letters);
    }

    const facts = await server.call('GET', `${path}/checklist/facts`, { token });
    assert.equal(facts.body.facts.amplified_music, true);
    const tag = { 'if-match': facts.headers.get('etag') ?? '' };
    const put = (body: unknown, headers = {}) =>
      server.call('PUT', `${path}/checklist/facts`, { token, body, headers });
    const outdoors = await put({ outdoors: true, alcohol: true }, tag);
    assert.equal(outdoors.status, 200, outdoors.text);
    assert.ok(names(outdoors.body.checklist).includes('alcohol'));
    assert.ok(names(outdoors.body.checklist).includes('police'));
    assert.equal((await put({ outdoors: false }, tag)).status, 412);
    assert.equal((await put({ outdoors: 'yes' })).status, 400);
    assert.equal((await put([])).status, 400);
    assert.equal((await put({ alcohol: false })).body.checklist.facts.outdoors, true, 'what is absent stays');
    assert.equal((await server.call('PUT', path, { token, body: { max_guests: 20 } })).status, 200);
    assert.ok(!names(await read()).includes('police'));
  });

  test(`an item keeps its state, note and dismissal on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const path = await openEvent(server, token, { max_guests: 120 });
    const one = `${path}/checklist/insurance`;
    const first = await server.call('GET', one, { token });
    assert.deepEqual([first.status, first.body.item.state, first.body.item.note], [200, 'open', null]);
    const tag = { 'if-match': first.headers.get('etag') ?? '' };
    const put = (body: unknown, headers = {}) => server.call('PUT', one, { token, body, headers });
    const begun = await put({ state: 'in_progress', note: ' אצל דנה ' }, tag);
    assert.equal(begun.status, 200, begun.text);
    assert.deepEqual([begun.body.item.state, begun.body.item.note], ['in_progress', 'אצל דנה']);
    assert.equal((await put({ state: 'done' }, tag)).status, 412);
    const dismissed = await put({ dismissed: true, note: null });
    assert.deepEqual(
      [dismissed.body.item.dismissed, dismissed.body.item.state, dismissed.body.item.note],
      [true, 'in_progress', null],
    );
    for (const wrong of [{ state: 'lost' }, { dismissed: 1 }, { note: 7 }, 'x']) {
      assert.equal((await put(wrong)).status, 400, JSON.stringify(wrong));
    }
    for (const absent of ['noise', 'nothing', '__proto__']) {
      assert.equal((await server.call('GET', `${path}/checklist/${absent}`, { token })).status, 404, absent);
      const answer = await server.call('PUT', `${path}/checklist/${absent}`, { token, body: {} });
      assert.equal(answer.status, 404, absent);
    }
    const history = await server.call('GET', `${path}/history?subject=checklist`, { token });
    assert.equal(history.body.total, 2);
  });

  test(`dismissing the checklist is what creation records, and can be taken back on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const stranger = await server.token('stranger');
    const path = await openEvent(server, token, { max_guests: 120 });
    const shown = async () =>
      (await server.call('PUT', path, { token, body: { title: 'שוב' } })).body.compliance_checklist;
    const post = (what: string, as = token, headers = {}) =>
      server.call('POST', `${path}/checklist/${what}`, { token: as, headers });
    assert.equal(await shown(), true);
    const key = { 'idempotency-key': 'once' };
    const dismissed = await post('dismiss', token, key);
    assert.equal(dismissed.status, 200, dismissed.text);
    assert.equal(dismissed.body.checklist.dismissed, true);
    assert.equal(dismissed.body.checklist.items.length > 0, true, 'the list itself can still be read');
    assert.equal((await server.call('GET', path, { token })).body.event.compliance_dismissed, true);
    assert.equal(await shown(), undefined);
    assert.equal((await post('restore')).status, 200);
    assert.equal(await shown(), true);
    assert.equal((await post('dismiss', token, key)).headers.get('idempotent-replayed'), 'true');
    assert.equal(await shown(), true, 'a repeated request does nothing again');

    assert.equal((await server.call('GET', `${path}/checklist`, { token: stranger })).status, 403);
    assert.equal((await post('dismiss', stranger)).status, 404);
    assert.equal((await server.call('GET', '/api/events/x/checklist', { token })).status, 404);
    await server.call('PUT', path, { token, body: { status: 'cancelled' } });
    assert.equal((await post('dismiss')).status, 400);
    assert.equal((await server.call('GET', `${path}/checklist`, { token })).status, 200);

    const early = await openEvent(server, token, { max_guests: 120, compliance_dismissed: true });
    assert.equal((await server.call('GET', `${early}/checklist`, { token })).body.checklist.dismissed, true);
  });
}
