import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cookiesNamed, platformCookie } from './cookies.ts';

const NAME = 'simcha_session';

test('a cookie is found by its whole name, however the header is written', () => {
  const found: [string | undefined, string[]][] = [
    [undefined, []],
    ['', []],
    [';;; ;', []],
    ['simcha_session=a', ['a']],
    ['x=1;simcha_session=a;y=2', ['a']],
    ['  simcha_session =\ta ; ', ['a']],
    ['simcha_session=a=b==', ['a=b==']],
    ['simcha_session=', ['']],
    ['simcha_session', ['']],
    ['simcha_session="a"', ['"a"']],
    ['simcha_session=a; simcha_session=b', ['a', 'b']],
    ['simcha_session=a; simcha_session=a', ['a', 'a']],
    // Header that a browser sends for a cookie without a name and with the value `simcha_session`.
    ['simcha_session=a; simcha_session', ['a', '']],
    ['__Host-simcha_session=a', []],
    ['Simcha_Session=a', []],
    ['simcha_sessions=a; xsimcha_session=b; x=simcha_session=c', []],
    ['x="; simcha_session=a', ['a']],
  ];
  for (const [header, values] of found) assert.deepEqual(cookiesNamed(header, NAME), values, String(header));
});

test('of any cookies around it, ours alone is found, each time it is there', () => {
  const text = fc.string({ unit: 'binary-ascii' }).map((one) => one.replaceAll(';', ''));
  const others = fc
    .array(fc.tuple(text, text))
    .map((all) => all.filter(([name]) => (name.split('=', 1)[0] ?? '').trim() !== NAME))
    .map((all) => all.map(([name, value]) => ({ pair: `${name}=${value}`, value: undefined })));
  const ours = fc.array(fc.stringMatching(/^[\w.-]{0,50}$/), { maxLength: 3 });
  const mine = ours.map((all) => all.map((value) => ({ pair: `${NAME}=${value}`, value })));
  const header = fc
    .tuple(others, mine)
    .chain(([some, more]) =>
      fc.shuffledSubarray([...some, ...more], { minLength: some.length + more.length }),
    );
  fc.assert(
    fc.property(header, (pairs) => {
      const values = pairs.flatMap(({ value }) => (value === undefined ? [] : [value]));
      assert.deepEqual(cookiesNamed(pairs.map(({ pair }) => pair).join('; '), NAME), values);
    }),
  );
});

test('a cookie of ours is for this host and no script, and where there is TLS for nothing else', () => {
  const plain = platformCookie('session', { publicUrl: 'http://localhost:3000' });
  assert.equal(plain.setHeader('x', 60), 'simcha_session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax');
  const secure = platformCookie('session', { publicUrl: 'https://simcha.example.com' });
  assert.equal(
    secure.setHeader('x', 60),
    '__Host-simcha_session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  );
  assert.equal(
    secure.clearHeader,
    '__Host-simcha_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  );
});
