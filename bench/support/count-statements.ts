import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

// Loaded into a measured server by `node --import`: counts the statements that the server sends to the thread of the
// embedded database, and writes the number to the file STATEMENTS_FILE at each signal SIGUSR2.

const { STATEMENTS_FILE = '' } = process.env;
let statements = 0;
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...rest) {
  if (typeof message === 'object' && 'call' in message) statements += 1;
  return postMessage.call(this, message, ...(rest as []));
};
process.on('SIGUSR2', () => writeFileSync(STATEMENTS_FILE, String(statements)));
