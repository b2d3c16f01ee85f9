import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';

/** Columns of a statement's rows, as one connection described them. */
interface Columns {
  names: readonly string[];
  parsers: readonly ((text: string) => unknown)[];
  /** Row whose columns are all null. */
  empty: Readonly<Record<string, unknown>>;
}

/** Columns of each statement that a connection has run, by the statement's name. */
export type KnownColumns = Map<string, Columns>;

export interface StatementResult {
  command: string;
  rowCount: number;
  rows: Record<string, unknown>[];
}

const NO_COLUMNS: Columns = { names: [], parsers: [], empty: {} };
const EXECUTE = serialize.execute();
const DESCRIBE = serialize.describe({ type: 'P' });

/**
 * One run of a named statement. Unlike pg's own query it asks for the description of the rows only the first time on a
 * connection: PostgreSQL refuses to run a prepared statement whose columns have changed, so the description stays true.
 */
export class PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly #values: readonly unknown[];
  readonly #known: KnownColumns;
  readonly #result: StatementResult = { command: '', rowCount: 0, rows: [] };
  #columns: Columns | undefined;
  #failure: Error | undefined;

  /** Throws if a value can't be sent. */
  constructor(
    { name, text, values }: { name: string; text: string; values: readonly unknown[] },
    known: KnownColumns,
  ) {
    this.name = name;
    this.text = text;
    this.#values = values.map((value) => prepareValue(value));
    this.#known = known;
  }

  /** Messages to PostgreSQL that run the statement. `isParsed`: the connection has parsed the statement before. */
  messages(isParsed: boolean): Buffer[] {
    this.#columns = isParsed ? this.#known.get(this.name) : undefined;
    const { name, text } = this;
    return [
      ...(isParsed ? [] : [serialize.parse({ name, text, types: [] })]),
      serialize.bind({ statement: name, values: this.#values as string[] }),
      ...(this.#columns ? [] : [DESCRIBE]),
      EXECUTE,
    ];
  }

  describe(fields: readonly pg.FieldDef[]): void {
    this.#columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text')),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  addRow(fields: readonly (string | null)[]): void {
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
  complete(text: string): void {
    const words = text.split(' ');
    this.#result.command = words[0] ?? '';
    this.#result.rowCount = Number(words.at(-1)) || 0;
    this.#known.set(this.name, this.#columns ?? NO_COLUMNS);
  }

  /** Result of the statement after its completion. Throws if a value of its rows could not be read. */
  result(): StatementResult {
    if (this.#failure) throw this.#failure;
    return this.#result;
  }
}
