import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodableUrl } from './decodable-url.ts';

test('an address that can be decoded stays as it is, and so does what comes after the path', () => {
  for (const url of ['/', '/a/b?c=%ff', '/%D7%A0?x=%', '/%2F%25', '/a%20b#%zz', '*']) {
    assert.equal(decodableUrl(url), url);
  }
  assert.equal(decodableUrl('/r/%ff/x?a=%ff'), '/r/%25ff/x?a=%ff');
  assert.equal(decodableUrl('/%zz/%'), '/%25zz/%25');
  assert.equal(decodableUrl('/%e2%82'), '/%25e2%2582');
});

test('every path can be decoded, and one that could is left alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('%', 'f', 'e', '2', '8', '0', '/', 'z', '5') }), (path) => {
      assert.doesNotThrow(() => decodeURIComponent(decodableUrl(path)));
      if (canDecode(path)) assert.equal(decodableUrl(path), path);
    }),
  );
});

function canDecode(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
