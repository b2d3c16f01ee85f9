import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { MOST_TRIES } from '../../server/identity/codes.ts';
import { createOutbox } from '../../server/kernel/mail/outbox.ts';
import { campaign } from '../support/campaign.ts';
import { DATABASES_OF_SLOW_TESTS, postgresDatabase, startServer, waitingForLock } from '../support/server.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { until } from '../support/until.ts';

// An address is registered by its owner and by somebody who only knows it: who ends with a key to it?

const V1 = '/api/v1';
const APPS = `${V1}/applications`;
const somebody = () => `somebody-${randomUUID()}@example.com`;
const withKey = (apiKey: string) => ({ 'x-api-key': apiKey });

type Server = Pick<SharedServer, 'call' | 'dataDir'>;

interface Pair {
  userId: string;
  apiKey: string;
}

async function register({ call }: Server, email: string, headers = {}): Promise<Pair> {
  const { status, body, text } = await call('POST', `${V1}/users/register`, { body: { email }, headers });
  assert.equal(status, 201, text);
  return { userId: body.user_id, apiKey: body.api_key };
}

/**
 * The code in the newest mail to the address for this key, of which there are `count`; only who reads the mailbox has
 * it.
 */
async function codeFor({ dataDir }: Server, email: string, { apiKey }: Pair, count = 1): Promise<string> {
  const hint = apiKey.slice(0, 7);
  let found: string[] = [];
  await until(async () => {
    const mails = await createOutbox(dataDir).newest(2_000);
    found = mails.filter(({ to, text }) => to === email && text.includes(hint)).map(({ text }) => text);
    return found.length >= count;
  }, 20_000);
  return /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(found[0] ?? '')?.[0] ?? '';
}

const verify = ({ call }: Server, body: object, pair?: Pair) =>
  call('POST', `${V1}/users/verify`, { body, headers: pair ? withKey(pair.apiKey) : {} });

const resend = ({ call }: Server, body: object, pair?: Pair) =>
  call('POST', `${V1}/users/verify/resend`, { body, headers: pair ? withKey(pair.apiKey) : {} });

let networks = 0;

/** The same server, each call to it from a network of its own: one network has few mails for an address. */
function fromEverywhere({ call, dataDir }: Server): Server {
  return {
    dataDir,
    call(method, path, { headers, ...options } = {}) {
      networks += 1;
      const address = `198.19.${networks >> 8}.${networks & 255}`;
      return call(method, path, { ...options, headers: { 'x-forwarded-for': address, ...headers } });
    },
  };
}

/** Signs in with the code of the mail that comes next. */
async function signIn({ call, dataDir }: Server, email: string) {
  const signInMails = async () =>
    (await createOutbox(dataDir).newest(2_000)).filter(
      ({ to, subject }) => to === email && /sign-in/.test(subject),
    );
  const before = (await signInMails()).length;
  const headers = { 'accept-language': 'en' };
  await call('POST', '/api/auth/code', { body: { email }, headers });
  let code = '';
  await until(async () => {
    const mails = await signInMails();
    code = /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(mails[0]?.text ?? '')?.[0] ?? '';
    return mails.length > before;
  }, 20_000);
  const { status, body, text } = await call('POST', '/api/auth/token', { body: { email, code } });
  assert.equal(status, 200, text);
  return body as { token: string; user: { user_id: string } };
}

/** What a key opens: nothing, an account that waits, or the verified one. */
async function opens({ call }: Server, { apiKey }: { apiKey: string }) {
  const { status, body } = await call('GET', `${V1}/users/me`, { headers: withKey(apiKey) });
  if (status === 401) return 'nothing';
  assert.equal(status, 200);
  return body.verified ? 'verified' : 'waiting';
}

async function addKey({ call }: Server, { apiKey }: { apiKey: string }): Promise<{ apiKey: string }> {
  const made = await call('POST', `${V1}/users/me/tokens`, {
    headers: withKey(apiKey),
    body: { name: 'more' },
  });
  assert.equal(made.status, 201, made.text);
  return { apiKey: made.body.token };
}

