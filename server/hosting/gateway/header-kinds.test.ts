import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerKind } from './header-kinds.ts';

for (const [name, kind] of [
  ['Accept', 'plain'],
  ['X-Accel-Buffering', 'plain'],
  ['Connection', 'hop-by-hop'],
  ['Transfer-Encoding', 'hop-by-hop'],
  ['TE', 'hop-by-hop'],
  ['Content-Length', 'content-length'],
  ['Host', 'own'],
  ['Proxy-Authorization', 'own'],
  ['Simcha-Passed-On', 'own'],
  ['X-Forwarded-For', 'forwarding'],
  ['X_Forwarded_Proto', 'disguised'],
  ['Content_Length', 'disguised'],
  ['Transfer_Encoding', 'disguised'],
  ['X_Api_Key', 'plain'],
  ['Forwarded', 'forwarding'],
  ['Cookie', 'cookie'],
  ['Set-Cookie', 'set-cookie'],
  ['Authorization', 'authorization'],
  ['Clear-Site-Data', 'forbidden'],
  ['X-Sendfile', 'forbidden'],
] as const) {
  test(`the header ${name} is ${kind} in any case, the first time and again`, () => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase(), name])
      assert.equal(headerKind(written), kind);
  });
}

test('names of any number and length have their kinds', () => {
  for (let i = 0; i < 5_000; i += 1) assert.equal(headerKind(`x-name-${i}`), 'plain');
  assert.equal(headerKind(`x-forwarded-${'x'.repeat(1_000)}`), 'forwarding');
  assert.equal(headerKind('SET-COOKIE'), 'set-cookie');
});
