import type { Logger } from '../../kernel/log.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { EngineError } from './connection.ts';
import type { Engine, Labels } from './engine.ts';

/** A registry answered: it has none of that name, or not for us. */
const NOT_THERE =
  /not found|manifest unknown|does not exist|denied|unauthorized|no basic auth credentials|invalid reference format/i;
const NOT_BROUGHT = 'an image could not be brought';

/**
 * Has an image at hand, from its registry where it is not there; `headers` say who asks that. Throws a RuntimeFailure where it can't be
 * had: what the engine says of it tells of the networks that it is in, and is for the log alone.
 */
export async function bringImage(
  { engine, log }: { engine: Engine; log: Logger },
  image: string,
  signal: AbortSignal,
  headers?: Labels,
): Promise<void> {
  const lasting = repeatedWarnings(log);
  const isThere = await engine.image(image, signal);
  if (isThere) return lasting.over({ image }, NOT_BROUGHT);
  await engine.pull(image, signal, headers).catch((error) => {
    if (!(error instanceof EngineError)) throw error;
    // A site that can't be started for want of it is tried again and again.
    lasting.warn({ image }, NOT_BROUGHT, error.message);
    throw new RuntimeFailure(
      reason(NOT_THERE.test(error.message) ? 'image_missing' : 'image_unreached', { image }),
    );
  });
}
