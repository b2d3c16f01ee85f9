import type { Logger } from '../../kernel/log.ts';
import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';
import { EngineError } from './connection.ts';
import type { Engine, Labels } from './engine.ts';

/** A registry answered: it has none of that name, or not for us. */
const NOT_THERE = /not found|manifest unknown|does not exist|denied|unauthorized|invalid reference format/i;

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
  if (await engine.image(image, signal)) return;
  await engine.pull(image, signal, headers).catch((error) => {
    if (!(error instanceof EngineError)) throw error;
    log.warn({ err: error, image }, 'an image could not be brought');
    throw new RuntimeFailure(
      reason(NOT_THERE.test(error.message) ? 'image_missing' : 'image_unreached', { image }),
    );
  });
}
