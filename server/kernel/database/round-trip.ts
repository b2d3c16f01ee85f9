import type pg from 'pg';
import { serialize } from 'pg-protocol';
import type { PreparedStatement } from './prepared-statement.ts';

/** Connection of a pg client: its stream, and the texts of the statements that it has parsed, by their names. */
interface Connection {
  stream: { write(bytes: Buffer): void };
  parsedStatements: Readonly<Record<string, string>>;
}

const SYNC = serialize.sync();

/**
 * Prepared statements for `pg.Client.query` that one message sends to PostgreSQL, which runs them one after another and
 * answers them together. After the first that fails it runs none of the others.
 */
export class RoundTrip implements pg.Submittable {
  readonly #statements: readonly PreparedStatement[];
  #completed = 0;
  /** Called once, after all statements or with the error; pg replaces it for its time limit. */
  callback: (error: Error | null) => void;

  constructor(statements: readonly PreparedStatement[], callback: (error: Error | null) => void) {
    this.#statements = statements;
    this.callback = callback;
  }

  /** Name of the statement that is running. When PostgreSQL has parsed it, pg notes its name and text. */
  get name(): string {
    return this.#running?.name ?? '';
  }

  get text(): string {
    return this.#running?.text ?? '';
  }

  submit(to: pg.Connection): void {
    const { stream, parsedStatements } = to as unknown as Connection;
    const sent = new Set<string>();
    const messages = this.#statements.flatMap((statement) => {
      const isParsed = parsedStatements[statement.name] !== undefined || sent.has(statement.name);
      sent.add(statement.name);
      return statement.messages(isParsed);
    });
    stream.write(Buffer.concat([...messages, SYNC]));
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#running?.describe(fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#running?.addRow(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#running?.complete(text);
    this.#completed += 1;
  }

  handleEmptyQuery(): void {
    this.#completed += 1;
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  get #running(): PreparedStatement | undefined {
    return this.#statements[this.#completed];
  }
}
