import type { Connection } from './connection.ts';
import { EngineError } from './errors.ts';
import { hasAll, type Labels, labelFilter } from './labels.ts';
import { type LogLine, logLinesOf } from './log-lines.ts';
import { signalAfterEnd } from './quirks/podman.ts';
import { jsonLines, outputFrames } from './streams.ts';

/** Command that runs in a container beside the container's own command; the engine keeps no output of it. */
export interface ExecOrder {
  Cmd: readonly string[];
  Env?: readonly string[];
  WorkingDir?: string;
  User?: string;
}

export interface EngineEvent {
  Type: string;
  Action: string;
  Actor: { ID: string; Attributes: Labels };
  /** Time at which the engine reported the event, in nanoseconds since 1970. */
  timeNano: number;
}

interface LogRange {
  since: string | undefined;
  follow: boolean;
}

/**
 * Calls that read output and events of containers, or run a command in a container. `wait` resolves when a container
 * has ended.
 */
export function outputCalls(
  { ask, stream }: Connection,
  wait: (id: string, signal: AbortSignal) => Promise<unknown>,
) {
  async function* readLines(
    id: string,
    { since, follow }: LogRange,
    signal: AbortSignal,
  ): AsyncGenerator<LogLine[]> {
    const path = ['containers', id, 'logs'];
    // The engine is asked for all log lines of the second in which `since` lies: a line's position within its second,
    // which Podman's lines need as their time, is known only from the first line on.
    const from = since?.split('.')[0];
    const query = { stdout: true, stderr: true, follow, timestamps: true, since: from };
    yield* logLinesOf(await stream({ path, query, signal, mayTakeLong: true }), since);
  }

  return {
    /**
     * Runs a command in a running container until it ends, and returns its exit code. Output arrives as it is written,
     * in no order between the two streams. The signal only stops listening: processes end with their container.
     */
    async exec(
      id: string,
      order: ExecOrder,
      output: (bytes: Buffer, from: LogLine['output']) => void,
      signal: AbortSignal,
    ): Promise<number> {
      const body = { ...order, AttachStdout: true, AttachStderr: true };
      const path = ['containers', id, 'exec'];
      const { Id } = await ask<{ Id: string }>({ method: 'POST', path, body, signal });
      const start = { path: ['exec', Id, 'start'], body: { Detach: false, Tty: false } };
      const answer = await stream({ method: 'POST', ...start, signal, mayTakeLong: true });
      for await (const frames of outputFrames(answer))
        for (const frame of frames) output(frame.bytes, frame.output);
      const { ExitCode: code } = await ask<{ ExitCode: number | null }>({
        path: ['exec', Id, 'json'],
        signal,
      });
      if (code === null) throw new EngineError(500, 'nobody told how the command ended');
      return code;
    },

    /**
     * Lines that the container wrote after `since` (seconds since 1970, with a fraction), in groups that arrived
     * together.
     */
    pastLogs: (id: string, since: string | undefined, signal: AbortSignal): AsyncGenerator<LogLine[]> =>
      readLines(id, { since, follow: false }, signal),

    /**
     * Lines that the container wrote after `since`, and new lines until the container ends. Lines that arrive later
     * than a moment after the container's end are missing; `pastLogs` reads these.
     */
    async *logs(id: string, since: string | undefined, signal: AbortSignal): AsyncGenerator<LogLine[]> {
      const { until, hasEnded, stop } = signalAfterEnd((over) => wait(id, over), signal);
      try {
        yield* readLines(id, { since, follow: true }, until);
      } catch (error) {
        if (signal.aborted || !hasEnded()) throw error;
      } finally {
        stop();
      }
    },

    /** Events of containers with these labels from now on, until the signal aborts them, which is an error. */
    async *events(labels: Labels, signal: AbortSignal): AsyncGenerator<EngineEvent> {
      const query = { filters: { ...labelFilter(labels), type: ['container'] } };
      const answer = await stream({ path: ['events'], query, signal, mayTakeLong: true });
      for await (const event of jsonLines<EngineEvent>(answer))
        if (hasAll(labels, event.Actor.Attributes)) yield event;
    },
  };
}
