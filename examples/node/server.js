import { appendFile, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { LIKES, TALLY } from './likes.js';

const page = await readFile('dist/index.html');
const { HOST, PORT, GREETING = 'בתיאבון!' } = process.env;
const LONGEST_DISH = 200;

const server = createServer(async (request, response) => {
  const path = request.url?.split('?', 1)[0];
  const text = (status) => response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  if (path === '/greeting') text(200).end(GREETING);
  else if (path === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  else if (path === '/likes' && request.method === 'POST') {
    const dish = await bodyOf(request);
    if (!dish) return text(400).end('איזו מנה?');
    await appendFile(LIKES, `${dish}\n`);
    text(202).end('נרשם');
  } else if (path === '/likes') {
    response.setHeader('content-type', 'application/json').end(await readFile(TALLY).catch(() => '{}'));
  } else text(404).end('אין כאן כלום');
});

server.listen(Number(PORT), HOST, () => console.log(`the menu is on the table, port ${PORT}`));
// SIGTERM: requests in progress are finished before the process ends.
process.on('SIGTERM', () => server.close());

/** Reads the body, a single line. Returns an empty text if it has several lines or is too long. */
async function bodyOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) if (text.length <= LONGEST_DISH) text += chunk;
  const line = text.trim();
  return line.length <= LONGEST_DISH && !line.includes('\n') ? line : '';
}
