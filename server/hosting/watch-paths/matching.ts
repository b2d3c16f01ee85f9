import { createStandbyThread, ThreadExhausted } from '../../kernel/threads.ts';

export interface MatchingTask {
  patterns: readonly string[];
  /** Changed paths of a repository. */
  paths: readonly string[];
}

export interface MatchingAnswer {
  path: string | undefined;
}

const MOST_MS = 5_000;
const limits = { runMs: MOST_MS, heapMb: 128 };

const ask = createStandbyThread<MatchingTask, MatchingAnswer>(
  new URL('./matching-thread.ts', import.meta.url),
  limits,
);

/**
 * The first of the changed paths that the patterns watch; undefined if there is none. Runs in a thread, because patterns
 * and paths are untrusted. If the comparison takes too long, the first changed path counts as watched.
 */
export async function watchedIn(task: MatchingTask): Promise<string | undefined> {
  try {
    return (await ask(task)).path;
  } catch (error) {
    if (error instanceof ThreadExhausted) return task.paths[0];
    throw error;
  }
}
