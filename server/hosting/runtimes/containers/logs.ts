import type { Engine } from '../../engine/engine.ts';
import { EngineError } from '../../engine/errors.ts';
import type { LogLine } from '../../engine/log-lines.ts';
import type { WrittenLines } from '../runtime.ts';
import { siteLog } from '../site-log.ts';

/** Pattern for the engine's message about a container that is being removed. */
const BEING_REMOVED = /dead or marked for removal/;

/**
 * Lines that a container writes after `since` (milliseconds since 1970), until the container has ended or the signal
 * aborts.
 */
export function containerLog(
  engine: Engine,
  name: string,
  since: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<WrittenLines> {
  return siteLog((behind) => linesUntilEnd(engine, name, behind, signal), since, signal);
}

/**
 * Lines of a container's log after `since`. They are read twice: engines before version 23 hide a last line without a
 * newline from readers that wait for further lines (https://github.com/moby/moby/issues/43860). A container that is
 * gone, or is being removed, gives no lines.
 */
async function* linesUntilEnd(
  engine: Engine,
  name: string,
  since: () => string | undefined,
  signal: AbortSignal,
): AsyncGenerator<LogLine[]> {
  try {
    yield* engine.logs(name, since(), signal);
    // The engine may have stopped sending lines: the log ends only when the container has ended.
    await engine.wait(name, signal);
    yield* engine.pastLogs(name, since(), signal);
  } catch (error) {
    const isGone =
      error instanceof EngineError && (error.status === 404 || BEING_REMOVED.test(error.message));
    if (!isGone) throw error;
  }
}
