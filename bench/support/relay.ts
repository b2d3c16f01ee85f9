import { connect, createServer, type Socket } from 'node:net';

// Process for bench/gateway.ts that forwards bytes without parsing them. It shows the cost of node itself as a gateway.
// Arguments: <port> <port of a site>.

const [port, site] = process.argv.slice(2).map(Number);

createServer({ noDelay: true }, (client) => {
  const server = connect({ host: '127.0.0.1', port: site ?? 0, noDelay: true });
  join(client, server);
  join(server, client);
}).listen({ host: '127.0.0.1', port, reusePort: true });

function join(from: Socket, to: Socket): void {
  from.setEncoding('latin1');
  from.on('data', (bytes: string) => to.write(bytes, 'latin1'));
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}
