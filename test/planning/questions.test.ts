import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { newEvent, type TestEvent } from './event.ts';

const BUS = {
  kind: 'choice',
  text: { hebrew: 'הסעה מחיפה?', english: 'Bus?' },
  options: [{ text: 'כן' }, { text: 'לא' }],
};

async function ask(event: TestEvent, body: object) {
  const answer = await event.call('POST', '/questions', { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.question;
}

async function linkTo(event: TestEvent, guestId: string): Promise<string> {
  return (await event.call('GET', `/guests/${guestId}/link`)).body.link.url.split('/r/')[1];
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`an organizer asks, orders, changes and removes questions, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const bus = await ask(event, BUS);
    const beds = await ask(event, { kind: 'number', text: 'כמה מיטות?', most: 4 });
    const song = await ask(event, { kind: 'text', text: 'איזה שיר?', position: 1 });
    const list = async () => (await event.call('GET', '/questions')).body.questions;
    const order = async () => (await list()).map(({ id }: { id: string }) => id);
    assert.deepEqual(await order(), [song.id, bus.id, beds.id]);
    assert.deepEqual(
      (await list()).map(({ position }: { position: number }) => position),
      [1, 2, 3],
    );
    const at = `/questions/${beds.id}`;
    const read = await event.call('GET', at);
    const put = await event.call('PUT', at, {
      body: { position: 1 },
      headers: { 'if-match': read.headers.get('etag') ?? '' },
    });
    assert.equal(put.status, 200, put.text);
    assert.deepEqual(await order(), [beds.id, song.id, bus.id]);
    const late = { body: { asked: false }, headers: { 'if-match': read.headers.get('etag') ?? '' } };
    assert.equal((await event.call('PUT', at, late)).status, 412);
    for (const wrong of [
      { kind: 'text' },
      { kind: 'choice', text: '?' },
      { kind: 'choice', text: '?', options: [{ text: 'א' }] },
      { kind: 'text', text: '?', options: BUS.options },
      { kind: 'text', text: '?', most: 3 },
      { kind: 'text', text: '?', foo: 1 },
      { kind: 'text', text: { french: '?' } },
    ]) {
      assert.equal(
        (await event.call('POST', '/questions', { body: wrong })).status,
        400,
        JSON.stringify(wrong),
      );
    }
    assert.equal((await event.call('PUT', at, { body: { kind: 'text' } })).status, 400);
    assert.equal((await event.call('DELETE', at)).status, 204);
    assert.deepEqual(await order(), [song.id, bus.id]);
    assert.deepEqual([(await list())[1].position, (await event.call('GET', at)).status], [2, 404]);
    const { history } = (await event.call('GET', '/history?subject=question')).body;
    assert.deepEqual(
      history.map(({ action }: { action: string }) => action),
      ['deleted', 'changed', 'created', 'created', 'created'],
    );
    const token = await event.server.token('stranger');
    assert.equal((await event.call('GET', '/questions', { token })).status, 403);
    assert.equal((await event.call('POST', '/questions', { token, body: BUS })).status, 404);
    for (let more = 2; more < 20; more += 1) await ask(event, { kind: 'text', text: `שאלה ${more}` });
    assert.equal((await event.call('POST', '/questions', { body: BUS })).status, 409);
  });

  test(`guests answer on their page, and what they answered stays while a question changes, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const bus = await ask(event, BUS);
    const beds = await ask(event, { kind: 'number', text: 'כמה מיטות?', most: 4 });
    const [yes, no] = bus.options;
    const guest = await event.guest({ name: 'Dana', language: 'english' });
    const token = await linkTo(event, guest.id);
    const page = await event.server.call('GET', `/r/${token}`);
    assert.ok(page.text.includes('Bus?') && page.text.includes('כמה מיטות?'), page.text);
    const send = (fields: Record<string, string>) =>
      event.server.call('POST', `/r/${token}`, {
        body: new URLSearchParams({ rsvp_status: 'confirmed', coming: '1', ...fields }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const sent = await send({ [`answers.${bus.id}`]: yes.id, [`answers.${beds.id}`]: '2' });
    assert.equal(sent.status, 303, sent.text);
    assert.deepEqual((await event.read(guest.id)).answers, { [bus.id]: yes.id, [beds.id]: 2 });
    const after = await event.server.call('GET', `/r/${token}`);
    assert.ok(after.text.includes(`value="${yes.id}" lang="he" selected`));
    const large = await send({ [`answers.${beds.id}`]: '5' });
    assert.deepEqual([large.status, large.text.includes('One of the answers')], [400, true]);

    const api = `/api/rsvp/${token}`;
    const { questions } = (await event.server.call('GET', api)).body.event;
    assert.deepEqual(questions[0], {
      id: bus.id,
      kind: 'choice',
      text: 'Bus?',
      most: null,
      options: [
        { id: yes.id, text: 'כן' },
        { id: no.id, text: 'לא' },
      ],
    });
    const answer = (answers: object) =>
      event.server.call('POST', api, { body: { rsvp_status: 'confirmed', answers } });
    assert.deepEqual((await answer({ [bus.id]: no.id })).body.guest.answers, {
      [bus.id]: no.id,
      [beds.id]: 2,
    });
    for (const wrong of [{ [bus.id]: 'x' }, { [beds.id]: -1 }, { nothing: 1 }, { [beds.id]: { a: 1 } }]) {
      assert.equal((await answer(wrong)).status, 400, JSON.stringify(wrong));
    }

    // An option that somebody chose stays; its words may change, and another may go.
    const change = (id: string, body: object) => event.call('PUT', `/questions/${id}`, { body });
    const [left, kept] = [
      { id: yes.id, text: 'כן' },
      { id: no.id, text: 'לא, תודה' },
    ];
    const refused = await change(bus.id, { options: [left, { text: 'אולי' }] });
    assert.deepEqual([refused.status, refused.body.code], [409, 'option_chosen']);
    assert.equal((await change(bus.id, { options: [kept, { text: 'אולי' }] })).status, 200);
    assert.equal((await event.read(guest.id)).answers[bus.id], no.id);

    // What is asked no more keeps its answers, and takes none from guests.
    await change(beds.id, { asked: false });
    assert.equal((await answer({ [beds.id]: 1 })).status, 400);
    const corrected = await event.call('PUT', `/guests/${guest.id}`, { body: { answers: { [beds.id]: 3 } } });
    assert.equal(corrected.body.guest.answers[beds.id], 3, corrected.text);
    await event.call('DELETE', `/questions/${bus.id}`);
    assert.deepEqual((await event.read(guest.id)).answers, { [beds.id]: 3 });
  });

  test(`answers are exported, and asked of who comes by the open link, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const bus = await ask(event, BUS);
    await event.guest({ name: 'דנה', answers: { [bus.id]: bus.options[0].id } });
    const csv = await event.call('GET', '/guests/export');
    assert.match(csv.text, /,שאלה: הסעה מחיפה\?,מזהה\r?\n.*דנה.*,כן,[0-9a-f-]{36}/);
    const again = await event.call('POST', '/guests/import/csv', {
      body: csv.text,
      headers: { 'content-type': 'text/csv' },
    });
    assert.deepEqual(
      [again.body.import.unchanged, again.body.import.ignored_columns.length],
      [1, 0],
      again.text,
    );

    const opened = await event.call('PUT', '/rsvp', { body: { open: true } });
    const path = `/e/${opened.body.settings.slug}`;
    assert.ok((await event.server.call('GET', path)).text.includes('הסעה מחיפה?'));
    const form = new URLSearchParams({
      name: 'שכן',
      phone: '0521112233',
      [`answers.${bus.id}`]: bus.options[1].id,
    });
    const asked = await event.server.call('POST', path, {
      body: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(asked.status, 303, asked.text);
    const [request] = (await event.call('GET', '/guest-requests')).body.requests;
    assert.deepEqual(request.answers, { [bus.id]: bus.options[1].id });
    const accepted = await event.call('POST', `/guest-requests/${request.id}/accept`);
    assert.deepEqual(accepted.body.guest.answers, request.answers, accepted.text);
  });
}
