import {
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';

/** SQL of PostgreSQL without a database behind it. */
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/** Parts of a Kysely without a database. */
export const OFFLINE = { config: { dialect }, dialect, driver: new DummyDriver() };

const compiler = new Kysely<unknown>({ dialect });

/**
 * Compiles SQL without parameters once and for all, such as a list of columns; otherwise every run of a statement
 * compiles all of its parts again.
 */
export function constantSql<T>(part: RawBuilder<T>): RawBuilder<T> {
  const { sql: text, parameters } = part.compile(compiler);
  if (parameters.length > 0) throw new Error('constant SQL has no parameters');
  return sql.raw<T>(text);
}
