const { createServer } = require('node:http');
const { hello } = require('words');

createServer((request, response) => response.end(hello(request.url.slice(1)))).listen(process.env.PORT);
