import type { Logger } from '../../kernel/log.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import type { Registry } from './registry.ts';

export type RegistryImages = ReturnType<typeof createRegistryImages>;

/**
 * Images in a cluster's registry, pushed and pulled by an engine. Throws a RuntimeFailure on failure. The cause names
 * the operator's infrastructure, so it is only logged.
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
  const withReason = async <T>(work: () => Promise<T>): Promise<T> => {
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
      withReason(() => engine.push(image, headers, signal)),

    has: (image: string, signal: AbortSignal): Promise<boolean> =>
      withReason(() => engine.isAtRegistry(image, headers, signal)),

    /** Pulls an image unless the engine already has it. */
    ensure: (image: string, signal: AbortSignal): Promise<void> =>
      withReason(async () => {
        if (!(await engine.image(image, signal))) await engine.pull(image, signal, headers);
      }),
  };
}
