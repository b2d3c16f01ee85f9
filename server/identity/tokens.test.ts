import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { systemClock } from '../kernel/clock.ts';
import { createTokenReader, IdentityProviderAway, signToken } from './tokens.ts';

const SECRET = 'a secret for tests that is long enough';
const own = { jwtJwksUrl: undefined, jwtIssuer: undefined, jwtAudience: undefined };
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('tokens of our own', () => {
  const read = createTokenReader(own, SECRET, systemClock);
  const signed = (claims: object, key = SECRET, alg = 'HS256') =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));

  test('stand for their sub and role', async () => {
    assert.deepEqual(
      await read(await signToken(SECRET, { id: 'דנה@example.com', role: 'organizer' }, '1h')),
      {
        id: 'דנה@example.com',
        role: 'organizer',
      },
    );
    assert.deepEqual(await read(await signed({ sub: 'me' })), { id: 'me', role: '' });
    assert.deepEqual(await read(await signed({ sub: 'me', role: ['organizer'] })), { id: 'me', role: '' });
  });

  test('stand for nobody when expired, not yet valid, wrongly signed, unsigned or malformed', async () => {
    const now = Math.floor(Date.now() / 1000);
    const good = await signed({ sub: 'me' });
    const wrong = [
      await signed({ sub: 'me', exp: now - 1 }),
      await signed({ sub: 'me', nbf: now + 60 }),
      await signed({ sub: 'me', exp: 'tomorrow' }),
      await signed({ sub: 'me' }, 'another secret'),
      await signed({ sub: 'me' }, SECRET, 'HS512'),
      `${encode({ alg: 'none' })}.${encode({ sub: 'me', role: 'organizer' })}.`,
      `${encode({ alg: 'none' })}.${encode({ sub: 'me' })}.${good.split('.')[2]}`,
      `${good}x`,
      good.slice(0, -2),
      'a.b.c',
      '..',
      'nonsense',
    ];
    for (const token of wrong) assert.equal(await read(token), undefined, token);
  });

  test('need a sub that is text we can keep', async () => {
    for (const sub of ['', 'a'.repeat(256), 'a\0b', '\ud800', 5, null]) {
      assert.equal(await read(await signed({ sub })), undefined, JSON.stringify(sub));
    }
    assert.ok(await read(await signed({ sub: 'a'.repeat(255) })));
  });

  test('stop standing for anybody the moment they expire, however often they were used', async () => {
    let now = Temporal.Now.instant();
    const readThen = createTokenReader(own, SECRET, () => now);
    const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '30s');
    for (let second = 0; second < 29; second++) {
      assert.ok(await readThen(token), `second ${second}`);
      now = now.add({ seconds: 1 });
    }
    now = now.add({ seconds: 2 });
    assert.equal(await readThen(token), undefined);
  });

  test('of RS256 stand for nobody where no provider is set', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const token = await new SignJWT({ sub: 'me' }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    assert.equal(await read(token), undefined);
  });
});

describe('tokens of an outside provider', () => {
  let keys: JWK[] = [];
  let asked = 0;
  let up = true;
  const provider = createServer((_request, response) => {
    asked += 1;
    response.writeHead(up ? 200 : 500, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
  });
  let url = '';
  before(async () => {
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(provider.address() as { port: number }).port}/jwks`;
  });
  after(() => provider.close());

  const config = () => ({ jwtJwksUrl: url, jwtIssuer: 'https://id.example.com', jwtAudience: 'simcha' });
  const newKey = async (alg: string, kid?: string) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), alg, ...(kid && { kid }), use: 'sig' };
    const sign = (claims: object = {}) =>
      new SignJWT({
        sub: 'dana',
        role: 'organizer',
        iss: 'https://id.example.com',
        aud: 'simcha',
        exp: Math.floor(Date.now() / 1000) + 60,
        ...claims,
      })
        .setProtectedHeader({ alg, ...(kid && { kid }) })
        .sign(privateKey);
    return { jwk, sign };
  };

  test('are read with RS256, ES256 and EdDSA, and the keys are fetched once', async () => {
    const pairs = await Promise.all([newKey('RS256', 'r'), newKey('ES256', 'e'), newKey('EdDSA', 'd')]);
    keys = pairs.map(({ jwk }) => jwk);
    const read = createTokenReader(config(), SECRET, systemClock);
    asked = 0;
    for (const { sign } of pairs)
      assert.deepEqual(await read(await sign()), { id: 'dana', role: 'organizer' });
    assert.equal(asked, 1);
    assert.ok(
      await read(await signToken(SECRET, { id: 'me', role: 'organizer' }, '1h')),
      'our own still work',
    );
  });

  test('need the right issuer and audience, an expiry ahead, and a known key', async () => {
    const [known, unknown] = await Promise.all([newKey('ES256', 'k'), newKey('ES256', 'k2')]);
    keys = [known.jwk];
    const read = createTokenReader(config(), SECRET, systemClock);
    assert.ok(await read(await known.sign()));
    for (const claims of [
      { iss: 'https://evil.example' },
      { aud: 'other' },
      { exp: 1 },
      { exp: undefined },
      { sub: '' },
    ]) {
      assert.equal(await read(await known.sign(claims)), undefined, JSON.stringify(claims));
    }
    assert.equal(await read(await unknown.sign()), undefined);
  });

  test('are told apart by the signature where several keys fit', async () => {
    const pairs = await Promise.all([newKey('RS256'), newKey('RS256')]);
    keys = pairs.map(({ jwk }) => jwk);
    const read = createTokenReader(config(), SECRET, systemClock);
    for (const { sign } of pairs) assert.ok(await read(await sign()));
  });

  test('a public key is never taken for a secret', async () => {
    const { jwk } = await newKey('RS256', 'r');
    keys = [jwk];
    const read = createTokenReader(config(), SECRET, systemClock);
    const forged = await new SignJWT({ sub: 'dana', iss: 'https://id.example.com', aud: 'simcha' })
      .setProtectedHeader({ alg: 'HS256', kid: 'r' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(JSON.stringify(jwk)));
    assert.equal(await read(forged), undefined);
  });

  test('that can’t be checked because the provider is away say so', async () => {
    const { sign } = await newKey('ES256', 'k');
    up = false;
    const read = createTokenReader(config(), SECRET, systemClock);
    await assert.rejects(read(await sign()), IdentityProviderAway);
    up = true;
  });
});
