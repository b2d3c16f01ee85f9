import type { Logger } from '../../kernel/log.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { EngineError } from './connection.ts';
import type { Engine, Labels } from './engine.ts';

/** Messages of a registry that answered: it has no such image, or not for us. */
const NOT_THERE =
  /not found|manifest unknown|does not exist|denied|unauthorized|no basic auth credentials|invalid reference format/i;
const NOT_BROUGHT = 'an image could not be brought';

/**
 * Ensures that the engine has an image, from its registry if necessary; `headers` authenticate. Throws a RuntimeFailure
 * if that fails. The engine's message reveals its networks, so it is only logged.
 */
export async function bringImage(
  { engine, log }: { engine: Engine; log: Logger },
  image: string,
  signal: AbortSignal,
  headers?: Labels,
): Promise<void> {
  const warnings = repeatedWarnings(log);
  const isThere = await engine.image(image, signal);
  if (isThere) return warnings.clear({ image }, NOT_BROUGHT);
  await engine.pull(image, signal, headers).catch((error) => {
    if (!(error instanceof EngineError)) throw error;
    // A site that can't start without the image is tried again and again, so the warning is limited.
    warnings.warn({ image }, NOT_BROUGHT, error.message);
    throw new RuntimeFailure(
      reason(NOT_THERE.test(error.message) ? 'image_missing' : 'image_unreached', { image }),
    );
  });
}
