import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createPreparingClient } from '../../server/kernel/database/preparing-client.ts';
import { ANY_DATABASE, temporaryDatabase } from '../support/server.ts';

/**
 * Connected client whose statements with values are prepared; how often the database has described rows to it, and how
 * often it has answered.
 */
async function connected(url: string) {
  const Client = createPreparingClient((query) => query());
  const client = new Client({ connectionString: url, query_timeout: 20_000 });
  await client.connect();
  const counts = { described: 0, roundTrips: 0 };
  client.connection.on('rowDescription', () => {
    counts.described += 1;
  });
  client.connection.on('readyForQuery', () => {
    counts.roundTrips += 1;
  });
  return { client, counts };
}

test('a prepared statement gives what pg’s own gives, and its rows are described once', async () => {
  await using place = await temporaryDatabase(ANY_DATABASE);
  const url = place.env.DATABASE_URL ?? '';
  const { client, counts } = await connected(url);
  const plain = new pg.Client({ connectionString: url });
  await plain.connect();
  try {
    await client.query(
      'create table things (id int primary key, name text, at timestamptz, tags text[], more jsonb)',
    );
    const now = new Date();
    for (const [text, values] of [
      ['insert into things values ($1, $2, $3, $4, $5)', [1, 'שם', now, ['a', '"'], { b: [1] }]],
      ['insert into things values ($1, $2) returning *', [2, null]],
      ['select * from things where id >= $1 order by id', [1]],
      ['select * from things where id >= $1 order by id', [2]],
      ['select * from things where id >= $1 order by id', [9]],
      ['update things set name = $2 where id >= $1', [1, 'x']],
      ['select $1::bytea as raw, true as is, 1.5::float8 as number', [Buffer.from([0, 255])]],
      ['delete from things where id >= $1', [1]],
    ] as const) {
      const mine = await client.query(text, [...values]);
      await plain.query('begin');
      if (!text.startsWith('insert') && !text.startsWith('delete')) {
        const theirs = await plain.query(text, [...values]);
        assert.deepEqual(
          [mine.rows, mine.rowCount, mine.command],
          [theirs.rows, theirs.rowCount, theirs.command],
          text,
        );
      } else {
        assert.deepEqual(
          [mine.rowCount, mine.command],
          [text.startsWith('delete') ? 2 : 1, text.split(' ')[0]?.toUpperCase()],
        );
      }
      await plain.query('rollback');
    }
    assert.equal(counts.described, 3);
  } finally {
    await client.end();
    await plain.end();
  }
});

test('errors of a prepared statement leave the connection usable', async () => {
  await using place = await temporaryDatabase(ANY_DATABASE);
  const url = place.env.DATABASE_URL ?? '';
  const { client } = await connected(url);
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  try {
    await assert.rejects(client.query('select $1::int as n', ['x']), { code: '22P02' });
    await assert.rejects(client.query('select $1::int as n', [1, 2]), { code: '08P01' });
    await assert.rejects(client.query('selekt $1', [1]), { code: '42601' });
    await assert.rejects(client.query('selekt $1', [1]), { code: '42601' });
    await assert.rejects(client.query('select $1::jsonb as n', [circular]), /circular/);
    assert.deepEqual((await client.query('select $1::int as n', [5])).rows, [{ n: 5 }]);
    // Statements that several callers send at once get their own answers.
    const many = await Promise.all([1, 2, 3].map((n) => client.query('select $1::int as n', [n])));
    assert.deepEqual(
      many.map(({ rows }) => rows[0].n),
      [1, 2, 3],
    );

    await client.query('create table things (id int)');
    await client.query('select * from things where id > $1', [0]);
    await client.query('alter table things add column name text');
    await assert.rejects(client.query('select * from things where id > $1', [0]), { code: '0A000' });
  } finally {
    await client.end();
  }
});

test('statements that are asked for at once are one round trip, and so are begin and what follows it', async () => {
  await using place = await temporaryDatabase(ANY_DATABASE);
  const { client, counts } = await connected(place.env.DATABASE_URL ?? '');
  const roundTripsOf = async <T>(work: () => Promise<T>) => {
    const before = counts.roundTrips;
    const done = await work();
    return { done, roundTrips: counts.roundTrips - before };
  };
  try {
    await client.query('create table things (id int primary key, name text)');
    const insert = (id: number) => client.query('insert into things values ($1, $2) returning id', [id, 'x']);
    const several = await roundTripsOf(async () => {
      await client.query('begin', []);
      const [first, second, count] = await Promise.all([
        insert(1),
        insert(2),
        client.query('select count(*)::int as n from things where id > $1', [0]),
      ]);
      const [, commit] = await Promise.all([insert(3), client.query('commit', [])]);
      return [first.rows, second.rows, count.rows, commit.command];
    });
    assert.deepEqual(several, {
      done: [[{ id: 1 }], [{ id: 2 }], [{ n: 2 }], 'COMMIT'],
      roundTrips: 2,
    });

    // One that fails ends the others, and a commit after it fails with its error.
    await client.query('begin', []);
    const outcomes = await Promise.allSettled([insert(4), insert(1), insert(5), client.query('commit', [])]);
    assert.deepEqual(
      outcomes.map((one) => one.status === 'rejected' && one.reason.code),
      Array.from({ length: 4 }, () => '23505'),
    );
    await client.query('rollback', []);
    assert.equal((await client.query('select * from things where id > $1', [0])).rowCount, 3);

    // A value that can't be sent fails alone, before anything is sent.
    await client.query('begin', []);
    await assert.rejects(client.query('select $1::numeric as n', [Symbol('none')]));
    await client.query('rollback', []);

    // Statements without parameters keep their turn.
    await client.query('begin', []);
    await client.query('create table others (id int)');
    await client.query('insert into others values ($1)', [1]);
    await client.query('rollback', []);
    await assert.rejects(client.query('select * from others where id = $1', [1]), { code: '42P01' });
  } finally {
    await client.end();
  }
});
