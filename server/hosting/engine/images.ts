import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';
import { EngineError } from './connection.ts';
import type { Engine, Labels } from './engine.ts';

/** Has an image at hand, from its registry where it is not there; `headers` say who asks that. Throws a RuntimeFailure where that has none. */
export async function bringImage(
  engine: Engine,
  image: string,
  signal: AbortSignal,
  headers?: Labels,
): Promise<void> {
  if (await engine.image(image, signal)) return;
  await engine.pull(image, signal, headers).catch((error) => {
    if (!(error instanceof EngineError)) throw error;
    throw new RuntimeFailure(reason('image_missing', { image, error: error.message }));
  });
}
