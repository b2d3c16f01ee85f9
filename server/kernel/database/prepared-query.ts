import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

/** Columns of a statement's rows, as one connection described them. */
interface Columns {
  names: readonly string[];
  parsers: readonly ((text: string) => unknown)[];
  /** Row whose columns are all null. */
  empty: Readonly<Record<string, unknown>>;
}

/** Columns of each statement that a connection has run, by the statement's name. */
export type KnownColumns = Map<string, Columns>;

/** Messages to a PostgreSQL server, as pg's connections send them. */
interface Connection {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
  parse(message: { name: string; text: string; types: [] }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: object): void;
  sync(): void;
}

interface Result {
  command: string;
  rowCount: number;
  rows: Record<string, unknown>[];
}

type Callback = (error: Error | null, result?: Result) => void;

const NO_COLUMNS: Columns = { names: [], parsers: [], empty: {} };

/**
 * A named statement for `pg.Client.query`. Unlike pg's own query it asks for the description of the rows only the first
 * time on a connection: PostgreSQL refuses to run a prepared statement whose columns have changed, so the description
 * stays true.
 */
export class PreparedQuery implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  /** Called once, with the error or the result; pg replaces it for its time limit. */
  callback: Callback;
  readonly #values: readonly unknown[];
  readonly #known: KnownColumns;
  readonly #result: Result = { command: '', rowCount: 0, rows: [] };
  #columns: Columns | undefined;
  #failure: Error | undefined;

  constructor(
    { name, text, values }: { name: string; text: string; values: readonly unknown[] },
    known: KnownColumns,
    callback: Callback,
  ) {
    this.name = name;
    this.text = text;
    this.callback = callback;
    this.#values = values;
    this.#known = known;
  }

  /** Sends the statement. Returns an error, having sent nothing, if a value can't be sent. */
  submit(to: pg.Connection): Error | null {
    const connection = to as unknown as Connection;
    const values: unknown[] = [];
    try {
      for (const value of this.#values) values.push(prepareValue(value));
    } catch (error) {
      return error as Error;
    }
    const isParsed = connection.parsedStatements[this.name] !== undefined;
    this.#columns = isParsed ? this.#known.get(this.name) : undefined;
    connection.stream.cork();
    try {
      if (!isParsed) connection.parse({ name: this.name, text: this.text, types: [] });
      connection.bind({ statement: this.name, values });
      if (!this.#columns) connection.describe({ type: 'P', name: '' });
      connection.execute({});
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text')),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure) return;
    const { names, parsers, empty } = this.#columns ?? NO_COLUMNS;
    const row = { ...empty };
    try {
      fields.forEach((text, index) => {
        if (text !== null) row[names[index] ?? ''] = parsers[index]?.(text);
      });
    } catch (error) {
      this.#failure = error as Error;
    }
    this.#result.rows.push(row);
  }

  /** Reads the command and the number of rows from a text such as `INSERT 0 1` or `SELECT 5`. */
  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ');
    this.#result.command = words[0] ?? '';
    this.#result.rowCount = Number(words.at(-1)) || 0;
    this.#known.set(this.name, this.#columns ?? NO_COLUMNS);
  }

  handleEmptyQuery(): void {}

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback(this.#failure);
    else this.callback(null, this.#result);
  }
}
