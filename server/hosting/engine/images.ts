import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';
import { EngineError } from './connection.ts';
import type { Engine } from './engine.ts';

/** Has an image at hand, from its registry where it is not there. Throws a RuntimeFailure where that has none. */
export async function bringImage(engine: Engine, image: string, signal: AbortSignal): Promise<void> {
  if (await engine.image(image, signal)) return;
  await engine.pull(image, signal).catch((error) => {
    if (!(error instanceof EngineError)) throw error;
    throw new RuntimeFailure(reason('image_missing', { image, error: error.message }));
  });
}
