import { createStandbyThread, ThreadExhausted } from '../../kernel/threads.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';

export interface ContextTask {
  /** Of this machine. */
  folder: string;
  /** Below it. */
  dockerfile: string;
}

/** The names of what is not left out, each as its bytes are; or the line that says of none what it leaves out, or how many bytes there may be. */
export type Listed = { names: Uint8Array[] } | { line: string } | { most: number };

const SECONDS = 30;

const ask = createStandbyThread<ContextTask, Listed>(new URL('./context-thread.ts', import.meta.url), {
  runMs: SECONDS * 1_000,
  heapMb: 256,
});

/**
 * What of a folder a build by a Dockerfile is to see, by its .dockerignore, read in a thread: a stranger wrote it, and could hold
 * everybody up. Throws a RuntimeFailure.
 */
export async function contextIn(task: ContextTask): Promise<Uint8Array[]> {
  try {
    const listed = await ask(task);
    if ('names' in listed) return listed.names;
    throw new RuntimeFailure(
      'line' in listed ? reason('dockerignore_line', listed) : reason('dockerignore_long', listed),
    );
  } catch (error) {
    if (error instanceof ThreadExhausted)
      throw new RuntimeFailure(reason('dockerignore_endless', { seconds: SECONDS }));
    throw error;
  }
}
