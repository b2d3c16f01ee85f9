import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toIsoTime } from './iso-time.ts';

test('an instant as the database writes it becomes the same instant in ISO 8601, in any time zone', () => {
  for (const [written, iso] of [
    ['2026-11-29 17:29:41+00', '2026-11-29T17:29:41.000Z'],
    ['2026-11-29 17:29:41.1+00', '2026-11-29T17:29:41.100Z'],
    ['2026-11-29 17:29:41.123456+00', '2026-11-29T17:29:41.123Z'],
    ['2026-11-29 17:29:41.1+03', '2026-11-29T14:29:41.100Z'],
    ['2026-11-29 17:29:41+05:30', '2026-11-29T11:59:41.000Z'],
    ['0022-05-30 20:19:05+02:20:54', '0022-05-30T17:58:11.000Z'],
    ['12026-05-30 20:19:05+00', '+012026-05-30T20:19:05.000Z'],
    ['0044-03-15 00:00:00+00 BC', '-000043-03-15T00:00:00.000Z'],
  ] as const)
    assert.equal(toIsoTime(written), iso);
});
