import { createRequire } from 'node:module';

// Loaded into the process of every test file before node's test runner, which follows every promise by an async hook to
// attribute uncaught errors to tests. That takes a quarter of the processor's time of tests with a server. Without it,
// such an error fails the file instead of its test; no test here waits for one.

const hooks = createRequire(import.meta.url)('node:async_hooks');
const idle = { enable: () => idle, disable: () => idle };
hooks.createHook = () => idle;
