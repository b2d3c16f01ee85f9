import { createRequire } from 'node:module';

// Module that every test file's process loads before node's test runner. The runner follows every promise by an async
// hook, to find out to which test an uncaught error belongs; that takes a quarter of the processor's time of tests with
// a server. Without the hook such an error fails the whole file instead of its test; no test here waits for one.

const hooks = createRequire(import.meta.url)('node:async_hooks');
const idle = { enable: () => idle, disable: () => idle };
hooks.createHook = () => idle;
