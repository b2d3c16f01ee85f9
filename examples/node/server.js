import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const page = await readFile('dist/index.html');
const { HOST, PORT, GREETING = 'בתיאבון!' } = process.env;

const server = createServer((request, response) => {
  const path = request.url?.split('?', 1)[0];
  if (path === '/greeting') response.setHeader('content-type', 'text/plain; charset=utf-8').end(GREETING);
  else if (path === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  else response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('אין כאן כלום');
});

server.listen(Number(PORT), HOST, () => console.log(`the menu is on the table, port ${PORT}`));
// Asked to end: finish what is on the way, then go.
process.on('SIGTERM', () => server.close());
