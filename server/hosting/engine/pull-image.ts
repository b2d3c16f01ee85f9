import type { Logger } from '../../kernel/log.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import type { Labels } from './labels.ts';

/** Pattern for messages of a registry that answered, but does not have the image, or not for this platform. */
const NOT_AVAILABLE =
  /not found|manifest unknown|does not exist|denied|unauthorized|no basic auth credentials|invalid reference format/i;
/** True if a registry answered a pull, but does not give the image to the engine. */
export function isNotAvailable({ message }: EngineError): boolean {
  return NOT_AVAILABLE.test(message);
}

const PULL_FAILED = 'an image could not be brought';

/**
 * Ensures that the engine has an image, from its registry if necessary; `headers` authenticate. Throws a RuntimeFailure
 * if that fails. The engine's message reveals its networks, so it is only logged.
 */
export async function pullUnlessPresent(
  { engine, log }: { engine: Engine; log: Logger },
  image: string,
  signal: AbortSignal,
  headers?: Labels,
): Promise<void> {
  const warnings = repeatedWarnings(log);
  const existing = await engine.image(image, signal);
  if (existing) return warnings.clear({ image }, PULL_FAILED);
  await engine.pull(image, signal, headers).catch((error) => {
    if (!(error instanceof EngineError)) throw error;
    // Warnings about the same image are limited, because a site whose image can't be pulled is started again and again.
    warnings.warn({ image }, PULL_FAILED, error.message);
    throw new RuntimeFailure(reason(isNotAvailable(error) ? 'image_missing' : 'image_unreached', { image }));
  });
}
