// Program of the helper container on a machine of a cluster, run by any version of Node.js that the image has. Each
// request with the token starts a command, which reads the request's body and writes the response's. The response's
// trailers have its result.

const { spawn } = require('node:child_process');
const { createHash, timingSafeEqual } = require('node:crypto');
const { createServer } = require('node:http');

const { HELPER_PORT, HELPER_TOKEN = '', PATH } = process.env;
const LONGEST_MS = 600_000;
/** The helper exits after this time without a command. */
const IDLE_MS = 300_000;
const MOST_SAID = 2_000;

const digestOf = (text) => createHash('sha256').update(text).digest();
const known = digestOf(HELPER_TOKEN);
const isKnown = ({ headers }) =>
  HELPER_TOKEN !== '' && timingSafeEqual(digestOf(String(headers['simcha-token'])), known);

let running = 0;
let idle = setTimeout(process.exit, IDLE_MS);
const begins = () => {
  running += 1;
  clearTimeout(idle);
};
const ends = () => {
  running -= 1;
  if (running === 0) idle = setTimeout(process.exit, IDLE_MS);
};

const server = createServer((request, response) => {
  if (!isKnown(request)) {
    response.writeHead(403, { connection: 'close' }).end();
    return;
  }
  const words = Buffer.from(String(request.headers['simcha-command']), 'base64');
  const [program, ...rest] = JSON.parse(words.toString());
  // A process group of its own, so that a shell's commands end with it.
  const child = spawn(program, rest, { cwd: '/', env: { PATH, LC_ALL: 'C' }, detached: true });
  begins();
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  };
  const late = setTimeout(end, LONGEST_MS);
  let said = '';
  const hear = (text) => {
    said = (said + text).slice(0, MOST_SAID);
  };
  child.stderr.setEncoding('utf8').on('data', hear);
  child.on('error', ({ message }) => hear(message));
  // Writing to a command that has already ended fails, which is ignored.
  child.stdin.on('error', () => {}).on('close', () => request.resume());
  request.on('error', () => {}).pipe(child.stdin);
  response.writeHead(200, { trailer: 'simcha-code, simcha-error-output' });
  child.stdout.pipe(response, { end: false });
  response.on('close', end);
  child.on('close', (code) => {
    clearTimeout(late);
    ends();
    response.addTrailers({
      'simcha-code': String(code),
      'simcha-error-output': Buffer.from(said).toString('base64'),
    });
    response.end();
  });
});
server.requestTimeout = LONGEST_MS;
server.listen(Number(HELPER_PORT), '0.0.0.0');
// The first process of a container is not ended by SIGTERM unless it handles it.
process.on('SIGTERM', () => process.exit());