async function addApplication({ call }: Server, { apiKey }: { apiKey: string }): Promise<string> {
  const body = { name: 'site', repository: 'https://git.example/site.git' };
  const made = await call('POST', APPS, { headers: withKey(apiKey), body });
  assert.equal(made.status, 201, made.text);
  return made.body.application_uuid;
}

const statusOf = async ({ call }: Server, uuid: string, credential: { token: string } | { apiKey: string }) =>
  (
    await call(
      'GET',
      `${APPS}/${uuid}`,
      'token' in credential ? credential : { headers: withKey(credential.apiKey) },
    )
  ).status;

for (const kind of DATABASES_OF_SLOW_TESTS) {
  describe(`two register one address, on ${kind}`, () => {
    test('a code verifies the key it was made with, whichever came first, and ends the other', async () => {
      await using server = await sharedServer(kind);
      const ways = [
        () => ({}),
        (email: string) => ({ email }),
        (_: string, { userId }: Pair) => ({ user_id: userId }),
      ];
      for (const [index, way] of ways.entries()) {
        const email = somebody();
        const pairs = [await register(server, email), await register(server, email)] as const;
        const [own, other] = index % 2 ? pairs : [pairs[1], pairs[0]];
        const otherCode = await codeFor(server, email, other);
        const code = await codeFor(server, email, own);
        // Nobody can say whether who reads the mail holds the key; the code stays good.
        const alone = await verify(server, { code, ...way(email, own) });
        assert.deepEqual([alone.status, alone.body.code], [400, 'key_of_code']);
        assert.match(alone.body.error, /X-API-Key/);
        assert.deepEqual([await opens(server, own), await opens(server, other)], ['waiting', 'waiting']);
        const verified = await verify(server, { code, ...way(email, own) }, own);
        assert.deepEqual(
          [verified.status, verified.body],
          [200, { user_id: own.userId, email, verified: true }],
        );
        assert.deepEqual([await opens(server, own), await opens(server, other)], ['verified', 'nothing']);
        assert.equal((await verify(server, { code: otherCode })).status, 400);
      }
    });

    test('with a key, the code of another one is wrong', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const own = await register(server, email);
      const squatter = await register(server, email);
      const theirs = await codeFor(server, email, squatter);
      for (const about of [{}, { email }, { user_id: own.userId }]) {
        const { status, body } = await verify(server, { code: theirs, ...about }, own);
        assert.deepEqual([status, body.code], [400, 'wrong_code']);
      }
      assert.equal((await verify(server, { code: await codeFor(server, email, own) }, own)).status, 200);
      assert.deepEqual([await opens(server, own), await opens(server, squatter)], ['verified', 'nothing']);
    });

    test('a foreign code is of no use to its key, whatever the owner of the mailbox does with it', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const own = await register(server, email);
      const squatter = await register(server, email);
      // The newest mail, as the owner takes it to be theirs.
      const theirs = await codeFor(server, email, squatter);
      for (const pair of [undefined, own]) {
        assert.equal((await verify(server, { code: theirs, email }, pair)).status, 400);
      }
      assert.equal(await opens(server, squatter), 'waiting');
      // A wrong code says no more of an address that is registered twice than of any other.
      const guessed = await verify(server, { code: 'WRNG-WRNG', email });
      assert.deepEqual([guessed.status, guessed.body.code], [400, 'wrong_code']);
    });

    test('a key that was verified lives on, with those made later', async () => {
      await using server = await sharedServer(kind);
      for (const isDisputed of [false, true]) {
        const email = somebody();
        if (isDisputed) await register(server, email);
        const own = await register(server, email);
        const code = await codeFor(server, email, own);
        const early = await addKey(server, own);
        assert.equal((await verify(server, { code }, isDisputed ? own : undefined)).status, 200);
        const late = await addKey(server, own);
        await signIn(server, email);
        for (const key of [own, early, late]) assert.equal(await opens(server, key), 'verified');
        const again = await server.call('POST', `${V1}/users/register`, { body: { email } });
        assert.deepEqual([again.status, again.body.code], [409, 'already_registered']);
      }
    });

    test('the first sign-in ends every registration, and keeps nothing that several made', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const own = await register(server, email);
      const squatter = await register(server, email);
      const code = await codeFor(server, email, squatter);
      const site = await addApplication(server, squatter);
      const { token, user } = await signIn(server, email);
      assert.equal(user.user_id, own.userId);
      assert.deepEqual([await opens(server, own), await opens(server, squatter)], ['nothing', 'nothing']);
      for (const about of [{}, { email }]) {
        assert.equal((await verify(server, { code, ...about })).status, 400);
      }
      assert.equal(await statusOf(server, site, { token }), 404);
      assert.equal((await server.call('GET', APPS, { token })).body.total, 0);
      assert.equal((await server.call('GET', `${V1}/users/me`, { token })).body.user_id, own.userId);
    });

    test('what a registration made is its own, and goes with it', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const own = await register(server, email);
      const squatter = await register(server, email);
      const [mine, theirs] = [await addApplication(server, own), await addApplication(server, squatter)];
      assert.equal(await statusOf(server, theirs, own), 403);
      assert.equal(await statusOf(server, mine, squatter), 403);
      const listed = await server.call('GET', APPS, { headers: withKey(own.apiKey) });
      assert.equal(listed.body.total, 1);
      await verify(server, { code: await codeFor(server, email, own) }, own);
      assert.deepEqual([await statusOf(server, mine, own), await statusOf(server, theirs, own)], [200, 404]);
      assert.equal(
        (await server.call('GET', APPS, { headers: withKey(own.apiKey) })).body.applications[0]
          .application_uuid,
        mine,
      );
    });

    test('an Idempotency-Key of one registration never gives the answer of another', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const pairs = [await register(server, email), await register(server, email)];
      const made = [];
      for (const { apiKey } of pairs) {
        const headers = { ...withKey(apiKey), 'idempotency-key': 'the-same' };
        made.push(await server.call('POST', `${V1}/users/me/tokens`, { headers, body: { name: 'CI' } }));
      }
      assert.deepEqual(
        made.map(({ status }) => status),
        [201, 201],
      );
      assert.notEqual(made[0]?.body.token, made[1]?.body.token);
    });

    test('another code is for the caller’s own key, whose last three are good', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const own = await register(server, email);
      const squatter = await register(server, email);
      const first = await codeFor(server, email, own);
      for (let mails = 1; mails < 4; mails += 1) {
        assert.equal((await resend(server, {}, own)).status, 202);
        await codeFor(server, email, own, mails + 1);
      }
      const all = (await createOutbox(server.dataDir).newest(2_000))
        .filter(({ to, text }) => to === email && text.includes(own.apiKey.slice(0, 7)))
        .map(({ text }) => /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text)?.[0]);
      assert.equal(all.length, 4);
      const second = all[2];
      assert.equal((await verify(server, { code: first }, own)).status, 400);
      assert.equal((await verify(server, { code: second }, squatter)).status, 400);
      assert.equal((await verify(server, { code: second }, own)).status, 200);
    });

    test('without a key another code is mailed where one registration waits, and none where several do', async () => {
      await using shared = await sharedServer(kind);
      const server = fromEverywhere(shared);
      const email = somebody();
      const own = await register(server, email);
      assert.equal((await resend(server, { email: email.toUpperCase() })).status, 202);
      await codeFor(server, email, own, 2);
      assert.equal((await resend(server, { user_id: own.userId })).status, 202);
      await codeFor(server, email, own, 3);
      const squatter = await register(server, email);
      const elsewhere = await register(server, somebody());
      for (const [about, pair] of [
        [{ email }, undefined],
        [{ user_id: own.userId }, undefined],
        [{ email }, elsewhere],
      ] as const) {
        assert.equal((await resend(server, about, pair)).status, 202);
      }
      // What those had mailed would have been asked for before this.
      await resend(server, { email }, squatter);
      await codeFor(server, email, squatter, 2);
      const mails = (await createOutbox(server.dataDir).newest(2_000)).filter(({ to }) => to === email);
      assert.equal(mails.length, 5);
    });

    test('wrong tries end the codes of the registration that makes them, and of no other', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const own = await register(server, email);
      const squatter = await register(server, email);
      const code = await codeFor(server, email, own);
      for (let i = 0; i < 5; i += 1) {
        assert.equal((await verify(server, { code: `WRNG-${2222 + i}`, email }, squatter)).status, 400);
      }
      assert.equal((await verify(server, { code: 'WRNG-2222', email }, squatter)).status, 429);
      assert.equal((await verify(server, { code, email }, own)).status, 200);
    });

    test('of sixty-one registrations that wait, the one that asked for a code longest ago goes', async () => {
      let now = Temporal.Now.instant();
      await using server = await startServer(kind, {
        clock: () => now,
        env: { TRUSTED_PROXIES: '127.0.0.0/8' },
      });
      const email = somebody();
      const pairs: Pair[] = [];
      for (let i = 0; i < 60; i += 1) {
        pairs.push(await register(server, email, { 'x-forwarded-for': `192.0.2.${i + 1}` }));
        now = now.add({ seconds: 31 });
      }
      const [first, second, third] = pairs as [Pair, Pair, Pair];
      assert.equal(await opens(server, first), 'waiting');
      await resend(server, {}, first);
      now = now.add({ seconds: 31 });
      const last = await register(server, email);
      assert.equal(await opens(server, second), 'nothing');
      for (const pair of [first, third, last]) assert.equal(await opens(server, pair), 'waiting');
      const code = await codeFor(server, email, first, 2);
      assert.equal((await verify(server, { code }, first)).status, 200);
      for (const pair of pairs.slice(1)) assert.equal(await opens(server, pair), 'nothing');
    });

    test('whatever two parties do in whatever order, nothing but the keys of the one that was verified opens the account', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(...STEPS), { minLength: 6, maxLength: 16, size: 'max' }),
          async (steps) => {
            await using server = await sharedServer(kind);
            await play(fromEverywhere(server), steps);
          },
        ),
        // Most on the quicker one.
        { numRuns: campaign(kind === 'postgres' ? 20 : 5, 200), endOnFailure: true },
      );
    });
  });
}

