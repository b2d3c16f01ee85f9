import { createStandbyThread, ThreadExhausted } from '../../kernel/threads.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';

export interface ContextTask {
  /** Folder of the build's source on this machine. */
  folder: string;
  /** Path of the Dockerfile, relative to `folder`. */
  dockerfile: string;
}

/** Names of files that .dockerignore does not exclude, as bytes; or the line of .dockerignore that can't be parsed. */
export type ContextListing = { names: Uint8Array[] } | { line: string };

const SECONDS = 30;

const listInThread = createStandbyThread<ContextTask, ContextListing>(
  new URL('./build-context-thread.ts', import.meta.url),
  {
    runMs: SECONDS * 1_000,
    heapMb: 256,
  },
);

/**
 * Names in a folder that a Dockerfile build sees, according to .dockerignore. They are listed in a thread, because an
 * untrusted pattern could block the server. Throws a RuntimeFailure.
 */
export async function listContext(task: ContextTask): Promise<Uint8Array[]> {
  try {
    const listed = await listInThread(task);
    if ('names' in listed) return listed.names;
    throw new RuntimeFailure(reason('dockerignore_line', listed));
  } catch (error) {
    if (error instanceof ThreadExhausted)
      throw new RuntimeFailure(reason('dockerignore_endless', { seconds: SECONDS }));
    throw error;
  }
}
