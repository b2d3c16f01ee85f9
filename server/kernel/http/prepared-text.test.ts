import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codingFor, matchesEntityTag } from './prepared-text.ts';

test('the best coding is chosen of those that the client takes', () => {
  for (const [accepted, coding] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['deflate, *', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['BR;q=0.2, gzip', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.000, gzip; q=0', 'identity'],
    ['brotli', 'identity'],
  ] as const) {
    assert.equal(codingFor(accepted), coding, String(accepted));
  }
});

test('a tag is known weakly, alone or among others', () => {
  const tag = 'W/"abc"';
  for (const given of ['W/"abc"', '"abc"', '"x", W/"abc"', ' * '])
    assert.ok(matchesEntityTag(tag, given), given);
  for (const given of [undefined, '', 'abc', '"ab"', 'W/"abcd", "x"'])
    assert.ok(!matchesEntityTag(tag, given));
});
