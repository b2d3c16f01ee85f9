import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../server/kernel/config.ts';
import { isUnavailable } from '../../server/kernel/database/database.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { migrations } from '../../server/migrations/migrations.ts';
import { temporaryDatabase } from '../support/server.ts';

test('what a deadlock undid is worth another try', async () => {
  await using place = await temporaryDatabase('postgres');
  const {
    sql: db,
    prepare,
    close,
  } = openDatabase(readConfig(place.env), migrations, pino({ level: 'silent' }));
  await prepare();
  try {
    const firsts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = await Promise.allSettled(
      [1, 2].map((own) =>
        db.transaction().execute(async (transaction) => {
          const lock = (one: number) => sql`select pg_advisory_xact_lock(${one})`.execute(transaction);
          await lock(own);
          firsts[own - 1]?.resolve();
          await Promise.all(firsts.map(({ promise }) => promise));
          await lock(3 - own);
        }),
      ),
    );
    const undone = ended.filter((one) => one.status === 'rejected');
    assert.equal(undone.length, 1);
    assert.equal(isUnavailable(undone[0]?.reason), true);
  } finally {
    await close();
  }
});
