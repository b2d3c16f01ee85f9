import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newEvent } from './event.ts';

test('a wrong field goes by what it is called there', async () => {
  await using event = await newEvent('postgres');
  const names: [string, string, object, string][] = [
    ['POST', '/rounds', { kind: 'invite', filter: {} }, 'סוג המשלוח (kind): '],
    ['POST', '/questions', { kind: 'invite' }, 'סוג השאלה (kind): '],
    ['POST', '/agenda', { starts_at: 'soon' }, 'תחילה (starts_at): '],
    ['POST', '/bookings', { starts_at: 'soon' }, 'שעת ההתחלה (starts_at): '],
    ['POST', '/guests', { name: 5 }, 'שם (name): '],
    ['PUT', '/invitation', { title: 5 }, 'שם האירוע בהזמנה (title): '],
    ['POST', '/duplicate', { title: 5 }, 'שם האירוע (title): '],
    ['PUT', '', { event_date: 'soon' }, 'מועד האירוע (event_date): '],
  ];
  for (const [method, path, body, begins] of names) {
    const { status, body: said } = await event.call(method, path, { body });
    assert.equal(status, 400);
    assert.ok(said.error.startsWith(begins), said.error);
  }
  const { body } = await event.server.call('POST', '/api/events', {
    token: await event.server.token('me'),
    body: {},
  });
  assert.match(body.error, /^שם האירוע \(title\): /);
});
