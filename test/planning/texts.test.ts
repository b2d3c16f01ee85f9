import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type AnswerOfCarrier, SMS_TOKEN, startCarriers } from '../support/carriers.ts';
import { DATABASES_OF_SLOW_TESTS, type DatabaseKind } from '../support/server.ts';
import { until } from '../support/until.ts';
import { newEvent, startEvent, type TestEvent } from './event.ts';

const PUBLIC_URL = 'https://simcha.example.com';
const APP_SECRET = 'the secret of an app';
const VERIFY_TOKEN = 'a token of our own making';

async function startTexting(kind: DatabaseKind, answer?: AnswerOfCarrier, env: Record<string, string> = {}) {
  const carriers = await startCarriers(answer);
  const settings = { WHATSAPP_APP_SECRET: APP_SECRET, WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN, PUBLIC_URL };
  const event = await startEvent(kind, {}, { env: { ...settings, ...carriers.env, ...env } });
  return {
    carriers,
    event,
    async [Symbol.asyncDispose]() {
      await event[Symbol.asyncDispose]();
      await carriers[Symbol.asyncDispose]();
    },
  };
}

async function send(event: TestEvent, body: object): Promise<string> {
  const sent = await event.call('POST', '/rounds', { body });
  assert.equal(sent.status, 202, sent.text);
  return sent.body.round.id;
}

async function settled(event: TestEvent, id: string) {
  await until(async () => (await read(event, id)).state === 'sent', 30_000);
  return read(event, id);
}

async function read(event: TestEvent, id: string) {
  return (await event.call('GET', `/rounds/${id}`)).body.round;
}

