import { createRequire } from 'node:module';

// Loaded into every test file's process before node's test runner is, which follows each promise to its end by a hook, so that
// it can say of an error that nobody caught which test it came of. That takes a quarter of the processor's time of tests
// with a server in their midst. Without, such an error fails the file rather than its test; no test here waits for one.

const hooks = createRequire(import.meta.url)('node:async_hooks');
const idle = { enable: () => idle, disable: () => idle };
hooks.createHook = () => idle;
