import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fontTags, preloadTags } from './first-loads.ts';

const LOADS = [
  { path: '/today', files: ['assets/today.js'], data: ['/api/auth/session'] },
  { path: '/events/:id/guests', files: [], data: ['/api/events/:id/guests?page=1&limit=100'] },
];
const NONE = { data: '', scripts: '' };
const ID = '01a2258e-3366-76ce-9855-b32672bb6854';

const tags = (path: string, { hasQuery = false, hasSession = true } = {}) =>
  preloadTags(LOADS, { path, hasQuery, hasSession }, '/console/');

test('the document names what its page needs first', () => {
  const scripts = '<link rel="modulepreload" crossorigin href="/console/assets/today.js">';
  const data = '<link rel="preload" as="fetch" crossorigin href="/api/auth/session">';
  assert.deepEqual(tags('/today'), { data, scripts });
  assert.equal(
    tags(`/events/${ID}/guests`).data,
    `<link rel="preload" as="fetch" crossorigin href="/api/events/${ID}/guests?page=1&amp;limit=100">`,
  );
  for (const path of ['/', '/nowhere', `/events/${ID}`, '/events/"><b>/guests'])
    assert.deepEqual(tags(path), NONE);
});

test('without a session, or with parameters in the address, no data is loaded early', () => {
  assert.deepEqual(tags(`/events/${ID}/guests`, { hasQuery: true }), NONE);
  assert.deepEqual(tags(`/events/${ID}/guests`, { hasSession: false }), NONE);
  const { data, scripts } = tags('/today', { hasSession: false });
  assert.equal(data, '');
  assert.match(scripts, /^<link rel="modulepreload"[^>]*>$/);
});

test('the document names the fonts of its language', () => {
  assert.equal(
    fontTags(['assets/hebrew.woff2', 'assets/latin.woff2'], '/console/'),
    '<link rel="preload" as="font" type="font/woff2" crossorigin href="/console/assets/hebrew.woff2">' +
      '<link rel="preload" as="font" type="font/woff2" crossorigin href="/console/assets/latin.woff2">',
  );
});
