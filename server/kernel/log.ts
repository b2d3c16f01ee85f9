import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

/** Maximum size, in bytes, of log lines that wait because the log's output accepts no more at present. */
const MOST_UNWRITTEN = 2 ** 22;

/**
 * Makes a logger. Logs contain no bodies, query strings, headers or database rows: of an error they have the type,
 * message, code and stack. PostgreSQL puts the offending row into `detail`, so `detail` is left out.
 */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  stream?: DestinationStream,
): Logger {
  const options: LoggerOptions = {
    level: config.logLevel,
    base: null,
    timestamp: createLineTime(),
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

/**
 * Makes the function for the times of log lines, in pino's form: `,"time":"2026-11-29T09:30:00.125Z"`. The text up to the
 * second is kept for the lines of the same second, because making it takes longer than the rest of a line.
 */
export function createLineTime(now: () => number = Date.now): () => string {
  let second = Number.NaN;
  let begin = '';
  return () => {
    const ms = now();
    const current = Math.floor(ms / 1_000);
    if (current !== second) {
      second = current;
      begin = new Date(current * 1_000).toISOString().slice(0, -'000Z'.length);
    }
    return `,"time":"${begin}${String(ms - current * 1_000).padStart(3, '0')}Z"`;
  };
}

/**
 * Longest time for which log lines wait for others, in milliseconds: to write each line at once would cost a tenth of a
 * request's time.
 */
const LONGEST_WAIT_MS = 500;

/** Standard output of the server. A full disk or a closed reader costs log lines, but does not stop the server. */
function standardOutput(): DestinationStream {
  let isEnding = false;
  const output = new sonicBoom.SonicBoom({
    fd: process.stdout.fd,
    sync: false,
    minLength: 4096,
    maxLength: MOST_UNWRITTEN,
    retryEAGAIN: () => !isEnding,
  });
  // Log lines that can't be written are kept for a later try, up to the maximum, so the error needs no other reaction.
  output.on('error', () => {});
  // Bytes that wait to be written. The timer runs only while there are some: sonic-boom's own, `periodicFlush`, also
  // wakes a server that logs nothing.
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  output.on('write', (bytes) => (waitingBytes -= bytes));
  output.on('drop', (line) => (waitingBytes -= Buffer.byteLength(line)));
  const flush = () => {
    if (waitingBytes > 0) return output.flush();
    clearInterval(timer);
    timer = undefined;
  };
  process.once('exit', () => {
    isEnding = true;
    try {
      output.flushSync();
    } catch {
      // If the last log lines can't be written, that is ignored, because no output is left to report it.
    }
  });
  return {
    write(line) {
      waitingBytes += Buffer.byteLength(line);
      output.write(line);
      timer ??= setInterval(flush, LONGEST_WAIT_MS).unref();
    },
  };
}

function describeError(error: unknown): object {
  // Not all errors have the class Error: pg-boss reports plain objects.
  const isTold = typeof error === 'object' && error !== null && 'message' in error;
  if (!isTold) return { message: String(error) };
  const { name, message, code, constraint, table, stack } = error as Error & Record<string, string>;
  return { type: name, message, code, constraint, table, stack };
}
