import { createRequire } from 'node:module';

// Module that every test file's process loads before node's test runner. To find the test to which an uncaught error
// belongs, the runner follows every promise by an async hook, which takes a quarter of the processor time of tests with
// a server. Without the hook, an uncaught error fails the whole file instead of one test. No test here expects an
// uncaught error.

const hooks = createRequire(import.meta.url)('node:async_hooks');
const idle = { enable: () => idle, disable: () => idle };
hooks.createHook = () => idle;