/** State of each guest's message, by the guest's name. */
async function deliveries(event: TestEvent, id: string): Promise<Record<string, unknown>> {
  const { guests } = (
    await event.call('GET', `/rounds/${id}/guests`, { headers: { 'accept-language': 'en' } })
  ).body;
  return Object.fromEntries(
    guests.map(({ name, delivery, left_out, problem_code }: Record<string, string | null>) => [
      name,
      left_out ?? problem_code ?? delivery,
    ]),
  );
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`an SMS goes to each mobile number once, with the guest's own link, and the carrier's reports are taken down, on ${kind}`, async () => {
    await using texting = await startTexting(kind, (to, attempt) => {
      if (to.endsWith('11')) return { status: 400, code: 21614 };
      if (to.endsWith('22')) return attempt === 1 ? { status: 429, code: 20429 } : undefined;
      return to.endsWith('33') ? 'broken' : undefined;
    });
    const { carriers, event } = texting;
    const dana = await event.guest({ name: 'דנה', phone: '050-1234500' });
    await event.guest({ name: 'No mobile', phone: '050-1234511', language: 'english' });
    await event.guest({ name: 'Busy', phone: '050-1234522', language: 'english' });
    await event.guest({ name: 'Broken', phone: '050-1234533', language: 'english' });
    await event.guest({ name: 'בבית', phone: '03-5551234' });
    await event.guest({ name: 'דואר', email: 'mail@example.com' });

    const body = { filter: {}, channel: 'sms', message: { hebrew: 'מחכים לכם!' } };
    const preview = (await event.call('POST', '/rounds?dry_run=true', { body })).body.preview;
    assert.deepEqual(
      preview.letters.map(({ language, segments, html }: Record<string, unknown>) => [
        language,
        segments,
        html,
      ]),
      [
        ['english', 4, null],
        ['hebrew', 3, null],
      ],
    );
    assert.deepEqual(carriers.asked, []);

    const id = await send(event, body);
    const round = await settled(event, id);
    assert.deepEqual([round.chosen, round.sent, round.bounced, round.unknown], [4, 2, 1, 1]);
    assert.deepEqual(round.left_out, { no_phone: 1, no_mobile: 1 });
    assert.deepEqual(await deliveries(event, id), {
      דנה: 'sent',
      'No mobile': 'unreachable',
      Busy: 'sent',
      Broken: 'no_answer',
      בבית: 'no_mobile',
      דואר: 'no_phone',
    });
    // Nobody is texted twice: not who may have got it, either.
    assert.deepEqual(
      ['00', '11', '22', '33'].map((end) => carriers.askedOf(`+9725012345${end}`).length),
      [1, 1, 2, 1],
    );

    const [asked] = carriers.askedOf(dana.phone ?? '');
    assert.equal(asked?.authorization, `Basic ${Buffer.from(`AC1:${SMS_TOKEN}`).toString('base64')}`);
    assert.deepEqual([asked.body.To, asked.body.From], ['+972501234500', 'Simcha']);
    assert.match(asked.body.Body, /^שלום דנה,\nשמחים להזמין אתכם: .*\nמחכים לכם!\n/s);
    assert.doesNotMatch(asked.body.Body, /תתנ״ט/, 'each part is paid for');
    const link = new RegExp(`${PUBLIC_URL}(/r/[\\w-]{43})$`).exec(asked.body.Body)?.[1];
    assert.equal((await event.server.call('GET', link ?? '')).status, 200);

    const reportUrl: string = asked.body.StatusCallback;
    assert.ok(reportUrl.startsWith(`${PUBLIC_URL}/reports/sms/`));
    const report = async (url: string, fields: Record<string, string>, token = SMS_TOKEN) => {
      const signed = Object.entries(fields)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .reduce((text, [name, value]) => text + name + value, url);
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': createHmac('sha1', token).update(signed).digest('base64'),
      };
      const path = url.slice(PUBLIC_URL.length);
      return (
        await event.server.call('POST', path, { body: new URLSearchParams(fields).toString(), headers })
      ).status;
    };
    assert.equal(await report(reportUrl, { MessageSid: 'SM1', MessageStatus: 'delivered' }), 204);
    assert.deepEqual([(await read(event, id)).sent, (await read(event, id)).delivered], [2, 1]);
    // What comes late, and what is not the carrier's, changes nothing.
    assert.equal(await report(reportUrl, { MessageStatus: 'sent' }), 204);
    assert.equal(await report(reportUrl, { MessageStatus: 'failed' }, 'another token'), 404);
    assert.equal(await report(`${PUBLIC_URL}/reports/sms/none`, { MessageStatus: 'failed' }), 404);
    assert.equal(await report(reportUrl, { MessageStatus: 'constructor' }), 204);
    assert.equal((await read(event, id)).delivered, 1);
    // Of one that was not known of, the report tells.
    const [broken] = carriers.askedOf('+972501234533');
    const failed = { MessageStatus: 'undelivered', ErrorCode: '30003' };
    assert.equal(await report(broken?.body.StatusCallback, failed), 204);
    assert.equal((await deliveries(event, id)).Broken, 'unreachable');
  });

  test(`WhatsApp goes by the approved template of the kind and the language, and its reports are taken down, on ${kind}`, async () => {
    await using texting = await startTexting(kind, (to, attempt) => {
      if (to.endsWith('11')) return { status: 404, code: 132001 };
      if (to.endsWith('22')) return attempt === 1 ? { status: 400, code: 131056 } : undefined;
      return to.endsWith('33') ? { status: 500, code: 131000 } : undefined;
    });
    const { carriers, event } = texting;
    const dana = await event.guest({ name: 'דנה\tכהן', phone: '050-1234500' });
    await event.guest({ name: 'Untold', phone: '050-1234511', language: 'english' });
    await event.guest({ name: 'Busy', phone: '050-1234522', language: 'arabic' });
    await event.guest({ name: 'Broken', phone: '050-1234533', language: 'english' });

    const body = { filter: {}, channel: 'whatsapp', message: { hebrew: 'מחכים\nלכם!' } };
    const { letters } = (await event.call('POST', '/rounds?dry_run=true', { body })).body.preview;
    const [{ text: hebrew }] = letters.filter(({ language }: { language: string }) => language === 'hebrew');
    assert.match(hebrew, /^שלום דנה.*כהן,\n\nשמחים להזמין אתכם: .*\n\nמתי: .* · איפה: .* · מחכים לכם!\n/);
    const id = await send(event, body);
    const round = await settled(event, id);
    assert.deepEqual([round.sent, round.bounced, round.unknown], [2, 1, 1]);
    assert.deepEqual(await deliveries(event, id), {
      [dana.name]: 'sent',
      Untold: 'template',
      Busy: 'sent',
      Broken: 'no_answer',
    });
    const [asked] = carriers.askedOf(dana.phone ?? '');
    assert.equal(asked?.authorization, 'Bearer access-token');
    const { to, type, template, biz_opaque_callback_data: reported } = asked.body;
    assert.deepEqual(
      [to, type, template.name, template.language],
      ['972501234500', 'template', 'simcha_invitation', { code: 'he' }],
    );
    const [places, button] = template.components;
    assert.deepEqual(
      places.parameters.map(({ parameter_name }: { parameter_name: string }) => parameter_name),
      ['name', 'title', 'details'],
    );
    for (const { text } of places.parameters) assert.doesNotMatch(text, /[\n\t]| {4}|^$/);
    assert.match(places.parameters[2].text, /^מתי: .* · איפה: .* · מחכים לכם!$/);
    const path = `/r/${button.parameters[0].text}`;
    assert.equal((await event.server.call('GET', path)).status, 200);

    const notify = async (statuses: object[], secret = APP_SECRET) => {
      const value = { messaging_product: 'whatsapp', statuses };
      const entry = [{ id: '1', changes: [{ field: 'messages', value }] }];
      const notification = JSON.stringify({ object: 'whatsapp_business_account', entry });
      const signature = createHmac('sha256', secret).update(notification).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${signature}`,
      };
      const answer = await event.server.call('POST', '/reports/whatsapp', { body: notification, headers });
      return answer.status;
    };
    const read_ = { id: 'wamid.1', status: 'read', biz_opaque_callback_data: reported };
    assert.equal(await notify([read_], 'another secret'), 404);
    assert.equal((await read(event, id)).read, 0);
    const delivered = { ...read_, status: 'delivered' };
    assert.equal(await notify([read_, delivered, { status: 'sent' }, { ...read_, status: 'odd' }]), 200);
    assert.deepEqual([(await read(event, id)).read, (await read(event, id)).delivered], [1, 1]);
    const [broken] = carriers.askedOf('+972501234533');
    const failed = { status: 'failed', errors: [{ code: 131026 }] };
    await notify([{ ...failed, biz_opaque_callback_data: broken?.body.biz_opaque_callback_data }]);
    assert.equal((await deliveries(event, id)).Broken, 'unreachable');

    const ask = (token: string) =>
      event.server.call(
        'GET',
        `/reports/whatsapp?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${encodeURIComponent(token)}`,
      );
    assert.equal((await ask(VERIFY_TOKEN)).text, '1158201444');
    assert.equal((await ask('another')).status, 404);
  });

  test(`who gets a place is told by the first channel that reaches them, on ${kind}`, async () => {
    await using texting = await startTexting(kind);
    const { carriers, event } = texting;
    const body = { channels: ['whatsapp', 'mail'] };
    assert.deepEqual((await event.call('PUT', '/notices', { body })).body.notices.channels, body.channels);
    assert.equal((await event.call('PUT', '', { body: { max_guests: 1 } })).status, 200);
    await event.guest({ name: 'א', rsvp_status: 'confirmed' });
    const yes = { rsvp_status: 'confirmed' };
    await event.guest({ name: 'נייד', phone: '0501234500', email: 'mobile@example.com', ...yes });
    await event.guest({ name: 'בבית', phone: '03-5551234', email: 'home@example.com', ...yes });
    await event.guest({ name: 'בלי כלום', ...yes });
    assert.equal((await event.call('PUT', '', { body: { max_guests: 4 } })).status, 200);
    const rounds = async () => (await event.call('GET', '/rounds?automatic=true')).body.rounds;
    await until(async () => (await rounds()).every(({ state }: { state: string }) => state === 'sent'));
    assert.deepEqual(
      (await rounds()).map(({ channel, sent, left_out }: Record<string, unknown>) => [
        channel,
        sent,
        left_out,
      ]),
      [
        ['mail', 1, { no_email: 1 }],
        ['whatsapp', 1, {}],
      ],
    );
    assert.deepEqual(
      carriers.asked.map(({ to, body: asked }) => [to, asked.template.name]),
      [['972501234500', 'simcha_moved_up']],
    );
  });

  test(`texts that no carrier has taken when the event is cancelled are withdrawn, on ${kind}`, async () => {
    const isCancelled = Promise.withResolvers<void>();
    let held = 0;
    let isBusy = true;
    await using texting = await startTexting(kind, async (to) => {
      if (isBusy && to.endsWith('1')) return { status: 429, code: 20429 };
      held += 1;
      await isCancelled.promise;
      return to.endsWith('2') ? undefined : { status: 429, code: 20429 };
    });
    const { carriers, event } = texting;
    for (const n of [1, 2, 3]) await event.guest({ name: `אורח ${n}`, phone: `050-123450${n}` });
    const id = await send(event, { filter: {}, channel: 'sms' });
    const { sql: db } = event.server.simcha.database;
    const statuses = async () => {
      const { rows } = await sql<{ status: string }>`select status from texts order by status`.execute(db);
      return rows.map(({ status }) => status).join(' ');
    };
    await until(async () => held === 2 && (await statuses()) === 'asked asked queued');
    const cancelled = await event.call('PUT', '', { body: { status: 'cancelled' } });
    assert.equal(cancelled.status, 200, cancelled.text);
    isBusy = false;
    isCancelled.resolve();
    await until(async () => {
      const { rows } = await sql`
        select from pgboss.job where name = 'texts' and state <> 'completed'`.execute(db);
      return rows.length === 0;
    });
    const { sent, unknown, left_out } = await read(event, id);
    assert.deepEqual([sent, unknown, left_out], [1, 1, { not_now: 1 }]);
    const by = { 'אורח 1': 'not_now', 'אורח 2': 'sent', 'אורח 3': 'withdrawn' };
    assert.deepEqual(await deliveries(event, id), by);
    assert.equal(carriers.askedOf('972501234503').length, 1);
  });

  test(`no more texts go on an organizer's behalf in a day than the operator allows, on ${kind}`, async () => {
    await using texting = await startTexting(kind, undefined, { TEXTS_PER_DAY: '3' });
    const { carriers, event } = texting;
    for (const end of [1, 2, 3, 4, 5]) await event.guest({ name: `אורח ${end}`, phone: `050-123450${end}` });
    const round = await settled(event, await send(event, { filter: {}, channel: 'sms' }));
    assert.deepEqual([round.sent, round.left_out], [3, { too_many: 2 }]);
    const more = await settled(event, await send(event, { filter: {}, channel: 'whatsapp' }));
    assert.deepEqual([more.chosen, more.left_out], [0, { too_many: 5 }]);
    assert.equal(carriers.asked.length, 3);

    // Who waits in a round is as good as told.
    const invited = async () => (await event.call('GET', '/guests?invited=true')).body.total;
    assert.equal(await invited(), 3);
    await sql`
      update round_guests set status = 'waiting', message_id = null
      where round_id = ${round.id} and status = 'written'`.execute(event.server.simcha.database.sql);
    assert.equal(await invited(), 3);
  });

  test(`a channel without a carrier is refused, and so are words that have no room, on ${kind}`, async () => {
    const event = await newEvent(kind);
    const channels = (await event.call('GET', '/rounds/channels')).body.channels;
    assert.deepEqual(
      channels.map(({ name, open, ours }: Record<string, unknown>) => [name, open, ours]),
      [
        ['mail', true, true],
        ['sms', false, true],
        ['whatsapp', false, true],
        ['by_hand', true, false],
        ['phone', true, false],
      ],
    );
    for (const channel of ['sms', 'whatsapp']) {
      const refused = await event.call('POST', '/rounds', { body: { filter: {}, channel } });
      assert.deepEqual([refused.status, refused.body.code], [409, 'channel_closed']);
      const message = { hebrew: 'א'.repeat(701) };
      const long = await event.call('POST', '/rounds', { body: { filter: {}, channel, message } });
      assert.deepEqual([long.status, long.body.field], [400, 'message']);
    }
  });
}
