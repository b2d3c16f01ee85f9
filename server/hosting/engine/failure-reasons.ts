import { isFullDisk } from '../../kernel/full-disk.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { EngineAway, EngineError } from './errors.ts';

/**
 * Pattern for the folder of a container's or a volume's files on the engine's machine; the path after it is the path
 * inside the container.
 */
const ENGINE_FOLDERS =
  /\/[^\s"':]*\/(?:(?:overlay2|vfs\/dir)\/[0-9a-f]{16,}(?:\/(?:merged|diff))?|volumes\/[\w.-]+\/_data)/g;

/** Turns errors of an engine into reasons for the person who deploys. */
export async function withFailureReasons<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    // The error message of a full disk is left out: it names folders of the engine's machine.
    if (isFullDisk(error)) throw new RuntimeFailure(reason('no_room'));
    if (error instanceof EngineAway) throw new RuntimeFailure(reason('engine_away', { error: message }));
    if (error instanceof EngineError)
      throw new RuntimeFailure(reason('cant_run', { error: message.replaceAll(ENGINE_FOLDERS, '') }));
    throw error;
  }
}
