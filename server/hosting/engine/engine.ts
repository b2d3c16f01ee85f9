import { BuildKit } from './buildkit.ts';
import { type Connection, connectToEngine, isBefore } from './connection.ts';
import { containerCalls } from './container-calls.ts';
import { fileCalls } from './container-files.ts';
import { outputCalls } from './container-output.ts';
import { buildCalls } from './image-build.ts';
import { imageCalls, imageTransfers } from './image-calls.ts';
import { networkCalls } from './network-calls.ts';
import { systemCalls } from './system-calls.ts';
import { volumeCalls } from './volume-calls.ts';

export type Engine = ReturnType<typeof createEngine>;

/**
 * Opens an engine by the path of its socket. Every call throws an EngineError if the engine refuses it, an EngineAway
 * if it does not answer, or the signal's reason.
 */
export async function openEngine(socket: string, signal: AbortSignal): Promise<Engine> {
  return createEngine(await connectToEngine(socket, signal));
}

/** Engine on a connection that may be shared: all calls to it, named as in its API. */
export function createEngine(connection: Connection) {
  const { version, greet, isPodman, close } = connection;
  const containers = containerCalls(connection);
  return {
    version,
    greet,
    isPodman,
    /** True if the engine supports this version of its API, such as `1.44`. */
    supportsVersion: (other: string) => !isBefore(version, other),
    close,
    ...containers,
    ...outputCalls(connection, containers.wait),
    ...fileCalls(connection),
    ...imageCalls(connection),
    ...imageTransfers(connection),
    ...buildCalls(connection),
    buildKit: new BuildKit(connection),
    ...networkCalls(connection),
    ...volumeCalls(connection),
    ...systemCalls(connection),
  };
}
