import { type Clock, toTimestamp } from '../../../kernel/clock.ts';
import { inSpan, NO_TRACING, type Tracing } from '../../../kernel/tracing/tracing.ts';
import type { BuildLog } from '../../builds/builder.ts';
import { messages } from '../../deployments/messages.ts';
import type { Logs } from '../../logs/logs.ts';
import { createRedactor, type Hide } from '../../logs/redaction.ts';
import { sanitizedColors, sanitizedOutput } from '../../logs/sanitized-output.ts';

/** Log of a deployment, or of a run, while it is in progress. Lines are `<time> [<step>] <text>`. */
export interface DeploymentLog extends BuildLog {
  /** Hides these secret values in all further lines of the log. */
  hideValues(values: readonly string[]): void;
  /** Ends the log: no more lines will come. */
  end(): void;
  /** Resolves once all lines of the log are in the database, or if the database does not accept them now. */
  flush(): Promise<void>;
}

/** Limit for the output of commands in a log; the server's own lines are always kept. */
const MOST_BYTES = 4 * 2 ** 20;

export interface DeploymentLogOptions {
  /** Signal that ends the work that the log describes; work ended by it is not logged as failed. */
  signal?: AbortSignal;
  /** Step to which lines of the log belong if they are outside of any other step. */
  step?: string;
  /** Limit for the output of commands in the log. */
  mostBytes?: number;
  /** True if the log is empty. */
  isNew?: boolean;
}

/** Opens logs that only the current holder of the lease may write. */
export interface LogsOfTerm {
  write: ReturnType<Logs['write']['inTerm']>;
  bytesOf: Logs['bytesOf'];
}

interface LogParts {
  logs: LogsOfTerm;
  clock: Clock;
  /** Traces, which get a span of each step. */
  tracing?: Tracing;
}

/** Opens a deployment's log and continues it where a previous run of a server stopped writing. */
export async function openDeploymentLog(
  { logs, clock, tracing = NO_TRACING }: LogParts,
  logId: string,
  { signal, step: outermost = 'deploy', mostBytes = MOST_BYTES, isNew = false }: DeploymentLogOptions = {},
): Promise<DeploymentLog> {
  let bytes = isNew ? 0 : await logs.bytesOf(logId).catch(() => 0);
  let isCut = false;
  let step = outermost;
  let redact: Hide = (line) => line;
  const hide: Hide = (line) => redact(line);
  const prefix = () => `${toTimestamp(clock())} [${step}]`;
  const put = (text: string) => logs.write.mustPut(logId, prefix(), text);

  return {
    hide,
    hideValues(values) {
      redact = createRedactor(values);
    },
    write: (line) => put(sanitizedOutput(line, hide)),
    output(lines) {
      if (isCut) return;
      const before = prefix();
      const texts: string[] = [];
      for (const line of lines) {
        if (bytes >= mostBytes) break;
        const text = sanitizedColors(line, hide);
        texts.push(text);
        bytes += Buffer.byteLength(text) + before.length + 2;
      }
      logs.write.put(logId, before, texts);
      isCut = texts.length < lines.length;
      if (isCut) put(messages.log.cut);
    },
    async step(name, work) {
      const outer = step;
      const began = performance.now();
      step = name;
      const seconds = () => ((performance.now() - began) / 1_000).toFixed(2);
      put(messages.log.stepBegins);
      try {
        const result = await inSpan(tracing, `step ${name}`, {}, work);
        step = name;
        put(messages.log.stepDone(seconds()));
        return result;
      } catch (error) {
        step = name;
        put(signal?.aborted ? messages.log.stepEnded(seconds()) : messages.log.stepFailed(seconds()));
        throw error;
      } finally {
        step = outer;
      }
    },
    end: () => logs.write.end(logId),
    flush: () => logs.write.flush(logId),
  };
}
