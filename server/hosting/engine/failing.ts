import { isFullDisk } from '../../kernel/full-disk.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { EngineAway, EngineError } from './connection.ts';

/** Where an engine has a container's files, or a volume's, on its machine: what follows is the container's own. */
const ROOTS =
  /\/[^\s"':]*\/(?:(?:overlay2|vfs\/dir)\/[0-9a-f]{16,}(?:\/(?:merged|diff))?|volumes\/[\w.-]+\/_data)/g;

/** Makes of what an engine refuses, or does not answer, a sentence for whoever deploys. */
export async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    // What it says besides tells of its machine's folders.
    if (isFullDisk(error)) throw new RuntimeFailure(reason('no_room'));
    if (error instanceof EngineAway) throw new RuntimeFailure(reason('engine_away', { error: message }));
    if (error instanceof EngineError)
      throw new RuntimeFailure(reason('cant_run', { error: message.replaceAll(ROOTS, '') }));
    throw error;
  }
}
