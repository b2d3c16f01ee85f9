import type { Logger } from '../../kernel/log.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { EngineError } from './connection.ts';
import type { Engine } from './engine.ts';
import type { Registry } from './registry.ts';

export type RegistryImages = ReturnType<typeof createRegistryImages>;

/**
 * Images that an engine gives a cluster's registry, and has of it. Throws a RuntimeFailure where that is not to be had: why names what
 * is the operator's own, and is for the log alone.
 */
export function createRegistryImages({
  engine,
  registry: { headers },
  log,
}: {
  engine: Engine;
  registry: Registry;
  log: Logger;
}) {
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      log.warn({ err: error }, 'the registry of the cluster’s images is not to be had');
      throw new RuntimeFailure(reason('registry_away'));
    }
  };
  return {
    push: (image: string, signal: AbortSignal): Promise<void> =>
      through(() => engine.push(image, headers, signal)),

    has: (image: string, signal: AbortSignal): Promise<boolean> =>
      through(() => engine.isAtRegistry(image, headers, signal)),

    /** Has the engine have one that it has not got yet. */
    bring: (image: string, signal: AbortSignal): Promise<void> =>
      through(async () => {
        if (!(await engine.image(image, signal))) await engine.pull(image, signal, headers);
      }),
  };
}
