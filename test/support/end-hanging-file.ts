import { isMainThread } from 'node:worker_threads';

// Module that every test file's process loads, and thereby its threads, which have no tests. If the process does not
// end after its tests, the module reports the file and ends the process, so that the test run ends. The results have
// been read by then; the option `forceExit` would not wait for them.

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
