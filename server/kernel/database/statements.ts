import { type PGlite, parse, protocol, type QueryOptions, type Results } from '@electric-sql/pglite';

// Runs statements on PGlite. Its own `query` parses and plans each statement again, which takes most of the time of a
// small one, and makes six calls into PostgreSQL's WebAssembly program. Here a statement is prepared at its first use,
// and afterwards bound and run in one call.

/** Maximum number of prepared statements, because each keeps its plan in memory; the most recently used are kept. */
const MOST_PREPARED = 256;
/** Maximum length of a statement that is prepared: longer statements insert many rows at once and rarely repeat. */
const LONGEST_PREPARED = 20_000;
/**
 * Time after which a prepared statement is planned again: a plan fits the tables at the time it was made, and tables
 * grow.
 */
const PREPARED_FOR_MS = 60_000;
const PLANNED = /^\s*(select|insert|update|delete|with)\b/i;
const CHANGES_TABLES = /^\s*(create|alter|drop)\b/i;

type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number];
type Written = string | ArrayBuffer | ArrayBufferView | null;

interface Prepared {
  name: string;
  at: number;
  /** PostgreSQL types of the prepared statement's parameters. */
  types: readonly number[];
  /** Description of the columns that the prepared statement returns, if it returns any. */
  columns: Message | undefined;
}

/** Target on which SQL statements run: PGlite itself, or its running transaction. */
export type QueryTarget = Pick<PGlite, 'query'>;

export type RunStatement = (
  through: QueryTarget,
  text: string,
  values?: unknown[],
  options?: QueryOptions,
) => Promise<Results>;

/** Makes a function that runs statements as PGlite's `query` does, but plans a repeated statement only once. */
export function createStatements(engine: PGlite): RunStatement {
  const { serialize } = protocol;
  /** Prepared statements by their SQL text, in the order of their last use. */
  const prepared = new Map<string, Prepared>();
  let named = 0;

  // PGlite needs not synchronize the folder after a statement, because the folder's files are written through to the
  // disk.
  const send = (...messages: Uint8Array[]) =>
    engine.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), { syncToFs: false });

  async function forget(text: string, { name }: Prepared): Promise<void> {
    prepared.delete(text);
    await send(serialize.close({ type: 'S', name }));
  }

  async function prepare(text: string): Promise<Prepared> {
    named += 1;
    const name = `s${named}`;
    const messages = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    return {
      name,
      at: performance.now(),
      types: parse.parseDescribeStatementResults(messages),
      columns: messages.find((message) => message.name === 'rowDescription'),
    };
  }

  async function preparedOf(text: string): Promise<Prepared> {
    const existing = prepared.get(text);
    if (existing && performance.now() - existing.at < PREPARED_FOR_MS) {
      prepared.delete(text);
      prepared.set(text, existing);
      return existing;
    }
    if (existing) await forget(text, existing);
    const one = await prepare(text);
    prepared.set(text, one);
    const [oldest] = prepared;
    if (prepared.size > MOST_PREPARED && oldest) await forget(...oldest);
    return one;
  }

  async function runPrepared(text: string, values: unknown[], options?: QueryOptions): Promise<Results> {
    const { name, types, columns } = await preparedOf(text);
    const written = values.map((value, n) => writtenAs(engine, types[n], value));
    const answers = await send(serialize.bind({ statement: name, values: written }), serialize.execute());
    const messages = columns ? [columns, ...answers] : answers;
    const [results] = parse.parseResults(messages, engine.parsers, options);
    return results ?? { rows: [], fields: [] };
  }

  return async (through, text, values = [], options) => {
    if (!PLANNED.test(text) || text.length > LONGEST_PREPARED) {
      const results = await through.query(text, values, options);
      // Prepared statements are forgotten when a table changes: PostgreSQL refuses those whose columns would change.
      if (CHANGES_TABLES.test(text)) {
        await engine.runExclusive(async () => {
          for (const one of [...prepared]) await forget(...one);
        });
      }
      return results as Results;
    }
    const run = () => engine.runExclusive(() => runPrepared(text, values, options));
    return through === engine ? engine._runExclusiveTransaction(run) : run();
  };
}

function writtenAs(engine: PGlite, type: number | undefined, value: unknown): Written {
  if (value === null || value === undefined) return null;
  const write = type === undefined ? undefined : engine.serializers[type];
  return write ? write(value) : String(value);
}