test('a key or an application that is being made when its registration ends is refused', async () => {
  const database = await postgresDatabase('simcha_template');
  try {
    await using server = await startServer('postgres', { env: { DATABASE_URL: database.url } });
    const ended = [
      { path: `${V1}/users/me/tokens`, body: { name: 'late' } },
      { path: APPS, body: { name: 'late', repository: 'https://git.example/site.git' } },
    ];
    for (const { path, body } of ended) {
      const { apiKey } = await register(server, somebody());
      const waiting = await server.simcha.database.sql.transaction().execute(async (transaction) => {
        await sql`delete from users where not verified`.execute(transaction);
        const asked = server.call('POST', path, { headers: withKey(apiKey), body });
        await until(async () => (await waitingForLock(database.url)) > 0);
        return { asked };
      });
      const { status, body: said } = await waiting.asked;
      assert.deepEqual([status, said.code], [401, 'unauthorized']);
    }
  } finally {
    await database.drop();
  }
});

type Party = 'owner' | 'squatter';
const party = fc.constantFrom<Party>('owner', 'squatter');

type Step =
  | { does: 'register'; who: Party }
  | { does: 'resend'; who: Party }
  | { does: 'add a key'; who: Party }
  | { does: 'add an application'; who: Party }
  /** By the owner, who alone reads the mail: a code of their own, or by mistake one of the squatter's. */
  | { does: 'verify'; whose: Party; about: 'nothing' | 'email' | 'user_id' | 'own key' }
  | { does: 'sign in' };

