import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

// Preloaded into a server under measurement (`node --import`): tells the longest task of the event loop, by the processor
// time of its thread. Unlike the delay of a timer, this does not depend on other processes. A request to the port TASK_WATCH_PORT
// gets the longest task since the last one, in milliseconds.

const TICK_MS = 1;

if (isMainThread) {
  let longest = 0;
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  };
  let before = used();
  setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
  }, TICK_MS).unref();
  createServer((_request, response) => {
    response.end(String(longest / 1_000));
    longest = 0;
  })
    .listen(Number(process.env.TASK_WATCH_PORT), '127.0.0.1')
    .unref();
}
