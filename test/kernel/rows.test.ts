import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../server/kernel/config.ts';
import { oneLineSql } from '../../server/kernel/database/one-line.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { pageOfRows } from '../../server/kernel/database/pages.ts';
import {
  assignColumns,
  insertInto,
  insertWhere,
  selectColumns,
  upsertInto,
} from '../../server/kernel/database/rows.ts';
import { toParameter } from '../../server/kernel/database/transaction.ts';
import { isSingleLine, toSingleLine } from '../../server/kernel/one-line.ts';
import { migrations } from '../../server/migrations/migrations.ts';
import { BOTH_DATABASES, temporaryDatabase } from '../support/server.ts';

for (const kind of BOTH_DATABASES) {
  test(`rows are written from objects and read in pages on ${kind}`, async () => {
    await using place = await temporaryDatabase(kind);
    const database = openDatabase(readConfig(place.env), migrations, pino({ level: 'silent' }));
    await database.prepare();
    try {
      const db = database.sql;
      await sql`create table things (id integer primary key, "from" text, made_at timestamptz)`.execute(db);
      const made_at = Temporal.Instant.from('2027-01-01T00:00:00Z');
      for (const id of [3, 1, 2]) {
        await insertInto('things', { id, from: `'; drop table things; -- ${id}`, made_at }).execute(db);
      }
      await sql`update things set ${assignColumns({ from: null, made_at: made_at.add({ hours: 1 }) })} where id = 1`.execute(
        db,
      );
      await upsertInto('things', { id: 2 }, { from: 'put' }).execute(db);
      await upsertInto('things', { id: 4 }, { from: 'put' }).execute(db);

      const isFree = sql`not exists (select from things where id = ${5})`;
      for (const from of ['first', 'second']) {
        const adding = sql`${insertWhere('things', { id: 5, from, made_at }, isFree)} returning "from", made_at`;
        const { rows } = await adding.execute(db);
        const added = { from: 'first', made_at: new Date('2027-01-01T00:00:00Z') };
        assert.deepEqual(rows, from === 'first' ? [added] : []);
      }
      const read = selectColumns('things', ['id', 'made_at'], {
        made_at: sql`to_char(made_at at time zone 'utc', 'YYYY')`,
      });
      const { rows: years } = await sql`select ${read} from things where id = 5`.execute(db);
      assert.deepEqual(years, [{ id: 5, made_at: '2027' }]);
      await sql`delete from things where id = 5`.execute(db);

      const page = (offset: bigint) =>
        pageOfRows<{ id: number; from: string | null; made_at: Date | null }>(
          db,
          { columns: sql`id, "from", made_at`, from: sql`things where id > ${0}`, order: sql`id desc` },
          { limit: 3, offset },
        );
      const first = await page(0n);
      assert.deepEqual(
        first.rows.map(({ id, from }) => [id, from]),
        [
          [4, 'put'],
          [3, "'; drop table things; -- 3"],
          [2, 'put'],
        ],
      );
      assert.equal(
        first.rows[2]?.made_at?.toISOString(),
        '2027-01-01T00:00:00.000Z',
        'what is not put stays',
      );
      assert.equal(first.total, 4);
      const [last] = (await page(3n)).rows;
      assert.deepEqual(last, { id: 1, from: null, made_at: new Date('2027-01-01T01:00:00Z') });
      assert.deepEqual(await page(4n), { rows: [], total: 4 }, 'past the last page');
    } finally {
      await database.close();
    }
  });
}

for (const kind of BOTH_DATABASES) {
  test(`an instant of any year is read as it was written on ${kind}`, async () => {
    await using place = await temporaryDatabase(kind);
    const database = openDatabase(readConfig(place.env), migrations, pino({ level: 'silent' }));
    await database.prepare();
    try {
      const written = ['0001-01-01T00:00:00Z', '0022-05-30T20:19:05.123Z', '0099-12-31T23:59:59Z'];
      for (const text of [
        ...written,
        '1850-05-30T20:18:06Z',
        '2027-06-15T16:30:00.5Z',
        '9999-12-31T23:59:59Z',
      ]) {
        const { rows } = await sql<{ at: Date }>`
          select ${toParameter(Temporal.Instant.from(text))}::timestamptz as at`.execute(database.sql);
        assert.equal(rows[0]?.at.getTime(), Date.parse(text), text);
      }
    } finally {
      await database.close();
    }
  });
}

test('PostgreSQL compiles no query of ours, however many rows it is guessed to have', async () => {
  await using place = await temporaryDatabase('postgres');
  const database = openDatabase(readConfig(place.env), migrations, pino({ level: 'silent' }));
  await database.prepare();
  try {
    const { rows } = await sql<Record<string, string>>`
      explain (analyze)
      select count(*) from generate_series(1, 10000) a, generate_series(1, 10000) b where a < 0`.execute(
      database.sql,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /^Aggregate .*cost=\d{6}/);
    assert.doesNotMatch(plan, /JIT/);
  } finally {
    await database.close();
  }
});

for (const kind of BOTH_DATABASES) {
  test(`a text is put on one line by SQL as by ourselves on ${kind}`, async () => {
    await using place = await temporaryDatabase(kind);
    const database = openDatabase(readConfig(place.env), migrations, pino({ level: 'silent' }));
    await database.prepare();
    try {
      const odd = fc.constantFrom(
        ...'\t\n\r\u0001\u0085\u00a0\u200f\u2028\u2029\u202e\u2066\u2069\u3000\ufeffאa 💍',
      );
      const any = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 });
      const texts = fc
        .sample(fc.string({ unit: fc.oneof(odd, any) }), 500)
        .map((text) => text.replaceAll('\0', '').toWellFormed())
        .filter((text) => toSingleLine(text) !== '');
      const { rows } = await sql<{ line: string }>`
        select ${oneLineSql(sql`text`)} as line
        from json_array_elements_text(${JSON.stringify(texts)}::json) with ordinality as given(text, place)
        order by place`.execute(database.sql);
      assert.deepEqual(
        rows.map(({ line }) => line),
        texts.map(toSingleLine),
      );
      assert.ok(rows.every(({ line }) => isSingleLine(line)));
    } finally {
      await database.close();
    }
  });
}