const STEPS: fc.WeightedArbitrary<Step>[] = [
  { weight: 4, arbitrary: fc.record({ does: fc.constant('register' as const), who: party }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('resend' as const), who: party }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('add a key' as const), who: party }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('add an application' as const), who: party }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('verify' as const),
      whose: party,
      about: fc.constantFrom('nothing' as const, 'email' as const, 'user_id' as const, 'own key' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('sign in' as const) }) },
];

/** What somebody registered, and what should have become of it. */
interface Account {
  who: Party;
  pair: Pair;
  mails: number;
  wrongTries: number;
  keys: { apiKey: string }[];
  applications: string[];
}

/** Plays the steps, keeps a model of what each should lead to, and compares at the end. */
async function play(server: Server, steps: readonly Step[]): Promise<void> {
  const email = somebody();
  const allKeys: { apiKey: string }[] = [];
  const allApplications: string[] = [];
  let waiting: Account[] = [];
  let verified: (Pick<Account, 'keys' | 'applications'> & { who?: Party }) | undefined;
  let userId: string | undefined;
  let token: string | undefined;
  const newest = (who: Party) => waiting.findLast((one) => one.who === who);
  const keysOf = (who: Party) => newest(who)?.keys ?? (verified?.who === who ? verified.keys : []);

  for (const step of steps) {
    if (step.does === 'register') {
      const answer = await server.call('POST', `${V1}/users/register`, { body: { email } });
      assert.equal(answer.status, verified ? 409 : 201);
      if (verified) continue;
      const pair = { userId: answer.body.user_id, apiKey: answer.body.api_key };
      userId ??= pair.userId;
      assert.equal(pair.userId, userId);
      allKeys.push(pair);
      waiting.push({ who: step.who, pair, mails: 1, wrongTries: 0, keys: [pair], applications: [] });
    } else if (step.does === 'resend') {
      const account = newest(step.who);
      if (!account) continue;
      await resend(server, {}, account.pair);
      account.mails += 1;
    } else if (step.does === 'add a key') {
      const keys = keysOf(step.who);
      if (!keys[0]) continue;
      const key = await addKey(server, keys[0]);
      keys.push(key);
      allKeys.push(key);
    } else if (step.does === 'add an application') {
      const [key] = keysOf(step.who);
      if (!key) continue;
      const application = await addApplication(server, key);
      (newest(step.who) ?? verified)?.applications.push(application);
      allApplications.push(application);
    } else if (step.does === 'verify') {
      const account = newest(step.whose);
      const own = newest('owner');
      // Whoever never registered has nothing to enter a code for.
      if (!account || !own || own.wrongTries === MOST_TRIES.handle - 1) continue;
      const code = await codeFor(server, email, account.pair, account.mails);
      const shown = step.about === 'own key' ? own.pair : undefined;
      const about =
        step.about === 'email' ? { email } : step.about === 'user_id' ? { user_id: own.pair.userId } : {};
      const answer = await verify(server, { code, ...about }, shown);
      const isRight = shown ? account === own : waiting.length === 1;
      assert.equal(answer.status, isRight ? 200 : 400, answer.text);
      if (!isRight) {
        if (shown) own.wrongTries += 1;
        continue;
      }
      const { who, keys, applications } = account;
      verified = { who, keys, applications };
      waiting = [];
    } else {
      const signedIn = await signIn(server, email);
      token = signedIn.token;
      userId ??= signedIn.user.user_id;
      assert.equal(signedIn.user.user_id, userId);
      const sole = waiting.length === 1 ? waiting[0] : undefined;
      verified ??= { keys: [], applications: sole?.applications ?? [] };
      waiting = [];
    }
  }

  const waitingKeys = waiting.flatMap(({ keys }) => keys);
  for (const key of allKeys) {
    const should = verified?.keys.includes(key)
      ? 'verified'
      : waitingKeys.includes(key)
        ? 'waiting'
        : 'nothing';
    assert.equal(await opens(server, key), should, JSON.stringify(steps));
  }
  const left = [...waiting.flatMap(({ applications }) => applications), ...(verified?.applications ?? [])];
  for (const uuid of allApplications) {
    const status = await statusOf(server, uuid, { apiKey: `sk_${'A'.repeat(43)}` });
    assert.equal(status, left.includes(uuid) ? 403 : 404, JSON.stringify(steps));
  }
  if (token && verified) {
    const { body } = await server.call('GET', APPS, { token });
    assert.equal(body.total, verified.applications.length);
  }
  // The owner's last word: after it, nothing that a squatter was ever given opens anything.
  await signIn(server, email);
  for (const key of waitingKeys) assert.equal(await opens(server, key), 'nothing', JSON.stringify(steps));
}
