import { isMainThread } from 'node:worker_threads';

// Module that every test file's process loads. If the process does not end after its tests, the module reports the file
// and ends the process, so that the test run ends. By then all results have been read; node's option `forceExit` would
// end the process before that. Worker threads load the module too, but have no tests.

const GRACE_MS = 60_000;

if (isMainThread) {
  const { after } = await import('node:test');
  after(() => {
    setTimeout(() => {
      console.error(
        `Its tests are over, yet something is left open: ${process.getActiveResourcesInfo().join(', ')}`,
      );
      process.exit(1);
    }, GRACE_MS).unref();
  });
}
