import { isMainThread } from 'node:worker_threads';

// Loaded into every test file's process, and so into its threads, which have no tests: a file that does not end when
// its tests have is told of and ended, so that the run has an end. By then its results are long read, which is what
// `forceExit` does not wait for.

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
