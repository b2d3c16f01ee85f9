import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Kysely, type RawBuilder, sql } from 'kysely';
import { OFFLINE } from './offline.ts';
import { insertFrom, insertInto, upsertInto } from './rows.ts';
import { withStatementCompiler } from './statement-compiler.ts';

const usual = new Kysely<unknown>({ dialect: OFFLINE.dialect });
const remembering = () => new Kysely<unknown>({ dialect: withStatementCompiler(OFFLINE.dialect) });

const shared = (value: unknown) => sql`shared = ${value}`;
const condition = sql.raw<boolean>('deleted_at is null');

const STATEMENTS: Readonly<Record<string, (one: unknown, other: unknown) => RawBuilder<unknown>>> = {
  'values only': (one, other) => sql`select ${one}, ${other}`,
  'a template within another': (one, other) => sql`select ${other} where ${shared(one)}`,
  'the same template at another place': (one, other) => sql`select ${shared(one)} where ${other}`,
  'a template instead of a value': (one, other) => sql`select ${one}, ${shared(other)}`,
  'the value before it': (one, other) => sql`select ${shared(one)}, ${other}`,
  'text made at run time': (one) => sql`select from events where ${condition} and id = ${one}`,
  'another text': (one) => sql`select from events where ${sql.raw('true')} and id = ${one}`,
  'names and literals': (one) =>
    sql`select ${sql.ref('events.id')} from ${sql.table('events')} limit ${sql.lit(20)} offset ${one}`,
  'another name': (one) =>
    sql`select ${sql.ref('events.title')} from ${sql.table('events')} limit ${sql.lit(20)} offset ${one}`,
  'another literal': (one) =>
    sql`select ${sql.ref('events.id')} from ${sql.table('events')} limit ${sql.lit(50)} offset ${one}`,
  'a list of two': (one, other) => sql`select ${sql.join([one, other])}`,
  'a list of three': (one, other) => sql`select ${sql.join([one, other, one])}`,
  'an insert': (one, other) => insertInto('events', { id: one, title: other }),
  'an insert of other columns': (one, other) => insertInto('events', { id: one, venue: other }),
  'an insert from a query': (one, other) => insertFrom('events', { id: one }, shared(other)),
  'an insert or an update': (one, other) => upsertInto('events', { id: one }, { title: other }),
};

test('a remembered statement is what Kysely compiles, with the values of its own call', () => {
  const db = remembering();
  for (const round of [1, 2, 3]) {
    for (const [what, build] of Object.entries(STATEMENTS)) {
      const given = [`one ${round}`, { other: round }] as const;
      const { sql: text, parameters } = build(...given).compile(db);
      const expected = build(...given).compile(usual);
      assert.equal(text, expected.sql, what);
      assert.deepEqual(parameters, expected.parameters, what);
    }
  }
});

test('a statement with more values than are remembered is compiled as ever', () => {
  const db = remembering();
  for (const length of [199, 200, 201, 1_000]) {
    const build = () => sql`select ${sql.join(Array.from({ length }, (_, place) => place))}`;
    for (const _ of [1, 2])
      assert.deepEqual(build().compile(db).parameters, build().compile(usual).parameters);
    assert.equal(build().compile(db).sql, build().compile(usual).sql);
  }
});

test('statements beyond those that are remembered are compiled as ever', () => {
  const db = remembering();
  for (let count = 0; count < 25_000; count += 1) {
    const build = () => sql`select ${sql.raw(`a${count}`)}`;
    if (build().compile(db).sql !== `select a${count}`) assert.fail(`statement ${count}`);
  }
});

test('a query of the query builder is compiled as ever', () => {
  const build = (db: Kysely<unknown>) =>
    (db as Kysely<{ events: { id: string } }>)
      .selectFrom('events')
      .select('id')
      .where('id', '=', 'x')
      .compile();
  const db = remembering();
  for (const _ of [1, 2]) {
    assert.equal(build(db).sql, build(usual).sql);
    assert.deepEqual(build(db).parameters, ['x']);
  }
});
