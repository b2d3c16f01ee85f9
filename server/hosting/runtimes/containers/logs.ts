import type { Engine } from '../../engine/engine.ts';
import { EngineError } from '../../engine/errors.ts';
import type { LogLine } from '../../engine/log-lines.ts';
import type { WrittenLines } from '../runtime.ts';
import { siteLog } from '../site-log.ts';

/** Message about a container that is being removed. */
const BEING_REMOVED = /dead or marked for removal/;

/** Lines that a container writes after `since` (milliseconds since 1970), until it has ended, or the signal. */
export function containerLog(
  engine: Engine,
  name: string,
  since: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<WrittenLines> {
  return siteLog((behind) => linesUntilEnd(engine, name, behind, signal), since, signal);
}

/**
 * Lines behind `since`, which is asked for twice: engines before version 23 keep a last line without a newline from
 * readers that follow (https://github.com/moby/moby/issues/43860). A container that is gone, or about to be, gives no
 * lines.
 */
async function* linesUntilEnd(
  engine: Engine,
  name: string,
  since: () => string | undefined,
  signal: AbortSignal,
): AsyncGenerator<LogLine[]> {
  try {
    yield* engine.logs(name, since(), signal);
    // The engine may have stopped reporting: only the end of the container is the end of its log.
    await engine.wait(name, signal);
    yield* engine.pastLogs(name, since(), signal);
  } catch (error) {
    const isGone =
      error instanceof EngineError && (error.status === 404 || BEING_REMOVED.test(error.message));
    if (!isGone) throw error;
  }
}
