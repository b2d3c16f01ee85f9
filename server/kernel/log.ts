import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

/** Bytes of lines that wait for an output which takes none. */
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
  return pino(options, standardOutput());
}

/** The server's own output: whatever becomes of it, a disk that is full or a reader that is gone, costs lines, and not the server. */
function standardOutput(): DestinationStream {
  let isEnding = false;
  // Lines are written by the block, and what is left every half second and at the end: a write each costs a tenth
  // of a request.
  const output = new sonicBoom.SonicBoom({
    fd: process.stdout.fd,
    sync: false,
    minLength: 4096,
    maxLength: MOST_UNWRITTEN,
    periodicFlush: 500,
    retryEAGAIN: () => !isEnding,
  });
  // Lines that can't be written wait, within bounds.
  output.on('error', () => {});
  process.once('exit', () => {
    isEnding = true;
    try {
      output.flushSync();
    } catch {
      // There is nowhere left to say so.
    }
  });
  return output;
}

function describeError(error: unknown): object {
  // pg-boss tells of errors as copies, which are of no class.
  const isTold = typeof error === 'object' && error !== null && 'message' in error;
  if (!isTold) return { message: String(error) };
  const { name, message, code, constraint, table, stack } = error as Error & Record<string, string>;
  return { type: name, message, code, constraint, table, stack };
}
