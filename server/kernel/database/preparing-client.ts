import { createHash } from 'node:crypto';
import pg from 'pg';
import { type KnownColumns, PreparedQuery } from './prepared-query.ts';

// Maximum number of SQL statements that get a name and are prepared: each connection keeps its prepared statements
// until it ends. Statements that are first used later (most have many optional parts) are not prepared.
const MOST_STATEMENTS = 300;

/** Runs a query, and closes the query's connection if the database stops answering. */
type Watched = <T>(query: () => Promise<T>, end: (error: Error) => void) => Promise<T>;

/**
 * A pg client for the pool that names statements with parameters, by the same name on every server. Each connection
 * then parses and plans them once; planning costs about as much as running them.
 */
export function createPreparingClient(watched: Watched): typeof pg.Client {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const existing = names.get(text);
    if (existing || names.size >= MOST_STATEMENTS) return existing;
    const name = createHash('md5').update(text).digest('hex');
    names.set(text, name);
    return name;
  };

  return class extends pg.Client {
    readonly #known: KnownColumns = new Map();

    // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; only the one Kysely uses is changed
    override query(...args: any[]): any {
      const [text, values, ...rest] = args;
      const name =
        typeof text === 'string' && values?.length > 0 && rest.length === 0 ? nameOf(text) : undefined;
      // Kysely passes a statement's text and values and expects a promise; other callers pass a callback.
      if (typeof text !== 'string' || rest.length > 0) {
        return (super.query as (...all: unknown[]) => unknown)(...args);
      }
      const ask = () => (name ? this.#run(name, text, values) : super.query(text, values));
      return watched(ask, (error) => this.connection.stream.destroy(error));
    }

    #run(name: string, text: string, values: unknown[]): Promise<unknown> {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const settle = (error: Error | null, result?: object) => (error ? reject(error) : resolve(result));
      super.query(new PreparedQuery({ name, text, values }, this.#known, settle));
      return promise;
    }
  };
}
