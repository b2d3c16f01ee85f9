import assert from 'node:assert/strict';
import { join, sep } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentType } from './content-types.ts';
import { acceptedEncodings } from './encoding.ts';
import { folderAddress, parseSitePath } from './path.ts';
import { parseRange } from './range.ts';

test('a path is read as browsers write it', () => {
  assert.deepEqual(parseSitePath('/'), { segments: [], folder: true });
  assert.deepEqual(parseSitePath('/a/b.html?x=1#y'), { segments: ['a', 'b.html'], folder: false });
  assert.deepEqual(parseSitePath('//a///b/'), { segments: ['a', 'b'], folder: true });
  assert.deepEqual(parseSitePath('/%D7%A9%D7%9E%D7%97%D7%94'), { segments: ['שמחה'], folder: false });
  assert.deepEqual(parseSitePath('/.well-known/security.txt')?.segments, ['.well-known', 'security.txt']);
});

test('a path that leads anywhere else is none', () => {
  for (const target of [
    '/..',
    '/../etc/passwd',
    '/a/../../etc/passwd',
    '/%2e%2e/etc/passwd',
    '/..%2fetc%2fpasswd',
    '/a/%2E%2E%2F%2E%2E/b',
    '/.git/config',
    '/a/.env',
    '/a/.well-known/x',
    '/%00',
    '/a%5c..%5cb',
    '/%',
    '/%zz',
    '/%c0%ae%c0%ae/',
    '*',
    'http://x/',
    `/${'a/'.repeat(600)}`,
  ]) {
    assert.equal(parseSitePath(target), undefined, target);
  }
});

test('whatever is asked for stays inside of the folder', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '%2e',
      '%2E%2e',
      '/',
      '%2f',
      '%5c',
      '\\',
      '%00',
      'a',
      '%252e',
      '?',
      '#',
      '%c0%af',
    ),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const path = parseSitePath(`/${pieces.join('')}`);
      if (!path) return;
      const real = join('/site', ...path.segments);
      assert.ok(real === '/site' || real.startsWith(`/site${sep}`), real);
      assert.ok(!path.segments.some((one) => /^\.(?!well-known$)|[\0\\/]/.test(one)), real);
    }),
    { numRuns: 3_000 },
  );
});

test('a folder’s address never leads to another host', () => {
  assert.equal(folderAddress(['evil.example'], '//evil.example?x=1'), '/evil.example/?x=1');
  assert.equal(folderAddress(['a b', 'ש'], '/a%20b/%D7%A9'), '/a%20b/%D7%A9/');
});

test('a range is what RFC 9110 says', () => {
  for (const [header, expected] of [
    [undefined, 'all'],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=-0', 'none'],
    ['bytes=100-', 'none'],
    ['bytes=99999999999999999999-', 'none'],
    ['bytes=-99999999999999999999', { start: 0, end: 99 }],
    ['bytes=90-99999999999999999999', { start: 90, end: 99 }],
    ['bytes=5-4', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['bytes=-', 'all'],
    ['bytes=a-b', 'all'],
    ['lines=0-1', 'all'],
  ] as const) {
    assert.deepEqual(parseRange(header, 100), expected, String(header));
  }
});

test('a range always lies within the file', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat({ max: 1000 }), (text, from, to, size) => {
      for (const header of [text, `bytes=${from}-${to}`, `bytes=-${to}`, `bytes=${from}-`]) {
        const range = parseRange(header, size);
        if (typeof range === 'string') continue;
        assert.ok(range.start >= 0 && range.start <= range.end && range.end < size, header);
      }
    }),
  );
});

test('an encoding is taken from what the client takes', () => {
  for (const [header, expected] of [
    [undefined, []],
    ['gzip, deflate, br, zstd', ['br', 'gzip']],
    ['gzip', ['gzip']],
    ['br;q=0.1, gzip;q=0.9', ['gzip', 'br']],
    ['br;q=0, gzip', ['gzip']],
    ['*', ['br', 'gzip']],
    ['*;q=0', []],
    ['identity', []],
    ['GZIP;q=1.0', ['gzip']],
  ] as const) {
    assert.deepEqual(acceptedEncodings(header), expected, String(header));
  }
});

test('a file is what the end of its name says', () => {
  assert.deepEqual(contentType('a.HTML'), { type: 'text/html; charset=utf-8', compressible: true });
  assert.deepEqual(contentType('a.svg'), { type: 'image/svg+xml', compressible: true });
  assert.deepEqual(contentType('a.png'), { type: 'image/png', compressible: false });
  assert.deepEqual(contentType('a.constructor'), { type: 'application/octet-stream', compressible: false });
  assert.deepEqual(contentType('LICENSE'), { type: 'application/octet-stream', compressible: false });
});
