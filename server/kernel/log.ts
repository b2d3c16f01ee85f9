import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

/** Characters of lines that wait for a disk which takes none. */
const MOST_UNWRITTEN = 2 ** 22;

/**
 * Logs carry no bodies, no query strings, no headers and no database row: an error shows its type,
 * message, code and stack. PostgreSQL puts the offending row into `detail`, so that one stays out.
 */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  stream?: DestinationStream,
): Logger {
  const options: LoggerOptions = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    ...(config.logFormat === 'pretty' && {
      transport: {
        target: 'pino-pretty',
        options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' },
      },
    }),
  };
  if (stream || config.logFormat === 'pretty') return stream ? pino(options, stream) : pino(options);
  // Lines are written by the block, and what is left every half second and at the end: a write each costs a tenth
  // of a request. pino flushes at exit by itself.
  const file = pino.destination({ sync: false, minLength: 4096, maxLength: MOST_UNWRITTEN });
  // A full disk costs lines, and not the server: they wait, within bounds, until there is room.
  let isFull = false;
  file.on('error', () => {
    isFull = true;
  });
  file.on('write', () => {
    isFull = false;
  });
  const { flushSync } = file;
  // pino calls it at the exit, and it would try for ever.
  file.flushSync = () => {
    if (!isFull) flushSync.call(file);
  };
  setInterval(() => file.flush(), 500).unref();
  return pino(options, file);
}

function describeError(error: unknown): object {
  // pg-boss tells of errors as copies, which are of no class.
  const isTold = typeof error === 'object' && error !== null && 'message' in error;
  if (!isTold) return { message: String(error) };
  const { name, message, code, constraint, table, stack } = error as Error & Record<string, string>;
  return { type: name, message, code, constraint, table, stack };
}
