import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { processorSecondsOf } from './processor-time.ts';

// Module that every test file's process loads. At the end it appends the process's processor time to a file that
// test/run.ts reads.

const { SIMCHA_TEST_TIMES, NODE_TEST_CONTEXT } = process.env;
if (isMainThread && SIMCHA_TEST_TIMES && NODE_TEST_CONTEXT)
  process.on('exit', () =>
    appendFileSync(SIMCHA_TEST_TIMES, `${processorSecondsOf(process.pid)} ${process.argv[1]}\n`),
  );
