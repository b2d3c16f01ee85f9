const { createServer } = require('node:http');
const { Server } = require('socket.io');

const server = createServer((_request, response) => response.end('chat'));
new Server(server).on('connection', (socket) => {
  socket.on('say', (words, answer) => answer(`heard ${words}`));
});
server.listen(process.env.PORT);
