import { type PGlite, parse, protocol, type QueryOptions, type Results } from '@electric-sql/pglite';

// PGlite's own `query` has each statement read and planned anew, most of what a small one takes, and asks the engine six
// times. Here a statement is prepared when it is first asked, and from then on bound and run in one go.

/** Of those asked last; each keeps its plan in memory. */
const MOST_PREPARED = 256;
/** Longer ones are of many rows at once, and hardly ever the same again. */
const LONGEST_PREPARED = 20_000;
/** A plan is made for the tables as they are, and they grow. */
const PREPARED_FOR_MS = 60_000;
const PLANNED = /^\s*(select|insert|update|delete|with)\b/i;
const CHANGES_TABLES = /^\s*(create|alter|drop)\b/i;

type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number];
type Written = string | ArrayBuffer | ArrayBufferView | null;

interface Prepared {
  name: string;
  at: number;
  /** Of its parameters. */
  types: readonly number[];
  /** What says its columns, where it gives any. */
  columns: Message | undefined;
}

/** Whoever may ask: the engine itself, or the transaction that has it. */
export type Asked = Pick<PGlite, 'query'>;

export type RunStatement = (
  through: Asked,
  text: string,
  values?: unknown[],
  options?: QueryOptions,
) => Promise<Results>;

/** Runs statements as PGlite's `query` does, the same ones without planning them again. */
export function createStatements(engine: PGlite): RunStatement {
  const { serialize } = protocol;
  /** In the order of their last use. */
  const prepared = new Map<string, Prepared>();
  let named = 0;

  // A folder's files are written through: afterwards there is nothing to bring to the disk.
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
    const known = prepared.get(text);
    if (known && performance.now() - known.at < PREPARED_FOR_MS) {
      prepared.delete(text);
      prepared.set(text, known);
      return known;
    }
    if (known) await forget(text, known);
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
      // A prepared statement is refused once it would give other columns.
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
