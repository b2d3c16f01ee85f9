import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restrictCookie, withoutPlatformCookies } from './cookies.ts';

test('the platform’s cookies are taken out of what a site gets', () => {
  assert.equal(withoutPlatformCookies('a=1; b=2'), 'a=1; b=2');
  assert.equal(withoutPlatformCookies('a=1; simcha_session=x; b=2'), 'a=1; b=2');
  assert.equal(withoutPlatformCookies('__Host-simcha-session=x;SIMCHA_theme=dark'), '');
  assert.equal(withoutPlatformCookies('a=1; __Host-simcha_session=x; b=2'), 'a=1; b=2');
  assert.equal(withoutPlatformCookies('note=simcha_session'), 'note=simcha_session');
});

const ours = ['apps.example.com', 'console.example.com'];
const confined = (cookie: string, host = 'demo.apps.example.com') => restrictCookie(cookie, host, ours);

test('a site’s cookies stay with its own host', () => {
  assert.equal(confined('a=1; Path=/; Secure'), 'a=1; Path=/; Secure');
  assert.equal(
    confined('a=1; Domain=demo.apps.example.com; Path=/'),
    'a=1; Domain=demo.apps.example.com; Path=/',
  );
  for (const domain of [
    'example.com',
    '.example.com',
    'apps.example.com',
    'COM',
    'console.example.com',
    'other.apps.example.com',
  ]) {
    assert.equal(confined(`a=1; domain=${domain}; Path=/`), 'a=1; Path=/', domain);
    assert.equal(confined(`a=1;DOMAIN = ${domain} ;Path=/`), 'a=1;Path=/', domain);
  }
});

test('of two domains a browser takes the last, so each is judged', () => {
  assert.equal(
    confined('a=1; Domain=demo.apps.example.com; Domain=example.com'),
    'a=1; Domain=demo.apps.example.com',
  );
});

test('a custom domain’s cookies may reach its other hosts, but not us', () => {
  assert.equal(confined('a=1; Domain=shop.org', 'www.shop.org'), 'a=1; Domain=shop.org');
  assert.equal(confined('a=1; Domain=example.com', 'shop.example.com'), 'a=1');
});

test('no site sets a cookie in the platform’s name', () => {
  assert.equal(confined('simcha_session=stolen; Path=/'), undefined);
  assert.equal(confined(' __Host-Simcha-session=stolen', 'www.shop.org'), undefined);
  assert.equal(confined('__Host-simcha_session=stolen; Path=/; Secure'), undefined);
  assert.equal(confined('=__Host-simcha_session=stolen; Path=/; Secure'), undefined);
  assert.equal(confined('=simcha_session=stolen'), undefined);
  assert.equal(withoutPlatformCookies('a=1; =simcha_session=x'), 'a=1');
});
