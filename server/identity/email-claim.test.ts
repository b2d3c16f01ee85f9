import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SignJWT } from 'jose';
import { systemClock } from '../kernel/clock.ts';
import { createTokenReader } from './tokens.ts';

const SECRET = 'a secret for tests that is long enough';
const config = { jwtJwksUrl: undefined, jwtIssuer: undefined, jwtAudience: undefined };
const read = createTokenReader(config, SECRET, systemClock);

async function emailOf(claims: object): Promise<string | undefined> {
  const token = await new SignJWT({ sub: 'me', role: 'organizer', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));
  const caller = await read(token);
  assert.equal(caller?.id, 'me');
  return caller?.email;
}

test('an address counts in small letters, and only where the signer vouches for it', async () => {
  assert.equal(await emailOf({ email: 'Noa@Example.com' }), 'noa@example.com');
  assert.equal(await emailOf({ email: 'noa@example.com', email_verified: true }), 'noa@example.com');
  assert.equal(await emailOf({ email: 'noa@example.com', email_verified: false }), undefined);
  // KELVIN SIGN as the last K: its lower-case letter is ASCII's k.
  for (const email of [
    undefined,
    null,
    7,
    {},
    '',
    'a\0b',
    'noa',
    `${'x'.repeat(300)}@x.co`,
    'נעה@x.co',
    '\u212Aim@x.co',
  ]) {
    assert.equal(await emailOf({ email }), undefined);
  }
});
