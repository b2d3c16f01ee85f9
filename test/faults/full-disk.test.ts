import assert from 'node:assert/strict';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { createClient } from '../support/client.ts';
import { newApplication, verifiedUser, versionSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { keepLedger } from '../support/ledger.ts';
import { codeTo } from '../support/outbox.ts';
import { spawnReadyServer } from '../support/process.ts';
import { readiness } from '../support/readiness.ts';
import { mostly, SECRET, temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';

const BODY = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };

/** Takes all the room that is left, to the last page. */
async function fill(path: string): Promise<void> {
  await using file = await open(path, 'w');
  for (const size of [2 ** 20, 2 ** 12]) {
    const piece = Buffer.alloc(size);
    for (let isFull = false; !isFull; ) {
      await file.write(piece).catch((error) => {
        assert.equal(error.code, 'ENOSPC');
        isFull = true;
      });
    }
  }
}

const SETTINGS = { JWT_SECRET: SECRET, RATE_LIMIT: '1000000', APPS_GIT_PROTOCOLS: 'file' };
const skip = process.getuid?.() !== 0 && 'only root can mount a disk';

// The embedded database lies on the disk that fills up, which is the harder case.
for (const kind of mostly('embedded')) {
  test(`a full disk costs what needs room alone, until there is some again (${kind})`, {
    skip,
  }, async () => {
    await using database = await temporaryDatabase(kind);
    await using repository = await createRepository(versionSite('v'));
    const server = await spawnReadyServer({ ...database.env, ...SETTINGS }, { disk: '320m' });
    try {
      /** The disk, which the server alone has mounted. */
      const disk = join(`/proc/${server.child.pid}/root`, database.env.DATA_DIR);
      const call = createClient(server.url, {
        token: await signToken(SECRET, { id: 'me', role: 'organizer' }, '1d'),
      });
      const register = (email: string) => call('POST', '/api/v1/users/register', { body: { email } });
      const user = await verifiedUser(server.url, disk);
      const app = await newApplication(user.call, server.url, repository.address);
      await app.deploy();
      const { body } = await call('POST', '/api/events', { body: BODY });
      const ledger = keepLedger(call, [503, 507]);
      await until(() => ledger.acknowledged() > 20);

      await fill(join(disk, 'filler'));
      await repository.commit({ 'large.txt': 'x'.repeat(2 ** 20) });
      const before = ledger.acknowledged();
      await until(() => (kind === 'embedded' ? ledger.refused() > 100 : ledger.acknowledged() > before + 20));
      // A page of a table that has room yet takes it.
      const registered = await register('dana@example.com');
      assert.ok([201, 503, 507].includes(registered.status), registered.text);
      if (kind === 'postgres')
        assert.equal((await app.expect(await app.ask(), 'failed')).reason_code, 'no_room');
      assert.equal((await call('GET', `/api/events/${body.event.id}`)).status, 200);
      assert.deepEqual(await app.visit(), { status: 200, text: 'v ' });
      assert.equal(await readiness(server.url), 200);

      await rm(join(disk, 'filler'));
      const full = ledger.acknowledged();
      await until(() => ledger.acknowledged() > full + 20);
      await ledger.stop();
      await ledger.check();
      if (registered.status !== 201) assert.equal((await register('dana@example.com')).status, 201);
      await codeTo(disk, 'dana@example.com');
      await app.deploy();
      assert.equal(server.child.exitCode, null);
      assert.deepEqual(await app.visit(), { status: 200, text: 'v ' });
      server.child.kill('SIGTERM');
      assert.equal(await server.ended, 0);
    } finally {
      server.child.kill('SIGKILL');
      await server.ended;
    }
  });
}
