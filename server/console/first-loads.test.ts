import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preloadTags } from './first-loads.ts';

const LOADS = [
  { path: '/today', files: ['assets/today.js'], data: ['/api/auth/session'] },
  { path: '/events/:id/guests', files: [], data: ['/api/events/:id/guests?page=1&limit=100'] },
];
const ID = '01a2258e-3366-76ce-9855-b32672bb6854';

const tags = (path: string, { hasQuery = false, hasSession = true } = {}) =>
  preloadTags(LOADS, { path, hasQuery, hasSession }, '/console/');

test('the document names what its page needs first', () => {
  const script = '<link rel="modulepreload" crossorigin href="/console/assets/today.js">';
  const data = '<link rel="preload" as="fetch" crossorigin href="/api/auth/session">';
  assert.equal(tags('/today'), data + script);
  assert.equal(
    tags(`/events/${ID}/guests`),
    `<link rel="preload" as="fetch" crossorigin href="/api/events/${ID}/guests?page=1&amp;limit=100">`,
  );
  for (const path of ['/', '/nowhere', `/events/${ID}`, '/events/"><b>/guests']) assert.equal(tags(path), '');
});

test('without a session, or with parameters in the address, no data is loaded early', () => {
  assert.equal(tags(`/events/${ID}/guests`, { hasQuery: true }), '');
  assert.equal(tags(`/events/${ID}/guests`, { hasSession: false }), '');
  assert.match(tags('/today', { hasSession: false }), /^<link rel="modulepreload"[^>]*>$/);
});
