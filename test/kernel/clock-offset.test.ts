import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { clockOffset, watchClock } from '../../server/kernel/clock-offset.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { createLogger } from '../../server/kernel/log.ts';
import { migrations } from '../../server/migrations/migrations.ts';
import { temporaryDatabase } from '../support/server.ts';

test('a clock that is seconds off the database’s is told once, until it is right again', async () => {
  await using place = await temporaryDatabase('postgres');
  const database = openDatabase(readConfig(place.env), migrations, pino({ level: 'silent' }));
  const lines: string[] = [];
  const log = createLogger({ logLevel: 'info', logFormat: 'json' }, { write: (line) => lines.push(line) });
  let ahead = { seconds: 0 };
  const clock = () => Temporal.Now.instant().add(ahead);
  const watch = watchClock({ db: database.sql, clock, log });
  try {
    for (const seconds of [0, 3, -3]) {
      ahead = { seconds };
      assert.equal(await clockOffset(database.sql, clock), seconds);
      await watch.look();
    }
    assert.deepEqual(lines, []);
    for (const seconds of [60, 61, 0, -7_200]) {
      ahead = { seconds };
      await watch.look();
    }
    const said = lines.map((line) => JSON.parse(line).msg as string);
    assert.equal(said.length, 2);
    assert.match(said[0] ?? '', /^clock: this server’s is 60 s ahead of the database’s/);
    assert.match(said[1] ?? '', /7200 s behind the database’s/);
  } finally {
    watch.stop();
    await database.close();
  }
});
