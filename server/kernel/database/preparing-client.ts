import { createHash } from 'node:crypto';
import pg from 'pg';
import { type KnownColumns, PreparedStatement, type StatementResult } from './prepared-statement.ts';
import { RoundTrip } from './round-trip.ts';

// Maximum number of SQL statements that get a name and are prepared: each connection keeps its prepared statements
// until it ends. Statements that are first used later (most have many optional parts) are not prepared.
const MOST_STATEMENTS = 300;

/** Runs a query, and closes the query's connection if the database stops answering. */
type Watched = <T>(query: () => Promise<T>, end: (error: Error) => void) => Promise<T>;

/** Statement that waits to be sent, and the caller who waits for its result. */
interface Asked {
  statement: PreparedStatement;
  resolve(result: StatementResult): void;
  reject(error: unknown): void;
}

const BEGIN = 'begin';
/** Statements without parameters that are prepared, so that they share a round trip with others. */
const PREPARED_WITHOUT_VALUES: readonly string[] = [BEGIN, 'commit', 'rollback'];
const BEGUN: StatementResult = { command: 'BEGIN', rowCount: 0, rows: [] };

/**
 * A pg client for the pool that names statements with parameters, by the same name on every server. Each connection
 * then parses and plans them once; planning costs about as much as running them.
 *
 * Statements that are asked for at the same time are sent together, in one round trip, and fail together. The begin of
 * a transaction is sent with the transaction's first statement.
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
    /** Statements of the next round trip. */
    #asked: Asked[] = [];
    #isSendingSoon = false;

    // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; only the one Kysely uses is changed
    override query(...args: any[]): any {
      const [text, values = [], ...rest] = args;
      // Kysely passes a statement's text and values and expects a promise; other callers pass a callback.
      if (typeof text !== 'string' || rest.length > 0) {
        return (super.query as (...all: unknown[]) => unknown)(...args);
      }
      const isPrepared = values.length > 0 || PREPARED_WITHOUT_VALUES.includes(text);
      const name = isPrepared ? nameOf(text) : undefined;
      if (name) return this.#ask(name, text, values);
      this.#send();
      return watched(() => super.query(text, values), this.#endConnection);
    }

    async #ask(name: string, text: string, values: unknown[]): Promise<StatementResult> {
      const statement = new PreparedStatement({ name, text, values }, this.#known);
      const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
      this.#asked.push({ statement, resolve, reject });
      if (text === BEGIN) {
        promise.catch(() => {});
        return BEGUN;
      }
      if (!this.#isSendingSoon) {
        this.#isSendingSoon = true;
        process.nextTick(() => this.#send());
      }
      return promise;
    }

    #send(): void {
      this.#isSendingSoon = false;
      const asked = this.#asked;
      if (asked.length === 0) return;
      this.#asked = [];
      const statements = asked.map(({ statement }) => statement);
      const send = () =>
        new Promise<void>((resolve, reject) => {
          super.query(new RoundTrip(statements, (error) => (error ? reject(error) : resolve())));
        });
      watched(send, this.#endConnection).then(
        () => asked.forEach(settle),
        (error) => {
          for (const { reject } of asked) reject(error);
        },
      );
    }

    #endConnection = (error: Error): void => {
      this.connection.stream.destroy(error);
    };
  };
}

function settle({ statement, resolve, reject }: Asked): void {
  try {
    resolve(statement.result());
  } catch (error) {
    reject(error);
  }
}
