import { isMainThread } from 'node:worker_threads';

// Loaded into the process of every test file, and thereby into its threads, which have no tests. A file that does not
// end after its tests is reported and ended, so that the run ends. Its results have been read by then; `forceExit`
// would not wait for them.

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
