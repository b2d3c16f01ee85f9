const { createServer } = require('node:http');

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  let n = 0;
  const timer = setInterval(() => {
    n += 1;
    response.write(`id: ${n}\ndata: ${Date.now()}\n\n`);
    if (n === 4) {
      clearInterval(timer);
      response.end();
    }
  }, 300);
  response.on('close', () => clearInterval(timer));
}).listen(process.env.PORT);
