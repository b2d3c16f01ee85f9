import { parentPort } from 'node:worker_threads';
import type { MatchingAnswer, MatchingTask } from './matching.ts';
import { findWatched } from './watch-paths.ts';

// Answers the tasks of matching.ts, in a separate thread.

const answer = ({ patterns, paths }: MatchingTask): MatchingAnswer => ({
  path: findWatched(patterns, paths),
});

parentPort?.on('message', (task: MatchingTask) => parentPort?.postMessage(answer(task)));
